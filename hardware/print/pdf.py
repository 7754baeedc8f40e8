"""A drawing as a PDF page at true scale."""

from __future__ import annotations

from pathlib import Path

from hardware.print.shapes import Area, Drawing, Words


def write_pdf(drawing: Drawing, path: Path, title: str) -> None:
    """One page, exactly as large as the drawing. Raises OSError if ``path`` cannot be written, ImportError with the remedy
    if fpdf2 is not installed."""
    try:
        from fpdf import FPDF
        from fpdf.enums import StrokeCapStyle, StrokeJoinStyle
    except ImportError as error:
        raise ImportError('fpdf2 is missing: pip install "thoth-tabletop[print]"') from error

    page = FPDF(unit="mm", format=(drawing.width, drawing.height))
    page.set_title(title)
    page.set_auto_page_break(False)
    page.set_margin(0)
    page.add_page()
    page.set_fill_color(*drawing.ground)
    page.rect(0, 0, drawing.width, drawing.height, style="F")
    for shape in drawing.shapes:
        if isinstance(shape, Words):
            # Capitals of Helvetica are 0.718 of its size high; 1 pt = 25.4 / 72 mm.
            page.set_font("helvetica", size=shape.size / 0.718 * 72 / 25.4)
            page.set_text_color(*shape.colour)
            width = page.get_string_width(shape.text)
            page.text(shape.x - (width / 2 if shape.centred else 0), shape.y, shape.text)
        elif isinstance(shape, Area):
            page.set_fill_color(*shape.colour)
            page.polygon(shape.points, style="F")
        else:
            page.set_draw_color(*shape.colour)
            page.set_line_width(shape.width)
            with page.local_context(
                stroke_cap_style=StrokeCapStyle.ROUND, stroke_join_style=StrokeJoinStyle.ROUND
            ):
                points = shape.points + shape.points[:1] if shape.closed else shape.points
                page.polyline(points)
    path.write_bytes(bytes(page.output()))
