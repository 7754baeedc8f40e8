"""The owner's numbers: where they are found, ``thoth catalog``, the file to fill in, and the words when some are missing."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from engines.catalogue import MissingNumbers, house, laid, shipped
from engines.ownfile import read_own
from engines.referee import Match
from firmware import numbers
from firmware.commands import catalog, tomltext
from firmware.numbers import NumbersError, catalogue_for
from tests.heaps import CATALOG, HEAPS, installed


@pytest.fixture(autouse=True)
def heaps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    with installed() as games:
        monkeypatch.setattr(catalog, "games", lambda: games)
        monkeypatch.setattr(numbers, "SYSTEM", tmp_path / "etc")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        monkeypatch.setenv("COLUMNS", "100")
        yield


def keep(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def page(game: str = "heaps", *asked: str) -> str:
    out = io.StringIO()
    assert catalog.catalog(game, asked, False, out) == 0
    return out.getvalue()


def template(game: str = "heaps", *asked: str) -> str:
    out = io.StringIO()
    assert catalog.catalog(game, asked, True, out) == 0
    return out.getvalue()


def checked(path: Path) -> tuple[int, str]:
    out = io.StringIO()
    return catalog.check(path, out), out.getvalue()


# -- which numbers are in force --------------------------------------------------------------------------


def test_the_owners_own_file_is_found_and_stands_over_that_of_the_box(tmp_path: Path) -> None:
    assert catalogue_for("heaps") is shipped("heaps")
    box, own = numbers.places()
    keep(box, "[heaps.heaps]\nsizes = [1]\nmost = 1\n")
    assert catalogue_for("heaps")["heaps.sizes"] == [1]
    keep(own, "[heaps.heaps]\nsizes = [2]\n")
    found = catalogue_for("heaps")
    assert (found["heaps.sizes"], found["heaps.most"]) == ([2], 1) and found.verified("heaps.sizes")
    assert catalogue_for("tanis") == shipped("tanis")
    # Beside other settings: another box.
    assert catalogue_for("heaps", beside=tmp_path)["heaps.most"] == 3
    # What is asked for takes their place.
    assert catalogue_for("heaps", ["shipped"]) is shipped("heaps")
    assert catalogue_for("heaps", ["house"]) is house("heaps")


def test_a_service_without_a_home_has_the_numbers_of_the_box_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(numbers.places()[0], "[heaps.heaps]\nsizes = [1]\n")

    def locked(path: Path) -> bool:
        if "config" in path.parts or ".config" in path.parts:
            raise PermissionError(13, "Permission denied", str(path))
        return path.exists()

    monkeypatch.setattr(Path, "is_file", locked)
    assert numbers.own() == numbers.places()[:1]
    assert catalogue_for("heaps")["heaps.sizes"] == [1]

    def homeless(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setattr(Path, "expanduser", homeless)
    monkeypatch.setattr(Path, "home", homeless)
    assert numbers.own() == numbers.places()[:1]
    assert "numbers.toml" in page()


def test_files_that_are_asked_for_stand_over_the_house_set_in_any_order(tmp_path: Path) -> None:
    one = str(keep(tmp_path / "one.toml", "[heaps.heaps]\nsizes = [7]\n"))
    two = str(keep(tmp_path / "two.toml", "\ufeff[heaps.heaps]\r\nsizes = [8]\r\nmost = 8\r\n"))
    for asked in ([one, "house"], ["house", one]):
        found = catalogue_for("heaps", asked)
        assert (found["heaps.sizes"], found["heaps.most"]) == ([7], 4) and found.house
    assert catalogue_for("heaps", [one, two])["heaps.sizes"] == [8]
    assert catalogue_for("heaps", [two, one])["heaps.most"] == 8


def test_numbers_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(NumbersError, match="no numbers 'horse': give a file, or house, or shipped"):
        catalogue_for("heaps", ["horse"])
    other = keep(tmp_path / "other.toml", "house = true\n")
    with pytest.raises(NumbersError, match=r"other\.toml has no numbers for heaps.*\[heaps\."):
        catalogue_for("heaps", [str(other)])
    faulty = keep(tmp_path / "faulty.toml", "[heaps.heaps]\n" + "".join(f"a{n} = 1\n" for n in range(12)))
    with pytest.raises(NumbersError) as caught:
        catalogue_for("heaps", [str(faulty)])
    told = str(caught.value).splitlines()
    assert told[0].startswith(f"{faulty}, line 2: heaps has no number 'heaps.a0'")
    assert told[-1] == f"and 2 more; see all with: thoth catalog --check {faulty}"
    keep(numbers.places()[1], "[heaps.heaps]\nsizes = 3\n")
    with pytest.raises(NumbersError, match=r"numbers\.toml, line 2: heaps\.sizes"):
        catalogue_for("heaps")
    latin = tmp_path / "latin.toml"
    latin.write_bytes("# ok\n[heaps.text]\nmotto = 'Zoë'\n".encode("latin-1"))
    with pytest.raises(NumbersError, match="line 3: this is not UTF-8"):
        catalogue_for("heaps", [str(latin)])


def test_the_refusal_says_what_to_type_from_which_component_and_how() -> None:
    with pytest.raises(MissingNumbers) as caught:
        Match.begin(HEAPS, ("Ana", "Ben"), 0)
    text = numbers.refusal(HEAPS, caught.value)
    assert "heaps.sizes is missing: Lid of the box: how many stones lie in each heap" in text
    assert "thoth catalog heaps --template > heaps.toml" in text
    assert "--numbers heaps.toml" in text and "--numbers house" in text


# -- thoth catalog ---------------------------------------------------------------------------------------


def test_the_page_shows_every_number_with_its_state_and_source() -> None:
    text = page()
    assert text.startswith("Heaps: 9 numbers (1 missing, 5 unverified, 2 verified, 1 fixed); ")
    assert "the game cannot be played by them yet" in text.replace("\n", " ")
    rows = {line.split()[0]: line for line in text.splitlines() if line.startswith("  ")}
    for name, value, state, source in (
        ("sizes", "-", "missing", "not found"),
        ("most", "3", "unverified", "older edition"),
        ("win", "10", "verified", "rulebook"),
        ("bonus", "one 1, two three -2", "unverified", "older edition"),
        ("names", "left, right", "verified", "rulebook"),
        ("width", "12.5", "unverified", "measured"),
        ("players", "2", "fixed", "rulebook"),
        ("cards", "2 entries", "unverified", "older edition"),
    ):
        assert rows[name].split(None, 1)[1].startswith(value) and rows[name].endswith(f"{state:<10} {source}")
    assert "      name first, value 1\n      name second, value 2, last yes\n" in text
    # What is to be done, in the words that tell what to type from which component.
    todo = text[text.index("\nMissing:") :]
    assert "heaps.sizes: Lid of the box: how many stones lie in each heap" in todo
    assert "heaps.most: Card: the number in its corner" in todo[todo.index("\nUnverified:") :]
    assert "thoth catalog heaps --template > heaps.toml" in todo and "--numbers house" in todo
    assert max(len(line) for line in text.splitlines() if "Kept as" not in line) <= 100


def test_the_page_tells_the_owners_numbers_from_invented_ones() -> None:
    keep(numbers.places()[1], "[heaps.heaps]\nmost = 2\n")
    assert "own" in next(line for line in page().splitlines() if line.startswith("  most"))
    text = page("heaps", "house")
    assert "with them the game is for 2 players" in text
    assert "house" in next(line for line in text.splitlines() if line.startswith("  sizes"))
    assert "\nHouse numbers: invented" in text


def test_numbers_that_do_not_fit_together_are_told(tmp_path: Path) -> None:
    own = keep(tmp_path / "own.toml", "[heaps.heaps]\nsizes = [2]\nmost = 3\n")
    text = page("heaps", str(own))
    assert "These do not fit together:\n  no heap is as large as heaps.most: count the stones again" in text


@pytest.mark.parametrize("game", list(engines.games()))
def test_every_real_game_has_its_page_and_its_file_to_fill_in(game: str) -> None:
    text = page(game)
    for number in shipped(game).numbers.values():
        assert number.path.rpartition(".")[2] in text
    assert read_own(template(game), "x").faults == ()
    assert max(len(line) for line in text.splitlines() if "Kept as" not in line) <= 100


def filled(text: str) -> str:
    """The file with every number uncommented."""
    return "".join(
        line[1:] if line.startswith("#") and not line.startswith("# ") else line
        for line in text.splitlines(keepends=True)
    )


@pytest.mark.parametrize("game", ["heaps", *engines.games()])
def test_the_file_to_fill_in_loads_as_it_is_and_filled_in(game: str) -> None:
    text = template(game, "house")
    empty = read_own(text, "x")
    assert empty.faults == () and empty.values == {}
    full = read_own(filled(text), "x")
    if all(number.value is not None or number.fixed for number in house(game).numbers.values()):
        assert full.faults == ()
    mine = laid(game, [full])
    for path, number in house(game).numbers.items():
        if number.value is not None and not number.fixed:
            assert mine[path] == number.value and mine.verified(path), path
    # What nobody has found is named until it is filled in.
    for fault in read_own(filled(template(game)), "x").faults:
        assert filled(template(game)).splitlines()[fault.line - 1].endswith("= ?")
    for number in shipped(game).numbers.values():
        assert number.fixed or not number.ask or number.ask.split()[0] in template(game)


def test_the_file_to_fill_in_shows_what_the_owner_gave_already() -> None:
    keep(numbers.places()[1], "[heaps.heaps]\nsizes = [2, 5]\n")
    assert "#sizes = [2, 5]\n" in template() and "Own: numbers.toml" in template()
    assert "#sizes = ?\n" in template("heaps", "shipped")


def test_a_file_of_numbers_is_checked(tmp_path: Path) -> None:
    good = keep(tmp_path / "good.toml", "[heaps.heaps]\nsizes = [4]\n")
    code, text = checked(good)
    assert code == 0 and f"{good}: no faults" in text
    assert "1 number for heaps; with them the game is for 2 players" in text
    bad = keep(tmp_path / "bad.toml", "house = true\n[heaps.heaps]\nmost = 0\n[heaps.text]\nmotto = 3\n")
    code, text = checked(bad)
    assert code == 1
    assert [line.partition(": ")[0] for line in text.splitlines()] == [f"{bad}, line 3", f"{bad}, line 5"]
    unfit = keep(tmp_path / "unfit.toml", "[heaps.heaps]\nsizes = [2]\n\nmost = 3\n")
    code, text = checked(unfit)
    assert code == 1 and f"{unfit}, line 4: no heap is as large as heaps.most; count the stones" in text
    part = keep(tmp_path / "part.toml", "[heaps.heaps]\nmost = 2\n")
    code, text = checked(part)
    assert code == 0 and "cannot be played by them yet" in text  # what is missing is no fault of the file


def test_values_are_written_as_the_reader_of_toml_takes_them() -> None:
    import tomllib

    with installed(catalog=CATALOG):
        for number in house("heaps").numbers.values():
            text = "\n".join(tomltext.assigned("a key", number.value))
            assert tomllib.loads(text) == {"a key": number.value}
    long = [{"name": f"card {n}", "with space": [n, True, 0.5, {"é": '"'}]} for n in range(9)]
    assert tomllib.loads("\n".join(tomltext.assigned("x", long))) == {"x": long}


def test_the_files_of_the_page_are_without_fault(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "numbers.md").read_text("utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        code, said = checked(keep(tmp_path / "block.toml", block))
        assert code == 0, said
    able = checked(keep(tmp_path / "block.toml", blocks[0]))[1]
    assert "2, 3, 4 or 5 players" in able  # with these all numbers are there
    for one in ("verified", "unverified", "house", "own", "missing", "fixed"):
        assert f"| {one} |" in text
