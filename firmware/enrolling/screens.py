"""What the display shows in each state of an enrolment: pure, enrolment in, Screen out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware.enrolling.base import Cut, Enrolling
from firmware.enrolling.faces import Group, heading, name_of, shortened
from firmware.enrolling.steps import review_pages, said
from firmware.screens import PATIENCE, WIDE, small
from hardware.display.letters import MAIN, SMALL
from hardware.display.screen import Screen

_PER_PAGE = 4
"""Small lines on a page."""


def screen(one: Enrolling) -> Screen:
    """The screen for this moment."""
    return _SCREENS[one.place](one)


def pages(one: Enrolling) -> int:
    """How many pages UP and DOWN go through in this state."""
    count = _PAGES.get(one.place)
    return count(one) if count is not None else 1


def progress(one: Enrolling) -> str:
    """How many faces have their picture: "12/45"."""
    return f"{len(one.done & frozenset(one.names))}/{one.total}"


def _titled(text: str, right: str) -> str:
    """A title cut to the room that ``right`` leaves beside it."""
    return shortened(text, SMALL, WIDE - (SMALL.width(right, 1) + 4 if right else 0))


def _list(one: Enrolling) -> Screen:
    texts = one.texts
    of_faces = one.place == "faces"
    shown = not of_faces or one.listing.value in one.done
    right = "" if of_faces and len(one.listing.labels) > 3 else progress(one)
    title = texts(f"enrol.{one.place}_title" if shown else "enrol.faces_not_yet", game=one.game)
    return Screen(
        one.place,
        _titled(title, right),
        footer=texts("foot.choose" if of_faces else "foot.only"),
        right=right,
        choices=one.listing.labels,
        chosen=one.listing.chosen,
    )


def _group(one: Enrolling) -> Group:
    if one.group is None:
        raise ValueError(f"{one.place} needs faces that are asked for")
    return one.group


def _lay(one: Enrolling) -> Screen:
    """Which faces shall lie there, in which order; how many are seen, or what is in the way."""
    texts, group = one.texts, _group(one)
    many = len(group.identities)
    title = texts("enrol.lay_title", count=many) if many > 1 else texts("enrol.lay_one")
    footer = texts("enrol.foot_lay" if many > 1 else "enrol.foot_lay_one")
    named = _order(group)
    if one.page:
        page = min(one.page, len(named))
        return Screen(
            "lay", title, lines=named[page - 1], footer=footer, right=f"{page + 1}/{len(named) + 1}"
        )
    main = heading(group)
    lines = _status(one)
    if MAIN.width(main, 1) > WIDE:
        return Screen("lay", title, lines=(*small(main), *lines)[:4], footer=footer, right=progress(one))
    return Screen("lay", title, main, lines, footer, progress(one))


def _order(group: Group) -> tuple[tuple[str, ...], ...]:
    """The names in the order in which they lie, a page at a time; nothing to tell of a single face."""
    if len(group.identities) == 1:
        return ()
    told = [f"{number}  {name_of(name)}" for number, name in enumerate(group.identities, 1)]
    return tuple(tuple(told[at : at + _PER_PAGE]) for at in range(0, len(told), _PER_PAGE))


def _status(one: Enrolling) -> tuple[str, ...]:
    """Two small lines: how it is done, and how far it is or what is in the way."""
    texts, many = one.texts, len(_group(one).identities)
    how = texts("enrol.rows" if many > 1 else "enrol.upright")
    if trouble := _trouble(one):
        return (how, *trouble)[:2] if len(trouble) == 1 else trouble[:2]
    seen = said(one).count
    if one.spread is None:
        return (how, texts("enrol.then"))
    return (how, texts("enrol.seen" if seen <= many else "enrol.seen_more", count=seen, many=many))


def _trouble(one: Enrolling) -> tuple[str, ...]:
    """What is missing or in the way, in small lines, or nothing."""
    for _, advice in one.parts:
        return small(advice)
    if one.blind is not None:
        fault, since = one.blind
        if one.now - since >= PATIENCE.get(fault, 1.0):
            return small(one.texts.get(f"blind.{fault}", one.texts("blind.other")))
    return ()


def _taking(one: Enrolling) -> Screen:
    texts = one.texts
    lines = _trouble(one) or (texts("enrol.hands_off"),)
    return Screen(
        "taking",
        texts("enrol.taking_title"),
        texts("enrol.taking"),
        lines[:2],
        texts("foot.back"),
        progress(one),
    )


def _count(one: Enrolling) -> Screen:
    texts, many, seen = one.texts, len(_group(one).identities), said(one).count
    why = ("none" if many > 1 else "none_one") if not seen else "few" if seen < many else "many"
    return Screen(
        "count",
        texts("enrol.count_title" if many > 1 else "enrol.count_title_one", many=many),
        texts("enrol.count", count=seen),
        small(texts(f"enrol.{why}"))[:2],
        texts("enrol.foot_again"),
        progress(one),
    )


def _cuts(one: Enrolling) -> tuple[Cut, ...]:
    return one.spread.cuts if one.spread is not None else ()


def _faulty(one: Enrolling) -> Screen:
    """A face whose picture is not good, and what to do."""
    texts, cuts = one.texts, _cuts(one)
    faulty = said(one).faulty
    page = min(one.page, len(faulty) - 1)
    index = faulty[page]
    cut = cuts[index]
    told = texts(f"enrol.fault_{cut.fault}", like=name_of(cut.like))
    right = f"{page + 1}/{len(faulty)}" if len(faulty) > 1 else ""
    title = _titled(name_of(_group(one).identities[index]), right)
    return Screen(
        "faulty",
        title,
        lines=_beside(told, cut),
        footer=texts("enrol.foot_faulty"),
        right=right,
        pictures=(cut.large,),
    )


def _beside(text: str, cut: Cut) -> tuple[str, ...]:
    """Text broken into lines that fit beside a picture."""
    room = WIDE - cut.large.width - 6
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and SMALL.width(longer, 1) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines[:4])


def _review(one: Enrolling) -> Screen:
    """All that was cut out, in order; then face by face, each with its name and place."""
    texts, cuts, group = one.texts, _cuts(one), _group(one)
    many = review_pages(one)
    page = min(one.page, many - 1)
    right = f"{page + 1}/{many}" if many > 1 else progress(one)
    if many > 1 and page == 0:
        kept = tuple(cut.small for cut in cuts)
        return Screen(
            "review",
            _titled(heading(group), right),
            lines=(texts("enrol.order"),),
            footer=texts("enrol.foot_sheet"),
            right=right,
            pictures=kept,
        )
    index = page - 1 if many > 1 else 0
    place = texts("enrol.place", number=index + 1, many=len(cuts)) if many > 1 else ""
    told = texts("enrol.dropped") if index in one.dropped else texts("enrol.good")
    lines = tuple(line for line in (place, *_beside(told, cuts[index])) if line)
    return Screen(
        "review",
        _titled(name_of(group.identities[index]), right),
        lines=lines[:4],
        footer=texts("enrol.foot_review"),
        right=right,
        pictures=(cuts[index].large,),
    )


def _checking(one: Enrolling) -> Screen:
    texts = one.texts
    return Screen("checking", texts("enrol.checking_title"), texts("enrol.checking"), right=progress(one))


def _alike(one: Enrolling) -> Screen:
    """Two faces that are hard to tell apart, side by side; behind them what would help."""
    texts, pair = one.texts, one.pairs[0]
    right = f"1/{len(one.pairs)}" if len(one.pairs) > 1 else ""
    if one.page:
        return Screen(
            "alike",
            texts("enrol.alike_title"),
            lines=small(texts("enrol.alike_help"))[:4],
            footer=texts("enrol.foot_alike"),
            right=right,
        )
    return Screen(
        "alike",
        _titled(name_of(pair.one), right),
        lines=(shortened(texts("enrol.alike_two", other=name_of(pair.other)), SMALL, WIDE),),
        footer=texts("enrol.foot_alike"),
        right=right,
        pictures=pair.pictures,
    )


def _done(one: Enrolling) -> Screen:
    texts = one.texts
    lines: tuple[str, ...] = (texts("enrol.done_line"),)
    if one.accepted:
        lines = (*lines, texts("enrol.done_alike", count=len(one.accepted)))
    return Screen(
        "done", texts("enrol.done_title", game=one.game), progress(one), lines, texts("enrol.foot_done")
    )


def _fault(one: Enrolling) -> Screen:
    texts = one.texts
    return Screen(
        "fault", texts("fault.title"), texts("fault.main"), (texts("fault.text"),), texts("foot.goon")
    )


_SCREENS: Mapping[str, Callable[[Enrolling], Screen]] = {
    "start": _list,
    "lay": _lay,
    "taking": _taking,
    "count": _count,
    "faulty": _faulty,
    "review": _review,
    "faces": _list,
    "pause": _list,
    "checking": _checking,
    "alike": _alike,
    "done": _done,
    "fault": _fault,
}

_PAGES: Mapping[str, Callable[[Enrolling], int]] = {
    "lay": lambda one: 1 + len(_order(_group(one))),
    "faulty": lambda one: len(said(one).faulty),
    "review": review_pages,
    "alike": lambda _: 2,
}
