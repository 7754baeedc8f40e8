"""Every fault of a settings file is listed at once, with its line and what to write instead."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.tomllines import key_lines
from firmware.settings import DEFAULTS, KEYS, SettingsError, check, example, load, on_a_pi

FAULTY = """\
# my box
languge = "en"
names = ["Ana", "A name that is far too long"]

[camera]
kind = "webcam"
width = "wide"
height = 12

[display]
driver = sh1106
address = 0x99
[buttons]
confirm = 5
reject = 5
up = 3
[light]
pin = 4
"""


def test_every_fault_is_listed_at_once_with_its_line_and_a_remedy() -> None:
    found, faults = check(FAULTY)
    assert [(fault.line, fault.key) for fault in faults] == [
        (2, "languge"),
        (3, "names"),
        (6, "camera.kind"),
        (7, "camera.width"),
        (8, "camera.height"),
        (11, ""),
        (12, "display.address"),
        (15, "buttons.reject"),
        (16, "buttons.up"),
        (18, "light.pin"),
    ]
    assert all(fault.remedy and fault.text for fault in faults)
    said = {fault.key: str(fault) for fault in faults}
    assert "did you mean language?" in said["languge"]
    assert '"picamera2"' in said["camera.kind"]
    assert "640 to 4608" in said["camera.width"]
    assert "0x8 to 0x77" in said["display.address"]
    assert "buttons.confirm" in said["buttons.reject"]
    assert "SCL" in said["buttons.up"]
    # What is wrong keeps its default, what is right is used.
    assert found.number("camera.width") == 1536
    assert found.names == ()
    assert found.number("buttons.confirm") == 5, "right itself, though another wants it too"


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_key_refuses_another_type_and_names_its_line(key) -> None:  # type: ignore[no-untyped-def]
    head, _, tail = key.name.rpartition(".")
    bad = "1.5"
    text = f"# one\n{f'[{head}]' if head else ''}\n{tail} = {bad}\n"
    found, faults = check(text)
    assert [(fault.line, fault.key, fault.remedy) for fault in faults] == [(3, key.name, key.remedy)]
    assert found == DEFAULTS


def test_the_example_holds_every_key_and_no_fault() -> None:
    found, faults = check(example())
    assert faults == ()
    assert found == DEFAULTS
    assert set(key_lines(example())) >= {key.name for key in KEYS}


def test_several_lines_that_are_no_toml_are_all_named() -> None:
    _, faults = check('names = ["Ana"\n[camera\nkind = none\nwidth == 3\nheight = 900\n')
    assert {2, 3, 4} <= {fault.line for fault in faults}


def test_a_kind_that_needs_another_key_says_so() -> None:
    _, faults = check('camera = {kind = "folder"}')
    assert [(fault.line, fault.key) for fault in faults] == [(1, "camera.folder")]


def test_files(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load(tmp_path / "none.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes('# fine\nnames = ["Zoé"]'.encode("latin-1"))
    assert [fault.line for fault in load(latin)[1]] == [2]
    windows = tmp_path / "windows.toml"
    windows.write_bytes(b'\xef\xbb\xbflanguage = "en"\r\n[camera]\r\nkind = "none"\r\nwidth = 1\r\n')
    found, faults = load(windows)
    assert found.kind("camera.kind") == "none"
    assert [(fault.line, fault.key) for fault in faults] == [(4, "camera.width")]


def test_auto_depends_on_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    assert on_a_pi(model)
    assert not on_a_pi(tmp_path / "none")
    monkeypatch.setattr("firmware.settings.on_a_pi", lambda: True)
    assert DEFAULTS.kind("display.driver") == "ssd1306"
    monkeypatch.setattr("firmware.settings.on_a_pi", lambda: False)
    assert DEFAULTS.kind("buttons.kind") == "keyboard"


def test_the_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/thoth")
    assert DEFAULTS.state_dir == Path("/var/lib/thoth")
    assert check('state_dir = "/srv/games"')[0].state_dir == Path("/srv/games")
    monkeypatch.delenv("STATE_DIRECTORY")
    monkeypatch.setenv("XDG_STATE_HOME", "/home/ana/state")
    assert DEFAULTS.state_dir == Path("/home/ana/state/thoth")


def test_lines_are_found_in_every_form_of_toml() -> None:
    text = '''\
a = 1
"b c" = """
x = 2
"""  # d = 4
e.f = [
  "]", # g = 5
  {h = 1},
]
[ i . "j" ]
k = {l = "}", m.n = 2}
[[o]]
p = \'\'\'
q = 1\'\'\'
'''
    tomllib.loads(text)
    lines = key_lines(text)
    assert lines["a"] == 1
    assert lines["b c"] == 2
    assert lines["e.f"] == 5
    assert lines["i.j.k"] == 10
    assert lines["i.j.k.l"] == 10
    assert lines["i.j.k.m.n"] == 10
    assert lines["o.p"] == 12
    assert not {"x", "d", "g", "q", "o.q"} & set(lines)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab=.[]{}\"'#\n ,1\\", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    found, _ = check(text)
    assert set(found.values) == {key.name for key in KEYS}


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("\n\nnames = " + "[" * 5000, 1, "nested"),
        ("a = " + "{a=" * 3000 + "1" + "}" * 3000, 1, "nested"),
        (".".join("a" * 3000) + " = 1", 1, "nested"),
        ("[camera]\nwidth = " + "9" * 5000 + "\n[display]\nbus = 1", 2, "far too long"),
        ("[display]\naddress = 0x" + "f" * 5000, 2, "out of range"),
        ("[camera]\nwidth = -" + "9" * 4000, 2, "out of range"),
        ('state_dir = "a\\u0000b"', 1, "cannot be seen"),
        ('language = "' + "x" * 100_000 + '"', 1, "is not known"),
        ("x" * 100_000 + " = 1", 1, "no such setting"),
        ('language = "\x1b[2J"', 1, "Illegal character"),
        ('names = [" "]', 1, "a space"),
        ('names = ["Ana", "Ben "]', 1, "a space"),
    ],
)
def test_a_hostile_text_is_a_short_fault_on_its_line(text: str, line: int, told: str) -> None:
    settings, faults = check(text)
    assert [fault.line for fault in faults] == [line]
    said = str(faults[0])
    assert told in said
    assert len(said) < 400 and said.isprintable()
    assert dict(settings.values) == dict(DEFAULTS.values)


def test_a_file_without_end_is_a_fault() -> None:
    settings, faults = load(Path("/dev/zero"))
    assert "far too long" in str(faults[0]) and settings is DEFAULTS
