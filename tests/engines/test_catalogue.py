"""Numbers of the components as data: what is in force, the owner's file, every fault by its line, and the record that carries them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import games, record
from engines.catalogue import (
    BASES,
    Catalogue,
    MissingNumbers,
    Number,
    based_on,
    house,
    laid,
    missing,
    override,
    shipped,
)
from engines.forms import FORMS, how, wrong
from engines.ownfile import read_own, remedy
from engines.record import RecordError
from engines.referee import Match
from tests.heaps import HEAPS, Grab, installed


@pytest.fixture(autouse=True)
def heaps() -> Iterator[None]:
    with installed():
        yield


OWN = """\
# copied from my box
[heaps.heaps]
sizes = [2, 5]
[heaps.points]
bonus = { red = 3 }
"""


# -- what ships with Thoth -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(games()))
def test_every_shipped_number_has_a_known_form_fits_it_and_says_where_it_comes_from(game: str) -> None:
    catalogue = shipped(game)
    assert catalogue.numbers
    for number in catalogue.numbers.values():
        assert number.form in FORMS, number.path
        assert number.source, number.path
        if number.value is None:
            assert number.ask and not number.verified, number.path
        else:
            assert wrong(number, number.value) is None, number.path
        if not number.verified and not number.fixed and number.form != "length":
            assert number.ask, f"{number.path}: nobody could verify it"
    data = tomllib.loads((files("engines") / game / "catalog.toml").read_text("utf-8"))
    assert sum(1 for _ in _leaves(data)) == len(catalogue.numbers), "a table without a form is no number"


def _leaves(table: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every table that holds no further tables of its own, or is a number."""
    inner = [value for value in table.values() if isinstance(value, dict)]
    if "form" in table or not inner:
        yield table
        return
    for one in inner:
        yield from _leaves(one)


@pytest.mark.parametrize("game", list(games()))
def test_the_house_set_that_comes_with_a_game_is_without_fault(game: str) -> None:
    catalogue = house(game)
    assert catalogue == shipped(game) or catalogue.house
    for number in catalogue.numbers.values():
        assert number.origin != "house" or not number.verified


# -- what is in force ------------------------------------------------------------------------------------


def test_numbers_are_read_by_their_dotted_path() -> None:
    catalogue = shipped("heaps")
    assert catalogue["heaps.sizes"] is None
    assert catalogue["points.bonus"] == {"one": 1, "two three": -2}
    assert catalogue.verified("points.win") and not catalogue.verified("heaps.most")
    assert catalogue.unverified == ("heaps.most", "points.bonus", "text.motto", "cards")
    with pytest.raises(KeyError):
        catalogue["heaps.colour"]
    with pytest.raises(KeyError):
        override(catalogue, {"heaps.colour": 1}, "own", "x")
    assert shipped("no such game").numbers == {}


def test_what_the_owner_gives_is_verified_and_what_is_invented_is_not() -> None:
    own = override(shipped("heaps"), {"heaps.most": 2}, "own", "my.toml")
    assert own.verified("heaps.most") and own["heaps.most"] == 2 and not own.house
    assert own.numbers["heaps.most"].source == "my.toml"
    invented = override(shipped("heaps"), {"heaps.most": 2}, "house", "x")
    assert not invented.verified("heaps.most") and invented.house and invented != own
    assert "heaps.most" not in invented.unverified  # it is said louder: house numbers


def test_two_catalogues_are_equal_when_the_rules_can_see_no_difference() -> None:
    base = shipped("heaps")
    assert override(base, {"heaps.most": 3}, "own", "x") != base  # verified now: refusals may count on it
    again = override(base, {"points.win": 10}, "own", "x")
    assert again == base and hash(again) == hash(base) and again.fingerprint == base.fingerprint
    assert override(base, {"stone.width": 99.0}, "own", "x") == base
    assert base != Catalogue("other", base.numbers) and base != "heaps"
    assert len(base.fingerprint) == 8


def test_files_are_laid_one_over_the_other() -> None:
    first = read_own(OWN, "first.toml")
    second = read_own("house = true\n[heaps.heaps]\nsizes = [9]\n", "second.toml")
    both = laid("heaps", [first, second])
    assert both["heaps.sizes"] == [9] and both["points.bonus"] == {"red": 3} and both.house
    assert laid("heaps", [second, first])["heaps.sizes"] == [2, 5]
    assert laid("tanis", [first]) is shipped("tanis")
    assert laid("heaps", [first], house("heaps"))["heaps.most"] == 4


def test_the_house_set_lies_over_the_shipped_numbers() -> None:
    assert house("heaps").house and house("heaps")["heaps.sizes"] == [3, 4, 5]
    assert house("tanis") is shipped("tanis")
    with installed(house="house = true\n[heaps]\nstones = 3\n"), pytest.raises(ValueError, match="line 3"):
        house("heaps")


def test_a_game_whose_numbers_are_missing_does_not_start_and_says_what_to_type() -> None:
    with pytest.raises(MissingNumbers, match="Lid of the box") as caught:
        Match.begin(HEAPS, ("Ana", "Ben"), 0)
    assert [lack.path for lack in caught.value.lacks] == ["heaps.sizes"]
    assert missing(shipped("heaps"), ["heaps.most"]) == ()
    match = Match.begin(HEAPS, ("Ana", "Ben"), 0, catalogue=house("heaps"))
    assert match.house and match.catalogue["heaps.sizes"] == [3, 4, 5]


def test_a_match_keeps_its_numbers_whatever_happens_to_it() -> None:
    numbers = laid("heaps", [read_own(OWN, "x")])
    match = Match.begin(HEAPS, ("Ana", "Ben"), 0, steps=[Grab(0, 0, 2)], catalogue=numbers)
    after = match.accept(Grab(1, 1, 1))
    assert after.catalogue is numbers and after.take_back().catalogue is numbers
    renamed, fault = after.with_setup(names=("Eva", "Udo"))
    assert fault is None and renamed.catalogue is numbers and renamed.states == after.states
    assert not match.house
    assert match != Match.begin(HEAPS, ("Ana", "Ben"), 0, catalogue=house("heaps"))


# -- the forms -------------------------------------------------------------------------------------------

FITS: dict[str, tuple[list[Any], list[Any]]] = {
    "count": ([0, 999], [-1, 1000, 2.0, "2", True, None, [2], 10**9, 10**400]),
    "number": ([0, -9999, 9999], [10_000, 1.5, "1", False]),
    "numbers": ([[1], [1, -2, 3]], [[], [1, "2"], [True], 3, [[1]], [10_000]]),
    "words": ([["a"], ["a", "b c"]], [[], "a", [1], [""], [" "], ["a\nb"], ["x" * 201]]),
    "spots": ([["horus 120 85"]], [[], "horus 120 85", [1], [""]]),
    "text": (["a", "Zoë"], ["", " ", "a\tb", "x" * 201, 1, "\ud800"]),
    "length": ([1, 0.5], [0, -1, "1", float("nan"), float("inf"), True, 10_001]),
    "table": ([{"a": 1}, {"a b": -2}], [{}, {"a": "1"}, {"": 1}, [1], {"a": True}, {"a": 10_000}]),
    "rows": (
        [[{"a": 1}], [{"a": [1, {"b": "x"}], "c": True, "d": 0.5}]],
        [
            *([], [{}], {"a": 1}, [1], [{"a": "\n"}], [{"a": 10**400}], [{"a": float("nan")}]),
            *([{"a": None}], [{"a": [[[[[1]]]]]}]),
        ],
    ),
}


def number(form: str, **more: Any) -> Number:
    return Number("path.name", form, None, False, "test", **more)


@pytest.mark.parametrize("form", list(FORMS))
def test_what_fits_a_form_and_what_does_not(form: str) -> None:
    good, bad = FITS[form]
    for value in good:
        assert wrong(number(form), value) is None, value
    for value in bad:
        said = wrong(number(form), value)
        assert said is not None and len(said) < 60, value
    # The example that people are shown fits, written as it stands there.
    example = tomllib.loads(f"x = {FORMS[form].example.partition(' or ')[0]}")["x"]
    assert wrong(number(form), example) is None


def test_a_number_may_have_narrower_bounds() -> None:
    assert wrong(number("count", low=1, high=6), 6) is None
    assert wrong(number("count", low=1, high=6), 0) == "out of range: 0"
    assert wrong(number("numbers", high=6), [1, 7]) == "out of range: 7"
    assert wrong(number("table", low=0), {"a": -1}) == "out of range: -1"
    assert how(number("count", low=1, high=6)) == "a whole number from 1 to 6, like 4"
    assert "each from 0 to 6" in how(number("numbers", low=0, high=6))
    assert how(number("count", ask="Card: its number, like 7")) == "a whole number from 0 to 999"
    assert remedy(number("text", ask="Lid")) == 'write a text in quotes, like "one" (Lid)'


# -- the owner's file ------------------------------------------------------------------------------------


def test_an_owners_file() -> None:
    file = read_own(OWN, "my.toml")
    assert (file.name, file.house, file.faults) == ("my.toml", False, ())
    assert file.values == {"heaps": {"heaps.sizes": [2, 5], "points.bonus": {"red": 3}}}
    assert file.line("heaps", "heaps.sizes") == 3 and file.line("heaps", "heaps.most") is None
    assert read_own("house = true\n", "x").house
    assert read_own("", "x").values == {}


FAULTY = """\
house = "yes"
stray = 3
[heaps]
cards = [
  { name = "one", value = 1 },
  { name = "bell\\u0007", value = 2 },
]
players = 3
[heaps.heaps]
sizes = [2, 21]
mist = 4
most = "three"
[heaps.points.win]
value = 3
[heaps.text]
names = "left"
motto = 'unclosed
[heap.heaps]
most = 3
[tanis.dig]
rows = 6
[heaps.stone]
width = 2025-01-01
"""


def test_every_fault_is_named_with_its_line_and_remedy() -> None:
    file = read_own(FAULTY, "my.toml")
    assert [fault.line for fault in file.faults] == [1, 2, 4, 8, 10, 11, 12, 13, 16, 17, 18, 21, 23]
    said = {fault.line: str(fault) for fault in file.faults}
    assert "write house = true" in said[1]
    assert "no game 'stray'" in said[2] and "tanis, " in said[2]
    assert "Cards: the name and value of each" in said[4]
    assert "part of the rules of heaps" in said[8]
    assert "out of range: 21" in said[10] and "each from 1 to 20" in said[10] and "Lid of the box" in said[10]
    assert "did you mean heaps.most?" in said[11]
    assert "a whole number from 1 to 999" in said[12]
    assert "points.win is not what belongs here" in said[13]
    assert "a list of texts in quotes" in said[16]
    assert "unclosed" in said[17]
    assert "did you mean [heaps]?" in said[18]
    assert "part of the rules of tanis" in said[21]
    assert "millimetres" in said[23]
    assert file.values == {}
    for fault in file.faults:
        assert fault.text and fault.remedy and str(fault).startswith(f"line {fault.line}: ")


def test_a_table_in_place_of_a_number_and_a_number_in_place_of_a_table() -> None:
    (one,) = read_own("heaps = 3\n", "x").faults
    assert one.line == 1 and "is a game and no number" in one.text
    (two,) = read_own("[heaps]\npoints = 4\n", "x").faults
    assert two.line == 2 and "is a table" in two.text and "points.win" in two.remedy
    (three,) = read_own("[heaps.zzz.qqq]\nwww = 4\n", "x").faults
    assert three.line == 1 and "thoth catalog heaps" in three.remedy


def test_a_row_is_found_by_its_own_line() -> None:
    text = "[heaps]\ncards = [\n {name = 'a'},\n {name = 'b'},\n]\n[heaps.text]\nnames = ['x',\n'y']\n"
    file = read_own(text, "x")
    assert [file.line("heaps", f"cards[{row}]") for row in (1, 2, 3)] == [3, 4, 2]
    assert file.line("heaps", "text.names[2]") == 8
    file = read_own("[[heaps.cards]]\nname = 'a'\n[[heaps.cards]]\nname = 'b'\n", "x")
    assert [file.line("heaps", f"cards[{row}]") for row in (1, 2)] == [1, 3]


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 5000,
        "a." * 3000 + "b = 1",
        "[heaps.heaps]\nsizes = " + "[" * 2000 + "]" * 2000,
        "x" * 300_000,
        "heaps." + "x" * 100_000 + " = 1",
        "x" * 100_000 + " = 1",
        "[heaps.heaps]\nmost = " + "9" * 5000,
        "[heaps.heaps]\nmost = 0x" + "f" * 5000,
        "[heaps.points]\nbonus = {" + ", ".join(f"a{n} = 1" for n in range(2000)) + "}",
        "[heaps]\ncards = [" + "{a=1}," * 1500 + "]",
    ],
)
def test_no_text_is_too_much(text: str) -> None:
    file = read_own(text, "x")
    assert file.faults and all(fault.line >= 1 and fault.remedy for fault in file.faults)
    assert all(len(str(fault)) < 500 for fault in file.faults)
    assert laid("heaps", [file]) == shipped("heaps")


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="heaps.izmot=[]{}\"'#\n ,1\\-", max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    file = read_own(text, "x")
    assert all(1 <= fault.line <= text.count("\n") + 1 for fault in file.faults)


WHOLE = """\
house = true
[heaps.heaps]
sizes = [2, 5]
most = 2
[heaps.points]
bonus = { red = 3, "dark blue" = -1 }
[heaps.text]
names = ["left", "right"]
[[heaps.cards]]
name = "a"
value = 3
[[heaps.cards]]
name = "b"
"""


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_gives_sound_numbers_or_names_its_faults(data: st.DataObject) -> None:
    text = WHOLE
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 6))
        text = (
            text[:at] + data.draw(st.text(alphabet="ab=.[]{}\"'#\n ,19-\x00é", max_size=4)) + text[at + cut :]
        )
    file = read_own(text, "x")
    for fault in file.faults:
        assert 1 <= fault.line <= text.count("\n") + 1 and fault.text and fault.remedy
        assert str(fault).isprintable()
    catalogue = laid("heaps", [file])
    for path, value in file.values.get("heaps", {}).items():
        assert wrong(catalogue.numbers[path], value) is None
        assert 1 <= (file.line("heaps", path) or 0) <= text.count("\n") + 1
    # Whatever it gave can be told in a record and read back.
    assert record.understood(HEAPS, record.told(catalogue)) == catalogue


# -- the record ------------------------------------------------------------------------------------------


def played(catalogue: Catalogue) -> Match:
    match = Match.begin(HEAPS, ("Ana", "Ben"), 0, catalogue=catalogue)
    while match.outcome() is None:
        match = match.accept(match.legal_moves()[-1])
    return match


CATALOGUES = {
    "house": lambda: house("heaps"),
    "own": lambda: laid("heaps", [read_own(OWN, "x")]),
    "own on house": lambda: override(house("heaps"), {"heaps.most": 2}, "own", "x"),
    "own, some of them invented": lambda: override(
        laid("heaps", [read_own(OWN, "x")]), {"text.motto": "Zoë “x”"}, "house", "x"
    ),
}


@pytest.mark.parametrize("name", list(CATALOGUES))
def test_a_record_carries_the_numbers_it_was_played_by(name: str) -> None:
    catalogue = CATALOGUES[name]()
    match = played(catalogue)
    text = record.write(match)
    assert f"\ncatalogue: {name.partition(',')[0]} {catalogue.fingerprint}\n" in text
    again = record.read(text)
    assert again == match and again.catalogue == catalogue
    assert record.write(again) == text
    assert text.rstrip().endswith("; house numbers") == catalogue.house
    assert (", 10 to" in text) is False and "last stone taken" in text


def test_the_numbers_of_a_record_are_told_from_the_nearer_set() -> None:
    assert based_on(shipped("heaps")) == ("shipped", ())
    assert based_on(house("heaps")) == ("house", ())
    base, own = based_on(CATALOGUES["own on house"]())
    assert base == "house" and [number.path for number in own] == ["heaps.most"]
    # Sizes of the house set, but most as shipped: that cannot be told from the house set.
    base, own = based_on(override(shipped("heaps"), {"heaps.sizes": [3, 4, 5]}, "house", "x"))
    assert base == "shipped" and [number.path for number in own] == ["heaps.sizes"]
    assert record.told(CATALOGUES["own"]())[1:] == (
        "number heaps.sizes: [2, 5]",
        'number points.bonus: {"red": 3}',
    )


def test_a_record_by_the_shipped_numbers_may_leave_them_out() -> None:
    text = "Thoth record 1\ngame: tanis\nplayers: Ana, Ben\nfirst: Ana\n"
    assert record.read(text).catalogue == shipped("tanis")
    print_ = shipped("tanis").fingerprint
    assert f"catalogue: shipped {print_}\n" in record.write(record.read(text))
    assert record.read(f"{text}catalogue: shipped\n") == record.read(f"{text}catalogue: shipped {print_}\n")


HEAD = "Thoth record 1\ngame: heaps\nplayers: Ana, Ben\nfirst: Ana\n"


def test_numbers_can_be_written_by_hand() -> None:
    match = record.read(HEAD + "number heaps.sizes: [4]\n\n1. Ana: take 4 from 1\n")
    assert match.catalogue["heaps.sizes"] == [4] and match.catalogue.verified("heaps.sizes")
    assert record.read(HEAD + "catalogue: house\n").catalogue == house("heaps")
    text = "catalogue: own on house\nhouse number heaps.sizes: [4]\nnumber heaps.most: 2\n"
    match = record.read(HEAD + text)
    assert match.catalogue["heaps.sizes"] == [4] and match.catalogue.house
    assert not match.catalogue.verified("heaps.sizes") and match.catalogue.verified("heaps.most")


def test_numbers_that_are_given_take_the_place_of_those_that_ship() -> None:
    own = CATALOGUES["own"]()
    text = HEAD + "\n1. Ana: take 2 from 1\n"
    with pytest.raises(RecordError, match=r"heaps\.sizes is missing"):
        record.read(text)
    assert record.read(text, lambda game: own).catalogue == own
    told = text.replace("first: Ana\n", f"first: Ana\ncatalogue: shipped {own.fingerprint}\n")
    assert record.read(told, lambda game: own).catalogue == own


@pytest.mark.parametrize(
    ("lines", "line", "says", "remedy"),
    [
        ("", 3, "heaps.sizes is missing", "thoth catalog heaps --template"),
        ("catalogue: shipped\n", 5, "heaps.sizes is missing", "--numbers FILE"),
        ("catalogue: borrowed\n", 5, "'borrowed' is no catalogue", "own on house"),
        ("catalogue: house 0123abcd\n", 5, "played by other numbers (0123abcd)", "--numbers FILE"),
        ("catalogue: house 0123abcd\n", 5, "played by other numbers", "'catalogue: house'"),
        ("catalogue: house\nnumber heaps.most: 3\n", 5, "numbers of its own", "catalogue: own on house"),
        ("catalogue: own\nnumber heaps.mist: 3\n", 6, "has no number 'heaps.mist'", "heaps.most"),
        ("catalogue: own\nnumber heaps.sizes: [21]\n", 6, "out of range: 21", "Lid of the box"),
        ("catalogue: own\nnumber heaps.sizes: [2\n", 6, "cannot be read", "JSON"),
        ("catalogue: own\nnumber heaps.sizes: " + "[" * 99_999 + "\n", 6, "cannot be read", "JSON"),
        ("catalogue: own\nnumber stone.width: NaN\n", 6, "not what belongs here", "millimetres"),
        ("catalogue: own\nnumber players: 2\n", 6, "part of the rules", "take it out"),
        ("number heaps.sizes: [2]\nnumber heaps.sizes: [2]\n", 6, "stands twice", "Take one"),
        ("number heaps.sizes: [2]\nnumber heaps.most: 9\n", 3, "no heap is as large", "--numbers FILE"),
    ],
)
def test_a_fault_in_the_numbers_of_a_record_is_named(lines: str, line: int, says: str, remedy: str) -> None:
    with pytest.raises(RecordError) as caught:
        record.read(HEAD + lines + "\n1. Ana: take 1 from 1\n")
    assert caught.value.line == line
    assert says in caught.value.text and remedy in caught.value.remedy


def test_only_a_verified_number_forbids() -> None:
    base = override(shipped("heaps"), {"heaps.sizes": [9]}, "own", "x")
    text = record.write(Match.begin(HEAPS, ("Ana", "Ben"), 0, catalogue=base)) + "1. Ana: take 4 from 1\n"
    assert len(record.read(text).moves) == 1
    sure = override(base, {"heaps.most": 3}, "own", "x")
    text = record.write(Match.begin(HEAPS, ("Ana", "Ben"), 0, catalogue=sure)) + "1. Ana: take 4 from 1\n"
    with pytest.raises(RecordError, match="Not so many"):
        record.read(text)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_header_is_named_or_reads_as_what_it_says(data: st.DataObject) -> None:
    whole = record.write(played(CATALOGUES["own, some of them invented"]()))
    at = data.draw(st.integers(0, whole.index("\n\n")))
    cut = data.draw(st.integers(0, 3))
    text = whole[:at] + data.draw(st.text(alphabet='0a{}[]":,. \n-', max_size=3)) + whole[at + cut :]
    try:
        match = record.read(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + 1 and error.text and error.remedy
    else:
        assert record.read(record.write(match)) == match
        # Numbers are never silently other ones: the fingerprint holds, or it is gone.
        if match.catalogue != CATALOGUES["own, some of them invented"]():
            assert match.catalogue.fingerprint in text or not record.CATALOGUE.search(text)[2]  # type: ignore[index]


def test_the_named_sets_are_those_a_record_can_name() -> None:
    assert set(BASES) == {"shipped", "house"}
    assert all(record.CATALOGUE.fullmatch(name) for name in BASES)
