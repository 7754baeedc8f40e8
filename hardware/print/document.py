"""Pages of drawings as a PDF at true scale, written by ourselves: a drawing that lies on a page a hundred times is stored once.

Everything is vectors (PDF 1.4, ISO 32000-1, form XObjects); the file asks the printer not to scale it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardware.print.shapes import Area, Colour, Drawing, Shape, Words, rectangle

POINTS = 72 / 25.4
"""Points per mm."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A drawing on a page: (x, y) mm is the top left corner of the room it takes; ``turned``: by a quarter, clockwise.

    ``window``: only what lies in it is shown (left, top, width, height in mm on the page).
    """

    drawing: Drawing
    x: float
    y: float
    turned: bool = False
    window: tuple[float, float, float, float] | None = None

    @property
    def room(self) -> tuple[float, float]:
        """Width and height on the page in mm."""
        wide, high = self.drawing.width, self.drawing.height
        return (high, wide) if self.turned else (wide, high)


@dataclass(frozen=True, slots=True)
class Page:
    """A white page in mm: placed drawings, and shapes over them."""

    width: float
    height: float
    placed: tuple[Placed, ...] = ()
    shapes: tuple[Shape, ...] = ()


@dataclass(slots=True)
class _File:
    """The objects of a PDF, numbered from 1."""

    objects: list[bytes] = field(default_factory=list)

    def add(self, body: bytes) -> int:
        self.objects.append(body)
        return len(self.objects)

    def stream(self, entries: str, content: bytes) -> int:
        packed = zlib.compress(content, 9)
        head = f"<< {entries} /Filter /FlateDecode /Length {len(packed)} >>\nstream\n"
        return self.add(head.encode() + packed + b"\nendstream")

    def written(self, root: int, info: int) -> bytes:
        out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        places = []
        for number, body in enumerate(self.objects, start=1):
            places.append(len(out))
            out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
        start = len(out)
        out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        trailer = f"<< /Size {len(places) + 1} /Root {root} 0 R /Info {info} 0 R >>"
        return bytes(out) + f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode()


def document(pages: Sequence[Page], title: str) -> bytes:
    """The pages as a PDF. The same pages give the same bytes. Raises ValueError for centred words of a font."""
    file = _File()
    font = file.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
    forms: dict[
        int, int
    ] = {}  # by the drawing's place in memory: comparing drawings would take longer than drawing them
    tree = len(file.objects) + 1 + sum(1 for _ in _distinct(pages)) + 2 * len(pages)
    for drawing in _distinct(pages):
        entries = (
            f"/Type /XObject /Subtype /Form /BBox [0 0 {_n(drawing.width)} {_n(drawing.height)}] "
            f"/Resources << /Font << /F {font} 0 R >> >>"
        )
        ground = Area(rectangle(0, 0, drawing.width, drawing.height), drawing.ground)
        forms[id(drawing)] = file.stream(entries, _operators((ground, *drawing.shapes)))
    kids = []
    for page in pages:
        used = {forms[id(one.drawing)] for one in page.placed}
        content = file.stream("", _content(page, forms))
        faces = " ".join(f"/D{number} {number} 0 R" for number in sorted(used))
        kids.append(
            file.add(
                (
                    f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {_n(page.width * POINTS)} {_n(page.height * POINTS)}] "
                    f"/Contents {content} 0 R /Resources << /Font << /F {font} 0 R >> /XObject << {faces} >> >> >>"
                ).encode()
            )
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    file.add(f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode())
    root = file.add(
        f"<< /Type /Catalog /Pages {tree} 0 R /ViewerPreferences << /PrintScaling /None /Duplex /DuplexFlipLongEdge >> >>".encode()
    )
    info = file.add(b"<< /Title (" + _text(title) + b") /Producer (Thoth) >>")
    return file.written(root, info)


def write_document(pages: Sequence[Page], path: Path, title: str) -> None:
    """Write the PDF. Raises OSError if ``path`` cannot be written."""
    path.write_bytes(document(pages, title))


def _distinct(pages: Iterable[Page]) -> Iterable[Drawing]:
    return {id(one.drawing): one.drawing for page in pages for one in page.placed}.values()


def _content(page: Page, forms: dict[int, int]) -> bytes:
    parts = [f"{_n(POINTS)} 0 0 {_n(-POINTS)} 0 {_n(page.height * POINTS)} cm".encode()]
    for one in page.placed:
        matrix = (
            f"0 1 -1 0 {_n(one.x + one.room[0])} {_n(one.y)}"
            if one.turned
            else f"1 0 0 1 {_n(one.x)} {_n(one.y)}"
        )
        clip = f"{' '.join(map(_n, one.window))} re W n " if one.window else ""
        parts.append(f"q {clip}{matrix} cm /D{forms[id(one.drawing)]} Do Q".encode())
    parts.append(_operators(page.shapes))
    return b"\n".join(parts)


def _operators(shapes: Iterable[Shape]) -> bytes:
    """The shapes as operators, in mm with y down."""
    parts: list[bytes] = [b"1 J 1 j"]
    fill: Colour | None = None
    pen: tuple[Colour, float] | None = None
    for shape in shapes:
        if isinstance(shape, Words):
            if shape.centred:
                raise ValueError("words of a font stand at the left on a page: use hardware.print.lettering")
            # The text's own y runs up; capitals of Helvetica are 0.718 of its size high.
            size = shape.size / 0.718
            parts.append(
                f"q {_rgb(shape.colour)} rg BT /F {_n(size)} Tf 1 0 0 -1 {_n(shape.x)} {_n(shape.y)} Tm (".encode()
                + _text(shape.text)
                + b") Tj ET Q"
            )
            continue
        path = " ".join(
            f"{_n(x)} {_n(y)} {'l' if index else 'm'}" for index, (x, y) in enumerate(shape.points)
        )
        if isinstance(shape, Area):
            if shape.colour != fill:
                parts.append(f"{_rgb(shape.colour)} rg".encode())
                fill = shape.colour
            parts.append(f"{path} f".encode())
            continue
        if pen != (shape.colour, shape.width):
            parts.append(f"{_rgb(shape.colour)} RG {_n(shape.width)} w".encode())
            pen = shape.colour, shape.width
        parts.append(f"{path} {'s' if shape.closed else 'S'}".encode())
    return b"\n".join(parts)


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if value else "0"


def _rgb(colour: Colour) -> str:
    return " ".join(_n(part / 255) for part in colour)


def _text(text: str) -> bytes:
    raw = text.encode("cp1252", "replace")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
