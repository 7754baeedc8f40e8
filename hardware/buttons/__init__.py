"""The four buttons: on GPIO pins, on the keyboard, or both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.buttons.press import Button, Buttons, ButtonsError, Press
from hardware.clock import Clock

KINDS = ("gpio", "keyboard", "both", "none")


@dataclass(frozen=True, slots=True)
class ButtonSettings:
    """``pins``: BCM numbers. ``factory``: gpiozero's pin factory ("auto", "lgpio", "mock" ...). ``long``, ``steady``: s."""

    kind: str = "gpio"
    pins: Mapping[Button, int] = field(
        default_factory=lambda: {Button.CONFIRM: 17, Button.REJECT: 27, Button.UP: 22, Button.DOWN: 23}
    )
    factory: str = "auto"
    long: float = 0.8
    steady: float = 0.02


class SeveralButtons:
    """Several sets of buttons as one (GPIO and keyboard)."""

    def __init__(self, *parts: Buttons) -> None:
        self._parts = parts

    def poll(self, now: float) -> tuple[Press, ...]:
        presses = [press for part in self._parts for press in part.poll(now)]
        return tuple(sorted(presses, key=lambda press: press.at))

    def close(self) -> None:
        for part in self._parts:
            part.close()


def open_buttons(settings: ButtonSettings, clock: Clock | None = None) -> Buttons:
    """The buttons that ``settings.kind`` names (a key of KINDS). Raises ButtonsError, with the remedy."""
    if settings.kind not in KINDS:
        raise ButtonsError(
            f"no buttons of kind {settings.kind!r}; there are: {', '.join(KINDS)}",
            "buttons: check the\nsettings",
        )
    parts: list[Buttons] = []
    if settings.kind in ("gpio", "both"):
        from hardware.buttons.gpio import GpioButtons, pin_factory

        factory = pin_factory(settings.factory)
        parts.append(GpioButtons(settings.pins, factory, clock, settings.steady, settings.long))
    if settings.kind in ("keyboard", "both"):
        from hardware.buttons.keyboard import KeyboardButtons

        parts.append(KeyboardButtons())
    return parts[0] if len(parts) == 1 else SeveralButtons(*parts)
