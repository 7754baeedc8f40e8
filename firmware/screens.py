"""What the display shows in each state of a night: pure, night in, Screen out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engines.game import Difference, Move, Option, Refusal
from engines.referee import Match
from engines.words import named as by_name
from firmware import chain
from firmware.keys import KEYS
from firmware.remarks import alike, remark
from firmware.states.base import Night, Plan, planned
from firmware.states.play import unchanged
from hardware.buttons.press import Button
from hardware.display.letters import MAIN, SMALL
from hardware.display.screen import Screen

WIDE = 126
"""px from edge to edge."""
PATIENCE = {"hand": 10.0, "coarse": 8.0}  # the camera is opened for a larger picture first
"""Seconds for which a fault of the picture is not worth a word; others: 1."""


def screen(night: Night) -> Screen:
    """The screen for this moment."""
    return _SCREENS[night.place](night)


def pages(night: Night) -> int:
    """How many pages UP and DOWN go through in this state."""
    if night.place in ("desync", "setup"):
        return len(night.differences)
    if night.place == "score" and night.match is not None:
        return len(_score_pages(night.match))
    if night.place == "help":
        return len(Button)
    if night.place == "hints" and night.match is not None:
        return len(_hint_pages(night.match))
    if night.place == "proposal" and night.picked is None:
        return len(night.chain)
    if night.place == "illegal" and night.match is not None and night.finding.refusal is not None:
        return 1 + len(_reasons(night, night.match, night.finding.refusal))
    return 1


def small(text: str) -> tuple[str, ...]:
    """Text broken at its spaces into small lines that fit from edge to edge."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and SMALL.width(longer, 1) <= WIDE:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def first_line(text: str) -> str:
    """As many words as fit on one small line."""
    return small(text)[0] if text else ""


def named(name: str, rest: str, room: int = WIDE) -> str:
    """A name with words behind it for the title; a name too long for its room loses its end, the words never."""
    text = f"{name} {rest}" if rest else name
    while SMALL.width(text, 1) > room and len(name) > 1:
        name = name[:-1].rstrip(".")
        text = f"{name}. {rest}" if rest else f"{name}."
    return text


def score_line(match: Match) -> str:
    """Points so far, in the order of the seats."""
    return ":".join(map(str, match.score().totals))


def _list(name: str, title: str, night: Night, footer: str = "") -> Screen:
    return Screen(
        name,
        title=title,
        footer=footer or night.texts("foot.choose"),
        choices=night.listing.labels,
        chosen=night.listing.chosen,
    )


def _asked(key: str) -> Callable[[Night], Screen]:
    def show(night: Night) -> Screen:
        return _list(night.place, night.texts(f"{key}.title"), night)

    return show


def _game(night: Night) -> Screen:
    return _list("game", night.texts("game.title"), night, night.texts("foot.only"))


def _names(night: Night) -> Screen:
    return _list("names", night.texts("names.title", seat=len(night.plan.names) + 1), night)


def _option(night: Night) -> Screen:
    value = night.listing.value
    if value is None:
        return _list("option", night.texts("option.title"), night)
    return _list("option", _rule(night, value), night, night.texts("foot.change"))


def _rule(night: Night, option: Option) -> str:
    """What an option is about, short enough for the title above a list."""
    return night.texts.get(f"option.{option.name}", first_line(option.text))


def _setup(night: Night) -> Screen:
    texts = night.texts
    title = texts("setup.title", game=night.games[night.plan.game].name)
    begins = named(night.plan.names[night.plan.first], texts("setup.begins"))
    notice = _notice(night)
    if night.table is None:
        if "camera" in night.missing:
            lines = (begins, *notice) if notice else (texts("setup.blind_long"), begins)
            return Screen("setup", title, texts("setup.blind"), lines, texts("foot.start"))
        doing = (*_advice(night), texts("setup.looking"))[0]
        return Screen("setup", title, texts("setup.look"), (doing, begins), texts("foot.anyway"))
    if not night.differences:
        return Screen("setup", title, texts("setup.ready"), (begins, *notice), texts("foot.start"))
    wrong = night.differences[night.page]
    right = f"{night.page + 1}/{len(night.differences)}" if len(night.differences) > 1 else ""
    if SMALL.width(title, 1) + SMALL.width(right, 1) + 4 > WIDE:
        title = texts("setup.looking")
    return Screen(
        "setup", title, lines=_differs(wrong, night.plan.names), right=right, footer=texts("foot.anyway")
    )


def _notice(night: Night) -> tuple[str, ...]:
    """What the numbers of the game rest on where its owner's cards do not say it: told once, when all is ready."""
    catalogue = planned(night).catalogue
    if catalogue.house:
        return (night.texts("numbers.house"),)
    doubtful = len(catalogue.unverified)
    return (night.texts("numbers.unverified", count=doubtful),) if doubtful else ()


def _advice(night: Night) -> tuple[str, ...]:
    """The most pressing thing that is missing or in the way, in small lines, or nothing."""
    for _, advice in night.parts:
        return small(advice)
    if night.blind is not None:
        fault, since = night.blind
        if night.now - since >= PATIENCE.get(fault, 1.0):
            return small(night.texts.get(f"blind.{fault}", night.texts("blind.other")))
    if night.hidden is not None and night.now - night.hidden[1] >= PATIENCE["hand"]:
        return night.texts("blind.hidden"), first_line(night.zone_called(night.hidden[0]))
    return small(night.texts("turn.damaged")) if night.trouble else ()


def _turn(night: Night) -> Screen:
    match = _match(night)
    texts = night.texts
    name = match.names[match.to_move]
    first = night.finding.waiting
    if not first and night.finding.kind == "lost":
        first = texts("turn.lost")
    advice = _advice(night)
    # What takes two lines to say is in the way of all else.
    first = "" if len(advice) > 1 else first
    lines = (*small(first)[:1], *advice, *_hint(night, match))[:2]
    right = score_line(match)
    title = named(name, "", WIDE - SMALL.width(right, 1) - 4)
    unsaid = unchanged(night)
    footer = texts("foot.turn") if unsaid is None else texts("foot.idle", what=unsaid.waiting)
    footer = footer if night.idling is None else texts("foot.looking")
    return Screen("turn", title, match.due(), lines, footer, right)


def _hint(night: Night, match: Match) -> tuple[str, ...]:
    """What the table shows beside the record's own business, in one small line or none: a scorekeeper that stands elsewhere."""
    hint = getattr(match.game.reading, "hint", None)
    return () if hint is None or night.table is None else small(hint(match.state, night.table))[:1]


def _proposal(night: Night) -> Screen:
    match = _match(night)
    texts = night.texts
    many = 1 if night.picked is not None else len(night.chain)
    page = min(night.page, many - 1)
    move = night.picked.move if night.picked is not None else night.chain[page].move
    verb, what = match.game.rules.phrase(move, match.names)
    right = f"{page + 1}/{many}" if many > 1 else ""
    room = WIDE - (SMALL.width(right, 1) + 4 if right else 0)
    title = named(match.names[move.player], verb if what else "", room)
    if page:
        # Only the oldest can be confirmed: CONFIRM and REJECT go back to it, so the display says so.
        return Screen("proposal", title, what or verb, (), texts("foot.oldest", many=many), right)
    number = alike(match, move)
    told = small(remark(match, (night.picked or night.chain[0]).steps))
    told = (texts("proposal.again", number=number),) if number > 1 else told
    more: tuple[str, ...] = ()
    if many > 1 and MAIN.width(what, 1) <= WIDE:
        more = (texts("turn.full" if night.finding.full else "proposal.more"),)
    # Which cards are meant is said whole or not at all, and before anything else.
    lines = (*told, *more)[:2] if len(told) <= 2 else more
    return Screen("proposal", title, what or verb, lines, texts("foot.yesno"), right)


def _illegal(night: Night) -> Screen:
    texts = night.texts
    refusal, move = night.finding.refusal, night.finding.move
    if refusal is None or move is None:
        raise ValueError("nothing was refused")
    match = _match(night)
    title = texts("illegal.title", rule=refusal.rule)
    reasons = _reasons(night, match, refusal)
    page = min(night.page, len(reasons))
    right = f"{page + 1}/{len(reasons) + 1}"
    if page:
        return Screen("illegal", title, lines=reasons[page - 1], footer=texts("foot.next"), right=right)
    lines = (*small(refusal.text), *small(refusal.remedy))[:4]
    what = match.game.rules.phrase(move, match.names)[1]
    # What a small screen has room for: the piece in big letters, if the words leave a place for it.
    main = what if len(lines) <= 2 and MAIN.width(what, 1) <= WIDE else ""
    return Screen("illegal", title, main, lines, texts("foot.why"), right)


def _reasons(night: Night, match: Match, refusal: Refusal) -> tuple[tuple[str, ...], ...]:
    """The refusal in full, four small lines a page. An option is called what the list of rules calls it."""
    told = refusal.long
    for option in match.game.options:
        for value in option.values:
            name = f"{_rule(night, option)}: {value}"
            told = told.replace(f"{option.name}={value}", name).replace(f"option {name}", f'option "{name}"')
    lines = small(told)
    return tuple(lines[at : at + 4] for at in range(0, len(lines), 4))


def _ask(night: Night) -> Screen:
    texts = night.texts
    first = chain.first(_match(night).game, night.listing.value)
    name = _match(night).names[first[-1].player] if first else ""
    many = len(night.listing.labels)
    room = WIDE - (SMALL.width(f"{many}/{many}", 1) + 4 if many > 3 else 0)
    title = named(name, texts("ask.who"), room) if name else texts("ask.title")
    return _list("ask", title, night, texts("foot.ask"))


def _desync(night: Night) -> Screen:
    texts = night.texts
    wrong = night.differences[night.page]
    many = len(night.differences)
    right = f"{night.page + 1}/{many}" if many > 1 else ""
    lines = _differs(wrong, _match(night).names)
    return Screen("desync", texts("desync.title"), lines=lines, footer=texts("foot.asis"), right=right)


def _differs(wrong: Difference, names: tuple[str, ...]) -> tuple[str, ...]:
    """What is not as it should be, and what to do: two small lines each."""
    return (*small(by_name(wrong.text, names))[:2], *small(by_name(wrong.remedy, names))[:2])


def _menu(night: Night) -> Screen:
    path = night.path
    # Of a long path the last words: beside them "12/12" has its place.
    while len(path) > 1 and SMALL.width(" ".join(path), 1) > WIDE - 34:
        path = path[1:]
    return _list("menu", " ".join(path) or night.texts("menu.title"), night)


def _takeback(night: Night) -> Screen:
    match = _match(night)
    number = night.listing.value
    done = match.moves
    title = night.texts("takeback.none") if not number else ""
    if number:
        move = done[-number]
        title = named(match.names[move.player], match.game.rules.phrase(move, match.names)[0])
    footer = night.texts("foot.takeback", number=number) if number else night.texts("foot.choose")
    return _list("takeback", title, night, footer)


def _correct(night: Night) -> Screen:
    value = night.listing.value
    title = night.texts(f"correct.{value}_title") if isinstance(value, str) else _rule(night, value)
    return _list("correct", title, night)


def _corrected(night: Night) -> Screen:
    texts = night.texts
    if night.change is None:
        return Screen("correct", texts("correct.fits"), footer=texts("foot.yesno"))
    plan, _, fault = night.change
    if fault is None:
        return Screen(
            "correct",
            texts("correct.fits"),
            texts("correct.ask"),
            (_corrects(night, plan),),
            texts("foot.yesno"),
        )
    why = small(fault.refusal.text if fault.refusal is not None else fault.text)[:2]
    game = _match(night).game
    lines = (*why, texts("correct.keep"))
    if isinstance(fault.step, Move):
        move = fault.step
        lines = (named(plan.names[move.player], " ".join(game.rules.phrase(move, plan.names))), *lines)
    title = texts("correct.fault", number=fault.number)
    return Screen("correct", title, lines=lines, footer=texts("foot.yesno"))


def _corrects(night: Night, plan: Plan) -> str:
    """What a correction changes, in one small line."""
    match, texts = _match(night), night.texts
    if plan.names != match.names:
        return named(plan.names[0], texts("correct.left"))
    if plan.first != match.first:
        return named(plan.names[plan.first], texts("correct.began"))
    chosen = dict(plan.options)
    return next(
        (
            f"{_rule(night, option)}: {chosen[option.name]}"
            for option in match.game.options
            if chosen.get(option.name) != match.options.get(option.name)
        ),
        "",
    )


def _score_pages(match: Match) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """(seat, two small lines) per page; every seat has a page even without points. One line less where it says "house numbers"."""
    room = 1 if match.house else 2
    done: list[tuple[int, tuple[str, ...]]] = []
    for seat, items in enumerate(match.score().items):
        told = [f"{item.text} {item.points:+d}" for item in items] or [""]
        done += [(seat, tuple(told[at : at + room])) for at in range(0, len(told), room)]
    return tuple(done)


def _score(night: Night) -> Screen:
    match = _match(night)
    all_pages = _score_pages(match)
    page = min(night.page, len(all_pages) - 1)
    seat, lines = all_pages[page]
    right = f"{page + 1}/{len(all_pages)}"
    title = named(match.names[seat], "", WIDE - SMALL.width(right, 1) - 4)
    lines = tuple(line for line in lines if line) or (night.texts("score.none"),)
    lines = (*lines, night.texts("numbers.house")) if match.house else lines
    main = night.texts("score.main", total=match.score().totals[seat])
    return Screen("score", title, main, lines, night.texts("foot.scroll"), right)


def _hint_pages(match: Match) -> tuple[tuple[str, ...], ...]:
    """The hints for the player to move, four small lines a page."""
    told = tuple(hint.text for hint in match.game.rules.hints(match.state))
    return tuple(told[at : at + 4] for at in range(0, len(told), 4))


def _hints(night: Night) -> Screen:
    match, texts = _match(night), night.texts
    all_pages = _hint_pages(match)
    title = texts.get(f"hints.{match.game.id}", texts("hints.title"))
    if not all_pages:
        return Screen("hints", title, lines=(texts("hints.none"),), footer=texts("foot.goon"))
    page = min(night.page, len(all_pages) - 1)
    right = f"{page + 1}/{len(all_pages)}" if len(all_pages) > 1 else ""
    footer = texts("foot.scroll") if len(all_pages) > 1 else texts("foot.goon")
    return Screen("hints", title, lines=all_pages[page], right=right, footer=footer)


def _end(night: Night) -> Screen:
    match = _match(night)
    outcome = match.outcome()
    texts = night.texts
    if outcome is None:
        return _turn(night)
    winners = [match.names[seat] for seat in outcome.winners]
    title = named(winners[0], texts("end.wins")) if len(winners) == 1 else texts("end.shared")
    lines = small(outcome.decided_by)[:2]
    lines = (*lines[:1], texts("numbers.house")) if match.house else lines
    return Screen("end", title, score_line(match), lines, texts("foot.end"))


def _export(night: Night) -> Screen:
    texts, done = night.texts, night.exported
    if done is None:
        return Screen("export", texts("export.title"), texts("export.doing"))
    if done.fault:
        return Screen(
            "export", texts("export.not"), lines=tuple(done.fault.splitlines()), footer=texts("foot.goon")
        )
    lines = (texts("export.where"), *_broken(done.file))
    return Screen("export", texts("export.done"), lines=lines[:4], footer=texts("foot.goon"))


def _broken(name: str) -> tuple[str, ...]:
    """A file's name on as many small lines as it needs, broken behind its hyphens."""
    lines = [""]
    for part in re.findall(r"[^-]*-|[^-]+$", name):
        if lines[-1] and SMALL.width(lines[-1] + part, 1) > WIDE:
            lines.append("")
        lines[-1] += part
    return tuple(lines)


def _pause(night: Night) -> Screen:
    return _list("pause", night.texts("pause.title"), night)


def _notice_told(night: Night) -> Screen:
    texts = night.texts
    told = night.notices[0].splitlines() if night.notices else []
    lines = [line for part in told for line in small(" ".join(map(_cut, part.split())))]
    return Screen("notice", texts("notice.title"), lines=tuple(lines[:4]), footer=texts("foot.goon"))


def _cut(word: str) -> str:
    """A word of a file or a fault that is too long for a line loses its end."""
    while len(word) > 1 and SMALL.width(word, 1) > WIDE:
        word = word[:-1]
    return word


def _carry(night: Night) -> Screen:
    return Screen("carry", night.texts("stick.title"), night.texts("export.doing"))


def _plain(name: str, key: str) -> Callable[[Night], Screen]:
    def show(night: Night) -> Screen:
        texts = night.texts
        return Screen(name, texts(f"{key}.title"), texts(f"{key}.main"), footer=texts("foot.yesno"))

    return show


def _help(night: Night) -> Screen:
    texts = night.texts
    button = tuple(Button)[min(night.page, len(Button) - 1)]
    lines = tuple(
        texts("help.long" if key.long else "help.short", what=texts(what))
        for key, what in KEYS.items()
        if key.button is button
    )
    right = f"{night.page + 1}/{len(Button)}"
    return Screen(
        "help", texts("help.title"), texts(f"button.{button.value}"), lines, texts("foot.scroll"), right
    )


def _fault(night: Night) -> Screen:
    texts = night.texts
    return Screen(
        "fault", texts("fault.title"), texts("fault.main"), (texts("fault.text"),), texts("foot.goon")
    )


def _match(night: Night) -> Match:
    if night.match is None:
        raise ValueError(f"{night.place} needs a game that has begun")
    return night.match


_SCREENS: Mapping[str, Callable[[Night], Screen]] = {
    "game": _game,
    "players": _asked("players"),
    "names": _names,
    "first": _asked("first"),
    "option": _option,
    "setup": _setup,
    "turn": _turn,
    "proposal": _proposal,
    "illegal": _illegal,
    "ask": _ask,
    "desync": _desync,
    "menu": _menu,
    "takeback": _takeback,
    "correct": _correct,
    "corrected": _corrected,
    "score": _score,
    "end": _end,
    "hints": _hints,
    "export": _export,
    "pause": _pause,
    "stick": _asked("stick"),
    "carry": _carry,
    "notice": _notice_told,
    "poweroff": _plain("poweroff", "poweroff"),
    "newgame": _plain("pause", "newgame"),
    "help": _help,
    "fault": _fault,
}
