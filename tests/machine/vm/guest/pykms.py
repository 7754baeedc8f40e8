"""Stands where python3-kms++ stands on a Raspberry Pi: picamera2 asks it for names of formats when it is imported, and for the rest only to
draw a preview on a screen, which a box has not."""


class _Names:
    def __getattr__(self, name: str) -> str:
        return name


PixelFormat = _Names()
