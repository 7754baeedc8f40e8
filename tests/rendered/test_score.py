"""The judge of the judges: what a reading is worth, shown on readings whose faults are known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests import photos
from tests.rendered.export import export, told
from tests.rendered.report import ASKED, holds, report
from tests.rendered.run import Reader
from tests.rendered.scene import Scene
from tests.rendered.score import Fate, Share, fates, figures, mark, row
from tests.rendered.sets import SETS, Job, scene, small_form
from vision.reading.words import Found, Reading


@pytest.fixture(scope="module")
def shown() -> Scene:
    return scene("hard", 11, "tiles", 0)


def perfect(made: Scene) -> Reading:
    """What somebody reads who knows the truth and says so of all that is enrolled and tells itself apart."""
    known = [
        piece for piece in made.pieces if piece.identity is not None and piece.seen and piece.visible >= 0.1
    ]
    others = [piece.quad for piece in made.pieces if piece.identity is None]
    return Reading(
        tuple(Found(piece.identity or "", piece.quad, piece.visible, 0.99) for piece in known),
        tuple(others),
        {"total": 1.0},
    )


def line(made: Scene, reading: Reading) -> dict[str, str]:
    return row("hard", 1, made, mark(made.pieces, reading), {"total": 10.0, "outlines": 4.0}, 9.0, "abc")


def share(figure: Share | float) -> Share:
    assert isinstance(figure, Share)
    return figure


def test_a_perfect_reading_is_all_right(shown: Scene) -> None:
    made = shown
    kept = line(made, perfect(made))
    found = figures([kept])
    assert share(found["asked right"]).value == 1.0
    assert share(found["labels wrong"]).part == 0
    assert found["visible error p90"] == 0.0
    assert share(found["photos right"]).value == 1.0
    assert [fate.text() for fate in fates(kept)] == kept["pieces"].split(";")


def test_nothing_read_is_missed_and_not_wrong(shown: Scene) -> None:
    kept = line(shown, Reading((), (), {}))
    found = figures([kept])
    assert share(found["asked right"]).part == 0 and share(found["asked right"]).whole > 0
    assert share(found["labels wrong"]).part == 0
    assert share(found["photos right"]).part == 0


def test_a_wrong_name_is_wrong_and_its_piece_not_right(shown: Scene) -> None:
    good = perfect(shown)
    other = next(name for name in shown.deck.enrolled if name != good.pieces[0].identity)
    bad = replace(good, pieces=(replace(good.pieces[0], identity=other), *good.pieces[1:]))
    marks = mark(shown.pieces, bad)
    assert len(marks.wrong) == 1 and f">{other}@" in marks.wrong[0]
    assert sum(fate.outcome == "wrong" for fate in marks.fates) == 1
    assert sum(fate.outcome == "right" for fate in marks.fates) == len(good.pieces) - 1


def test_one_piece_named_twice_is_wrong_once(shown: Scene) -> None:
    good = perfect(shown)
    marks = mark(shown.pieces, replace(good, pieces=(*good.pieces, good.pieces[0])))
    assert len(marks.wrong) == 1 and marks.wrong[0].startswith("again ")
    assert sum(fate.outcome == "right" for fate in marks.fates) == len(good.pieces)


def test_a_label_beside_every_piece_stands_on_nothing(shown: Scene) -> None:
    good = perfect(shown)
    far = replace(good.pieces[0], quad=good.pieces[0].quad + np.float32(9000))
    marks = mark(shown.pieces, Reading((far,), (), {}))
    assert marks.stray == 1 and all(fate.outcome == "missed" for fate in marks.fates)


def test_the_right_name_half_a_piece_away_is_wrong(shown: Scene) -> None:
    good = perfect(shown)
    quad = good.pieces[0].quad
    slipped = replace(good.pieces[0], quad=quad + 0.5 * (quad[1] - quad[0]) + 0.5 * (quad[3] - quad[0]))
    marks = mark(shown.pieces, Reading((slipped,), (), {}))
    assert len(marks.wrong) == 1
    assert not any(fate.outcome == "right" for fate in marks.fates)


def test_what_is_not_enrolled_and_named_is_counted_by_kind() -> None:
    made = scene("unknown", 3, "painted", 0)
    strangers = [piece for piece in made.pieces if piece.kind in ("unknown", "back") and piece.visible >= 0.3]
    name = next(iter(made.deck.enrolled))
    kept = line(made, Reading(tuple(Found(name, piece.quad, 1.0, 0.9) for piece in strangers), (), {}))
    found = figures([kept])
    accepted = share(found["strangers accepted"]).part + share(found["backs accepted"]).part
    assert strangers and accepted == len(strangers)


def test_a_fate_survives_its_text() -> None:
    for fate in (
        Fate("enrolled", 0.52, True, False, "right", True, 0.04),
        Fate("twin", 1.0, False, True, "missed", False, None, "digit"),
    ):
        assert Fate.parse(fate.text()) == fate


def test_limits_know_their_side() -> None:
    assert holds(Share(999, 1000), ">=", 0.998) and not holds(Share(997, 1000), ">=", 0.998)
    assert holds(Share(0, 10), "<=", 0.0) and not holds(Share(1, 1000), "<=", 0.0)
    assert set(ASKED) == set(SETS)


def test_a_scene_is_the_same_again(shown: Scene) -> None:
    again = scene("hard", 11, "tiles", 0)
    assert np.array_equal(again.photo, shown.photo)
    assert [piece.identity for piece in again.pieces] == [piece.identity for piece in shown.pieces]


def test_truth_quads_show_the_face(shown: Scene) -> None:
    """What lies in the quad of a free piece, seen from straight above, is the enrolled face and no other, the right way up."""
    import cv2

    from tests.rendered.deck import small
    from vision.photo import Photo

    made = scene("easy", 5, "tiles", 0)
    free = [piece for piece in made.pieces if piece.identity is not None and piece.visible > 0.97]
    assert free
    for piece in free:
        crop = Photo(made.photo).crops([piece.quad], 96, 96)[0]
        mine = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)[4:-4, 4:-4]
        fits = {}
        for name, card in made.deck.enrolled.items():
            face = small(card).mean(2).astype(np.float32)[4:-4, 4:-4]
            fits[name] = float(np.corrcoef(mine.ravel(), face.ravel())[0, 1])
        assert piece.identity is not None
        assert fits[piece.identity] > max(fits.values()) - 0.03 and fits[piece.identity] > 0.6


def test_the_small_form_has_every_set_and_no_scene_twice() -> None:
    jobs = small_form()
    assert {job.set for job in jobs} == set(SETS)
    assert len({(job.set, job.index) for job in jobs}) == len(jobs)


def test_the_report_names_what_does_not_hold(shown: Scene) -> None:
    assert "DOES NOT HOLD" in report([line(shown, Reading((), (), {}))])


def test_the_reader_is_given_the_enrolled_faces() -> None:
    seen: list[tuple[str, ...]] = []

    def read(photo: object, bank: object) -> Reading:
        seen.append(bank.names)  # type: ignore[attr-defined]
        return Reading((), (), {"outlines": 3.0})

    kept = Reader(read).line(Job("easy", 2, "tanis-cards", 0), "v")
    assert len(seen[0]) == 5 and kept["stages"] == "outlines:3" and kept["set"] == "easy"


def test_folders_of_photos_are_scored_by_place_and_name() -> None:
    made = scene("easy", 5, "tiles", 0)
    truth = told(made)
    good = perfect(made).pieces
    assert photos.score(truth, good).whole
    gone = good[0].identity
    left = photos.score(truth, good, (gone,))
    assert gone in left.accepted and gone not in left.right
    assert not photos.score(truth, good[1:]).whole
    moved = replace(good[0], quad=good[0].quad + np.float32(5000))
    assert photos.score(truth, (moved, *good[1:])).wrong == (gone,)
    copy = {
        "width": 99,
        "height": 99,
        "instances": [{"identity": "a", "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "ref_copy": True}],
    }
    found = Found("a", np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32), 1.0, 0.9)
    assert photos.score(copy, (found,)) == photos.Score((), (), (), ())


def test_a_folder_of_photos_is_read_from_end_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export(tmp_path / "sets", "easy", "tanis-cards", 0, 1)
    assert photos.main([str(tmp_path / "sets"), "--out", str(tmp_path / "rows")]) == 0
    said = capsys.readouterr().out
    assert "easy-tanis-cards-0" in said and "ms by stage" in said
    rows = next((tmp_path / "rows").glob("all-*.csv")).read_text().splitlines()
    assert len(rows) == 2 and rows[0].startswith("set,")
    assert photos.main([str(tmp_path / "rows")]) == 2


def test_faces_are_left_out_where_they_occur(tmp_path: Path) -> None:
    shown_in = {"one.jpg": ["a", "b"], "two.jpg": ["b"]}
    scenes = {
        photo: {
            "width": 9,
            "height": 9,
            "instances": [{"identity": name, "polygon": [[0, 0], [9, 0], [9, 9]]} for name in names],
        }
        for photo, names in shown_in.items()
    }
    truth = {"refs": {"a": "refs/a.png", "b": "refs/b.png"}, "scenes": scenes, "suggested_unenrolled": ["b"]}
    (tmp_path / "family").mkdir()
    (tmp_path / "family" / "truth.json").write_text(json.dumps(truth))
    found = photos.sets(tmp_path)[0]
    assert photos.tasks(found, "suggested") == [(found, "", ("b",))]
    assert [task[1:] for task in photos.tasks(found, "each")] == [
        ("one.jpg", ("a",)),
        ("one.jpg", ("b",)),
        ("two.jpg", ("b",)),
    ]
    with pytest.raises(FileNotFoundError):
        found.bank()
