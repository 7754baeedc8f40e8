"""What an event card of Papyrus does, as a picture about (0, 0) for a field of 46 x 40 mm; any effect of the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.papyrus.events import Effect
from hardware.print.glyphs import scarab
from hardware.print.hieroglyphs import sign
from hardware.print.lettering import figures
from hardware.print.ornaments import LINEN, PAPER, disc, outlined, ring, rounded, shade, star
from hardware.print.shapes import Area, Colour, Shape, Stroke, curve, ellipse, mirrored, moved, rectangle

GOLD: Colour = (244, 196, 62)
MOST = 4
"""So many things are shown at most; the figure beside them says how many there are."""


def picture(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The effect drawn with an ink on a ground."""
    return _PICTURES[effect.verb](effect, ink, ground)


def _thing(what: str, ink: Colour) -> tuple[Shape, ...]:
    """A movement card, hieroglyph, god card or scarab, 14 x 20 mm."""
    if what == "scarab":
        return moved(scarab(ink, PAPER), 0, 0, 0.95)
    if what == "hieroglyph":
        return (
            *outlined(rectangle(-7, -8.6, 14, 17.2), LINEN, ink, 1.0),
            Area(rectangle(-7, 3.6, 14, 5), ink),
            *moved(sign("M", ink, LINEN), 0, -2.6, 0.52),
        )
    fill: Colour = PAPER if what == "card" else GOLD
    body = outlined(rounded(-7, -10, 14, 20, 1.6), fill, ink, 1.1)
    if what == "card":
        return (*body, Area(((0, -6.4), (4.4, 0), (0, 6.4), (-4.4, 0)), ink))
    return (
        *body,
        ring(0, -3.4, 2.4, 1.5, ink),
        Stroke(((0, -1), (0, 6.6)), 1.7, ink),
        Stroke(((-4, 1), (4, 1)), 1.7, ink),
    )


def _fan(what: str, n: int, ink: Colour, x: float, y: float, scale: float = 1.0) -> tuple[Shape, ...]:
    """Some of the things side by side, over one another."""
    count = min(max(n, 1), MOST)
    step = 8.4 if count > 1 else 0.0
    shapes: list[Shape] = []
    for index in range(count):
        at = (index - (count - 1) / 2) * step
        shapes += moved(_thing(what, ink), x + at * scale, y + (index - (count - 1) / 2) * 2.2 * scale, scale)
    return tuple(shapes)


def _badge(text: str, x: float, y: float, ink: Colour, fill: Colour) -> tuple[Shape, ...]:
    return disc(x, y, 9.4, ink), disc(x, y, 8.3, fill), *figures(text, x, y, 8.6, ink, room=13.6)


def _arrow(x: float, y: float, ink: Colour, up: bool) -> tuple[Shape, ...]:
    way = -1 if up else 1
    return (
        Stroke(((x, y - 7 * way), (x, y + 3 * way)), 3.0, ink),
        Area(((x - 6, y + 1 * way), (x + 6, y + 1 * way), (x, y + 9 * way)), ink),
    )


def _draw(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    return (
        *_fan(effect.what, effect.n, ink, -8.0, 2.0, 1.2),
        *_badge(f"+{effect.n}", 16.6, -10.4, ink, PAPER),
        *_arrow(16.6, 10.0, ink, up=True),
    )


def _gain(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """As drawing, but chosen: a hand below it."""
    return (
        *_fan(effect.what, effect.n, ink, -5.0, -5.0, 1.1),
        *moved(sign("D", ink, ground), -4.0, 14.4, 1.5),
        *_badge(f"+{effect.n}", 17.0, -9.4, ink, PAPER),
    )


def _lose(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    count = min(max(effect.n, 1), MOST)
    reach = 10 + 4.8 * count
    return (
        *_fan(effect.what, effect.n, ink, -6.0, 0.0, 1.2),
        Stroke(((-6 - reach, 13), (-6 + reach, -13)), 5.0, ground),
        Stroke(((-6 - reach, 13), (-6 + reach, -13)), 2.8, (190, 34, 30)),
        *_badge(f"−{effect.n}", 17.0, 10.4, (190, 34, 30), PAPER),
    )


def _pawn(x: float, y: float, fill: Colour, ink: Colour, scale: float = 1.0) -> tuple[Shape, ...]:
    """A player's pawn, 12 x 22 mm."""
    half = ((0, -4.6), (2.6, -4.0), (3.4, 3.0), (6.2, 8.2), (6.2, 11), (0, 11))
    body = (*half, *reversed(mirrored(half, 0)))
    return moved(
        (*outlined(body, fill, ink, 1.1), *outlined(ellipse(0, -7.4, 4.2, 4.2), fill, ink, 1.1)), x, y, scale
    )


def _take(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    return (
        *_pawn(-17, 1, shade(ink, 0.55), ink, 1.15),
        *_fan(effect.what, effect.n, ink, 13.0, 0.0, 1.1),
        Stroke(((-9.4, -12), (-1, -15), (6.4, -12)), 2.0, ink),
        Area(((4.4, -16.4), (11.4, -10.4), (3, -8.6)), ink),
    )


def _swap(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    return (
        *moved(_thing(effect.what, ink), -14.4, 0, 1.15),
        *moved(_thing(effect.what, ink), 14.4, 0, 1.15),
        Stroke(((-5, -4.6), (3, -4.6)), 2.0, ink),
        Area(((2.2, -8.6), (7, -4.6), (2.2, -0.6)), ink),
        Stroke(((5, 5.0), (-3, 5.0)), 2.0, ink),
        Area(((-2.2, 1.0), (-7, 5.0), (-2.2, 9.0)), ink),
        *(() if effect.n == 1 else _badge(str(effect.n), 0, -14.4, ink, PAPER)),
    )


def _pyramid(x: float, y: float, scale: float, ink: Colour) -> tuple[Shape, ...]:
    return moved(
        (
            *outlined(((-14, 10), (0, -10), (14, 10)), GOLD, ink, 1.2),
            Area(((0, -10), (14, 10), (3, 10)), shade(GOLD, -0.3)),
            Stroke(((-14, 10), (0, -10), (14, 10)), 1.2, ink),
        ),
        x,
        y,
        scale,
    )


def _move(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """To one pyramid, or to any of several."""
    goal = (
        _pyramid(9.0, 4.0, 1.0, ink)
        if effect.where
        else (*_pyramid(4, -8, 0.55, ink), *_pyramid(16, -1, 0.55, ink), *_pyramid(6, 11, 0.55, ink))
    )
    return (
        *goal,
        *_pawn(-16, 4, (206, 62, 46), ink, 1.05),
        Stroke(curve(((-14, -10), (-7, -16), (0, -15.4))), 1.8, ink),
        Area(((-1, -19.4), (6, -14.4), (-1, -11.4)), ink),
    )


def _skip(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """An hourglass."""
    glass = ((-11, -16), (11, -16), (2, 0), (11, 16), (-11, 16), (-2, 0))
    return (
        *outlined(glass, PAPER, ink, 1.3),
        Area(((-6.4, -9), (6.4, -9), (0, 0)), GOLD),
        Area(((-9, 15), (9, 15), (0, 6)), GOLD),
        Stroke(((-13, -17), (13, -17)), 2.6, ink),
        Stroke(((-13, 17), (13, 17)), 2.6, ink),
        *(() if effect.n == 1 else _badge(str(effect.n), 17, 0, ink, PAPER)),
    )


def _points(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    bad = effect.n < 0
    text = f"−{-effect.n}" if bad else f"+{effect.n}"
    rays = 3 + 2 * min(abs(effect.n), 8) if bad else 4 + 4 * min(abs(effect.n), 4)
    fill: Colour = (186, 178, 170) if bad else GOLD
    return (
        star(0, 0, 21.0, ink, rays),
        star(0, 0, 19.2, fill, rays),
        disc(0, 0, 11.6, PAPER),
        ring(0, 0, 11.6, 1.0, ink),
        *figures(text, 0, 0, 11.0, ink, room=19.0),
    )


def _agreed(effect: Effect, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """Two who talk."""
    bubble = ellipse(-6, -6, 13, 9)
    other = ellipse(8, 7, 12, 8.4)
    return (
        *outlined(other, GOLD, ink, 1.1),
        *outlined(((12, 14), (17, 20), (17, 12.4)), GOLD, ink, 1.1),
        *outlined(bubble, PAPER, ink, 1.1),
        *outlined(((-13, 0.6), (-18, 8), (-8, 2.4)), PAPER, ink, 1.1),
        *(disc(x, -6, 1.5, ink) for x in (-11, -6, -1)),
        *(disc(x, 7.6, 1.5, ink) for x in (7, 12, 17)),
    )


_PICTURES: Mapping[str, Callable[[Effect, Colour, Colour], tuple[Shape, ...]]] = {
    "draw": _draw,
    "gain": _gain,
    "lose": _lose,
    "take": _take,
    "swap": _swap,
    "move": _move,
    "skip": _skip,
    "points": _points,
    "agreed": _agreed,
}
