"""The simulated camera: the camera port above a simulated table. Only its pictures reach the product."""

from __future__ import annotations

from hardware.camera.frame import Frame
from hardware.clock import Clock
from hardware.simulated.conditions import Conditions
from hardware.simulated.optics import Optics
from hardware.simulated.paint import Art
from hardware.simulated.render import Renderer
from hardware.simulated.table import SimulatedTable

PREVIEW = (384, 216)


class SimulatedCamera:
    """Implements the Camera port. ``conditions`` may be set anew at any time (a knock, a lamp)."""

    def __init__(
        self,
        table: SimulatedTable,
        clock: Clock,
        size: tuple[int, int] = (1536, 864),
        seed: int = 0,
        conditions: Conditions | None = None,
    ) -> None:
        self.conditions = conditions if conditions is not None else Conditions.draw(seed)
        self._clock = clock
        self._size = size
        near = Optics.above(table.layout, size, seed, self.conditions)
        art = Art(table.layout, near.scale() * 1.2)
        self._large = Renderer(table, art, size, seed)
        self._small = Renderer(table, art, PREVIEW, seed)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def preview(self) -> Frame:
        """The newest small frame, 384 x 216. A camera's small stream comes straight from its scaler, without JPEG."""
        return Frame(self._small.picture(self.conditions, packed=False), self._clock.monotonic())

    def capture(self, not_before: float) -> Frame:
        """A large frame exposed at or after ``not_before`` (monotonic s)."""
        wait = not_before - self._clock.monotonic()
        if wait > 0:
            self._clock.sleep(wait)
        return Frame(self._large.picture(self.conditions), self._clock.monotonic())

    def close(self) -> None:
        """Nothing to give back."""
