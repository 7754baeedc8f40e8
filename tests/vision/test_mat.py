"""The mat's markers: enough of them, well inside the edge, clear of the zones."""

from engines.tanis.reading import layout
from vision.mat import QUIET, markers

TANIS = layout(2, {})


def test_markers_are_inside_the_edge_and_clear_of_the_zones() -> None:
    found = markers(TANIS)
    assert len(found) >= 6
    assert len({marker.id for marker in found}) == len(found)
    for marker in found:
        xs = [x for x, _ in marker.corners]
        ys = [y for _, y in marker.corners]
        assert min(xs) >= 12 and max(xs) <= TANIS.width - 12
        assert min(ys) >= 12 and max(ys) <= TANIS.height - 12
        for zone in TANIS.zones:
            apart_x = max(xs) + QUIET <= zone.x or zone.x + zone.width + QUIET <= min(xs)
            apart_y = max(ys) + QUIET <= zone.y or zone.y + zone.height + QUIET <= min(ys)
            assert apart_x or apart_y, (marker, zone.name)
