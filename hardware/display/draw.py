"""A screen as a picture of 128 x 64 pixels, one bit each, and which of its texts do not fit.

``layout`` is pure: it says where every text goes and in which letters; ``fits`` and ``draw`` both read it, so what is
reported and what is drawn cannot differ. One pixel is left free at the left, the right and the bottom edge, so that the
whole picture can be shifted against burn-in without losing any of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hardware.display.letters import MAIN, SMALL, Glyph, Letters
from hardware.display.screen import Bitmap, Screen

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT = 128, 64
_LEFT, _RIGHT = 1, 127  # px columns used: _LEFT <= x < _RIGHT
_ROOM = _RIGHT - _LEFT
_TITLE, _TITLE_RULE, _BODY, _BODY_END, _FOOTER_RULE, _FOOTER = 0, 9, 11, 52, 52, 54
_LINE = 10  # px from one small line to the next
_MAIN_LINE = 21  # px from one main line to the next
_GAPS = (2, 1)  # px between main letters: usual, condensed
_BAR = (20, 43)  # rows of the bar behind the chosen entry of a list


@dataclass(frozen=True, slots=True)
class Text:
    """A text in its place. ``what`` names its part of the Screen ("lines[1]"); ``fault`` says why it does not fit."""

    what: str
    text: str
    letters: Letters
    x: int
    y: int
    gap: int = 1
    dark: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A picture in its place: its top left pixel."""

    picture: Bitmap
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes. ``rules``: rows of the dotted lines; ``bar``: rows of the lit bar or None; ``unseen``:
    parts of the screen for which there is no room at all."""

    texts: tuple[Text, ...]
    rules: tuple[int, ...]
    bar: tuple[int, int] | None = None
    unseen: tuple[str, ...] = ()
    pictures: tuple[Placed, ...] = ()


def layout(screen: Screen) -> Layout:
    """Place every text of ``screen``."""
    texts = list(_title(screen))
    bar = None
    unseen: tuple[str, ...] = ()
    pictures: tuple[Placed, ...] = ()
    if screen.pictures:
        body, pictures, unseen = _pictured(screen)
        texts += body
    elif screen.choices:
        texts += _choices(screen)
        bar = _BAR
        unseen = (*(("main",) if screen.main else ()), *(f"lines[{i}]" for i in range(len(screen.lines))))
    else:
        body, unseen = _body(screen)
        texts += body
    if screen.footer:
        texts.append(_small("footer", screen.footer, _FOOTER))
    # A list fills its space to the row; there the bar and the arrows part what the rules part elsewhere.
    rules: tuple[int, ...] = ()
    if not screen.choices:
        rules += (_TITLE_RULE,) if screen.title or screen.right else ()
        rules += (_FOOTER_RULE,) if screen.footer else ()
    return Layout(tuple(texts), rules, bar, unseen, pictures)


def fits(screen: Screen) -> tuple[str, ...]:
    """The parts of ``screen`` that cannot be shown whole: "title", "main", "lines[0]", "choices[3]" ... Empty: all fits.

    Every choice is tried as the chosen one and as a neighbour.
    """
    wrong: list[str] = []
    for chosen in range(len(screen.choices)) if screen.choices else (screen.chosen,):
        one = Screen(
            screen.name,
            screen.title,
            screen.main,
            screen.lines,
            screen.footer,
            screen.right,
            screen.choices,
            chosen,
            screen.pictures,
        )
        laid = layout(one)
        wrong += [text.what for text in laid.texts if text.fault is not None]
        wrong += laid.unseen
    return tuple(dict.fromkeys(wrong))


def draw(screen: Screen, shift: tuple[int, int] = (0, 0)) -> Image:
    """``screen`` as a 128 x 64 picture of mode "1". ``shift`` moves all of it by (-1..1, 0..1) px without loss."""
    from PIL import Image, ImageDraw

    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    dx, dy = shift
    laid = layout(screen)
    for row in laid.rules:
        pen.point([(x + dx, row + dy) for x in range(_LEFT, _RIGHT, 2)], fill=1)
    if laid.bar is not None:
        top, bottom = laid.bar
        pen.rectangle((0, top + dy, WIDTH - 1, bottom - 1 + dy), fill=1)
    for placed in laid.pictures:
        pen.point(
            [
                (placed.x + x + dx, placed.y + y + dy)
                for y, row in enumerate(placed.picture.rows)
                for x, sign in enumerate(row)
                if sign == "#"
            ],
            fill=1,
        )
    for text in laid.texts:
        x = text.x + dx
        for glyph in text.letters.line(text.text):
            image.paste(0 if text.dark else 1, (x, text.y + dy), _mask(glyph))
            x += glyph.width + text.gap
    return image


def test_picture(driver: str, where: str) -> Image:
    """A frame on the outermost pixels with the driver's name in it: a side of the frame that is missing or a torn edge
    means that the display has another chip than the settings say."""
    from PIL import Image, ImageDraw

    image = Image.new("1", (WIDTH, HEIGHT))
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, WIDTH - 1, HEIGHT - 1), outline=1)
    pen.line((0, 8, 8, 0), fill=1)
    pen.line((WIDTH - 1, 8, WIDTH - 9, 0), fill=1)
    for letters, line, y in ((MAIN, driver, 8), (SMALL, where, 32), (SMALL, "four sides whole?", 44)):
        x = (WIDTH - letters.width(line, 1)) // 2
        for glyph in letters.line(line):
            image.paste(1, (x, y), _mask(glyph))
            x += glyph.width + 1
    return image


def _title(screen: Screen) -> tuple[Text, ...]:
    right = screen.right
    if not right and len(screen.choices) > 3:
        right = f"{_chosen(screen) + 1}/{len(screen.choices)}"
    texts: list[Text] = []
    room = _ROOM
    if right:
        width = SMALL.width(right, 1)
        fault = _fault(SMALL, right, _ROOM)
        texts.append(Text("right", right, SMALL, max(_LEFT, _RIGHT - width), _TITLE, fault=fault))
        room -= width + 4
    if screen.title:
        fault = _fault(SMALL, screen.title, room)
        texts.append(Text("title", _cut(screen.title, SMALL, room, 1), SMALL, _LEFT, _TITLE, fault=fault))
    return tuple(texts)


def _choices(screen: Screen) -> tuple[Text, ...]:
    chosen = _chosen(screen)
    main = _main(f"choices[{chosen}]", screen.choices[chosen], _BAR[0] + 2, dark=True)
    texts = [main]
    for index, y, arrow in ((chosen - 1, _BAR[0] - 10, "▲"), (chosen + 1, _BAR[1] + 1, "▼")):
        if 0 <= index < len(screen.choices):
            # The arrow says which button leads there, and tells a neighbour from title and footer.
            texts.append(Text(f"choices[{index}]", arrow, SMALL, _LEFT, y))
            texts.append(_small(f"choices[{index}]", screen.choices[index], y, indent=8))
    return tuple(texts)


def _body(screen: Screen) -> tuple[tuple[Text, ...], tuple[str, ...]]:
    lines = list(screen.lines)
    room = _BODY_END - _BODY
    most = 2 if screen.main else 4
    unseen = tuple(f"lines[{index}]" for index in range(most, len(lines)))
    lines = lines[:most]
    mains = _wrapped(screen.main) if screen.main and not lines else [screen.main] if screen.main else []
    height = len(mains) * _MAIN_LINE + len(lines) * _LINE - (1 if mains or lines else 0)
    # The space under the last line's baseline is mostly empty: a lone main line looks centred by its capitals.
    y = _BODY + max(0, (room - height + (MAIN.below if mains and not lines else 0)) // 2)
    if len(mains) > 1:
        y = _BODY
    texts: list[Text] = []
    for part in mains:
        texts.append(_main("main", part, y))
        y += _MAIN_LINE
    if mains and len(lines) == 1:
        y += 2
    for index, line in enumerate(lines):
        texts.append(_small(f"lines[{index}]", line, y))
        y += _LINE
    return tuple(texts), unseen


def _pictured(screen: Screen) -> tuple[tuple[Text, ...], tuple[Placed, ...], tuple[str, ...]]:
    """One picture with lines beside it, or several in rows with lines below."""
    lines, pictures = screen.lines, screen.pictures
    unseen = (*(("main",) if screen.main else ()), *(("choices",) if screen.choices else ()))
    if len(pictures) == 1:
        left = pictures[0].width + 6
        most = 4
        y = _BODY + max(0, (_BODY_END - _BODY - len(lines[:most]) * _LINE + 1) // 2)
        texts = [
            _beside(f"lines[{index}]", line, left, y + index * _LINE)
            for index, line in enumerate(lines[:most])
        ]
        placed = [Placed(pictures[0], _LEFT, _BODY + (_BODY_END - _BODY - pictures[0].height) // 2)]
    else:
        placed, bottom = _rows(pictures)
        most = max(0, (_BODY_END - bottom) // _LINE)
        texts = [
            _small(f"lines[{index}]", line, _BODY_END - _LINE * (len(lines[:most]) - index) + 1)
            for index, line in enumerate(lines[:most])
        ]
    beyond = [
        f"pictures[{index}]"
        for index, one in enumerate(placed)
        if one.x + one.picture.width > _RIGHT or not _BODY <= one.y <= _BODY_END - one.picture.height
    ]
    return tuple(texts), tuple(placed), (*unseen, *(f"lines[{i}]" for i in range(most, len(lines))), *beyond)


def _rows(pictures: tuple[Bitmap, ...]) -> tuple[list[Placed], int]:
    """Pictures in as few rows as they need, spread over the width; and the row of pixels below the last."""
    count = 1
    while True:
        each = -(-len(pictures) // count)
        rows = [pictures[at : at + each] for at in range(0, len(pictures), each)]
        if each == 1 or all(sum(one.width + 2 for one in row) <= _ROOM for row in rows):
            break
        count += 1
    placed: list[Placed] = []
    y = _BODY
    for row in rows:
        spare = (_ROOM - sum(one.width for one in row)) / (len(row) + 1)
        x = _LEFT + spare
        for one in row:
            placed.append(Placed(one, round(x), y))
            x += one.width + spare
        y += max(one.height for one in row) + 1
    return placed, y


def _beside(what: str, text: str, x: int, y: int) -> Text:
    room = _RIGHT - x
    return Text(what, _cut(text, SMALL, room, 1), SMALL, x, y, fault=_fault(SMALL, text, room))


def _wrapped(text: str) -> list[str]:
    """``text`` on one main line if it fits, else on two parted at the space that leaves them most alike."""
    words = text.split(" ")
    if len(words) == 1 or any(MAIN.width(text, gap) <= _ROOM for gap in _GAPS):
        return [text]
    halves = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return list(min(halves, key=lambda half: max(MAIN.width(part, _GAPS[-1]) for part in half)))


def _main(what: str, text: str, y: int, dark: bool = False) -> Text:
    gap = next((gap for gap in _GAPS if MAIN.width(text, gap) <= _ROOM), _GAPS[-1])
    shown = _cut(text, MAIN, _ROOM, gap)
    x = _LEFT + (_ROOM - MAIN.width(shown, gap)) // 2
    return Text(what, shown, MAIN, x, y, gap, dark, _fault(MAIN, text, _ROOM))


def _small(what: str, text: str, y: int, indent: int = 0) -> Text:
    room = _ROOM - 2 * indent
    shown = _cut(text, SMALL, room, 1)
    x = _LEFT + indent + (room - SMALL.width(shown, 1)) // 2
    return Text(what, shown, SMALL, x, y, fault=_fault(SMALL, text, room))


def _fault(letters: Letters, text: str, room: int) -> str | None:
    missing = letters.missing(text)
    if missing:
        return f"no glyph for {missing!r}"
    width = letters.width(text, 1)
    return f"{width} px wide, room for {room}" if width > room else None


def _cut(text: str, letters: Letters, room: int, gap: int) -> str:
    """``text``, or as much of it as fits with a "…" behind that says that something is missing."""
    if letters.width(text, gap) <= room:
        return text
    while text and letters.width(text + "…", gap) > room:
        text = text[:-1].rstrip()
    return text + "…"


def _chosen(screen: Screen) -> int:
    return min(max(screen.chosen, 0), len(screen.choices) - 1)


@cache
def _mask(glyph: Glyph) -> Image:
    from PIL import Image

    mask = Image.new("1", (glyph.width, len(glyph.rows)))
    mask.putdata([sign == "#" for row in glyph.rows for sign in row])
    return mask
