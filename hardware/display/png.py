"""Shown screens as PNG files: for documents, for looking at them and for a device that has no display yet."""

from __future__ import annotations

from pathlib import Path

from hardware.display.draw import draw
from hardware.display.screen import Screen


class PngDisplay:
    """Writes every screen that differs from the one before to ``folder`` as "0001-turn.png", ``scale`` times as large."""

    def __init__(self, folder: Path, scale: int = 4) -> None:
        self._folder = folder
        self._scale = scale
        self._shown: Screen | None = None
        self._count = 0
        self._fault: str | None = None

    @property
    def fault(self) -> str | None:
        return self._fault

    def show(self, screen: Screen) -> None:
        if screen == self._shown and self._fault is None:
            return
        name = "".join(sign if sign.isalnum() or sign in "-_" else "-" for sign in screen.name) or "screen"
        path = self._folder / f"{self._count + 1:04d}-{name}.png"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_png(screen, path, self._scale)
        except OSError as error:
            self._fault = (
                f"cannot write {path}: {error.strerror or error}; free some space or choose another folder"
            )
            return
        self._count += 1
        self._shown = screen
        self._fault = None

    def tick(self, now: float) -> None:
        pass

    def wake(self) -> bool:
        return False

    def close(self) -> None:
        pass


def write_png(screen: Screen, path: Path, scale: int = 4) -> None:
    """Write one screen to ``path``, every pixel ``scale`` x ``scale`` px large. Raises OSError."""
    from PIL import Image

    image = draw(screen)
    size = (image.width * scale, image.height * scale)
    image.convert("L").resize(size, Image.Resampling.NEAREST).save(path, format="PNG", optimize=True)
