"""The installer's own decisions (P32, P33, P36, P39, P54): which systems, which files, which versions, which config.txt. What it does on a
booted system is tried in tests/machine."""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "systemd"))

from appliance import facts, files, main, packages, versions  # noqa: E402
from appliance.host import Host, Refused  # noqa: E402


def machine(root: Path, release: str = 'ID=debian\nVERSION_ID="13"\nPRETTY_NAME="Debian 13"\n') -> Host:
    (root / "etc").mkdir(parents=True, exist_ok=True)
    (root / "etc/os-release").write_text(release)
    return Host(root)


def a_pi(root: Path) -> Host:
    host = machine(root)
    (root / "proc/device-tree").mkdir(parents=True)
    (root / "proc/device-tree/model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.1\0")
    return host


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "too old"),
        ('ID=raspbian\nID_LIKE=debian\nVERSION_ID="12"\n', "too old"),
        ('ID=debian\nVERSION_ID="14"\n', "newer"),
        ("ID=debian\n", "does not say which"),
        ('ID=fedora\nVERSION_ID="42"\n', "no Debian"),
        ("", "no Debian"),
    ],
)
def test_other_systems_are_refused_with_the_reason(tmp_path: Path, release: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        facts.check_release(machine(tmp_path, release))


@pytest.mark.parametrize("identity", ["ID=debian", "ID=raspbian\nID_LIKE=debian"])
def test_debian_13_and_raspberry_pi_os_are_taken(tmp_path: Path, identity: str) -> None:
    release = f'{identity}\nVERSION_ID="13"\nPRETTY_NAME="The name"\n'
    assert facts.check_release(machine(tmp_path, release)) == "The name"


def test_a_refusal_is_a_sentence_and_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    machine(tmp_path, 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n')
    assert main.main(["--dry-run"], tmp_path) == 1
    said = capsys.readouterr()
    assert said.err.startswith("install: Debian 12 is too old") and "Traceback" not in said.err
    assert list(tmp_path.iterdir()) == [tmp_path / "etc"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[all]\ndtparam=i2c_arm=on\n"),
        ("dtparam=audio=on\n", "dtparam=audio=on\n[all]\ndtparam=i2c_arm=on\n"),
        ("[pi4]\nx=1", "[pi4]\nx=1\n[all]\ndtparam=i2c_arm=on\n"),
        ("#dtparam=i2c_arm=on\n#dtparam=spi=on\n", "dtparam=i2c_arm=on\n#dtparam=spi=on\n"),
        ("dtparam=i2c_arm=off\n", "dtparam=i2c_arm=on\n"),
        ("dtparam=i2c=on\n", "dtparam=i2c=on\n"),
        ("dtparam=i2c_arm=on\n", "dtparam=i2c_arm=on\n"),
        ("dtparam=i2c_arm_baudrate=400000\n", "dtparam=i2c_arm_baudrate=400000\n[all]\ndtparam=i2c_arm=on\n"),
    ],
)
def test_i2c_is_switched_on_once(before: str, after: str) -> None:
    assert files.switch_on_i2c(before) == after
    assert files.switch_on_i2c(after) == after


def test_config_txt_is_touched_on_a_pi_only(tmp_path: Path) -> None:
    host = machine(tmp_path / "pc")
    config = tmp_path / "pc/boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    config.write_text("")
    assert not files.bus(host) and config.read_text() == "" and host.changes == 0
    host = a_pi(tmp_path / "pi")
    config = tmp_path / "pi/boot/firmware/config.txt"
    config.parent.mkdir(parents=True)
    config.write_text("arm_64bit=1\n")
    assert files.bus(host) and "dtparam=i2c_arm=on" in config.read_text()
    assert not files.bus(host)


def test_a_full_card_is_said_before_anything_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine(tmp_path)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=50_000_000))
    assert main.main(["--dry-run"], tmp_path) == 1
    said = capsys.readouterr()
    assert "50 MB free" in said.err and "would" not in said.out


def test_every_file_of_the_unit_has_a_place_and_goes_again(tmp_path: Path) -> None:
    host = machine(tmp_path)
    folder = ROOT / "systemd"
    assert all((folder / name).is_file() for name in files.FILES)
    assert files.lay_out(host, folder)
    assert not files.lay_out(host, folder), "a second time changes nothing"
    for name, target in files.FILES.items():
        assert host.path(target).read_bytes() == (folder / name).read_bytes()
    assert host.path(files.COMMAND).stat().st_mode & 0o777 == 0o755
    files.take_away(host)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "os-release"]


def copy(folder: Path) -> Path:
    for name in versions.ALONE:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder)
    for name in (*versions.PACKAGES, versions.SYSTEM):
        (folder / name).mkdir()
        (folder / name / "one.py").write_text("1\n")
    return folder


def test_a_version_is_named_by_its_sources(tmp_path: Path) -> None:
    one, two = copy(tmp_path / "one"), copy(tmp_path / "two")
    name = versions.name_of(one)
    assert name == versions.name_of(two), "the place does not count"
    (two / "engines/__pycache__").mkdir()
    (two / "engines/__pycache__/one.pyc").write_text("x")
    assert name == versions.name_of(two), "nor what Python leaves there"
    (two / "firmware/one.py").write_text("2\n")
    assert name != versions.name_of(two)
    (two / "firmware/one.py").unlink()
    (two / "firmware/two.py").write_text("1\n")
    assert name != versions.name_of(two), "a name counts"
    shutil.rmtree(two / "vision")
    with pytest.raises(Refused, match="lacks vision"):
        versions.name_of(two)


def proved(host: Host, name: str, age: int) -> None:
    import os

    folder = host.path(versions.folder_of(name))
    folder.mkdir(parents=True)
    mark = folder / versions.PROVED
    mark.touch()
    os.utime(mark, (1000 + age, 1000 + age))


def test_links_move_in_one_step_and_old_versions_go(tmp_path: Path) -> None:
    host = machine(tmp_path)
    for age, name in enumerate("abcde"):
        proved(host, name, age)
        versions.point(host, name)
        assert host.path(versions.CURRENT).resolve().name == name
        versions.prune(host)
    assert (versions.linked(host, versions.CURRENT), versions.linked(host, versions.PREVIOUS)) == ("e", "d")
    assert versions.all_of(host) == ["c", "d", "e"]
    versions.point(host, "d")
    assert (versions.linked(host, versions.CURRENT), versions.linked(host, versions.PREVIOUS)) == ("d", "e")
    before = host.changes
    versions.point(host, "d")
    assert host.changes == before


def test_what_was_not_proved_is_no_version(tmp_path: Path) -> None:
    host = machine(tmp_path)
    proved(host, "whole", 1)
    host.path(versions.folder_of("half")).mkdir()
    assert versions.all_of(host) == ["whole"]
    host.link(versions.CURRENT, "versions/whole")
    host.link(versions.PREVIOUS, "versions/half")
    with pytest.raises(Refused, match="no version before"):
        main.rollback(host)
    assert versions.linked(host, versions.CURRENT) == "whole"


def test_pip_may_bring_neither_numpy_nor_opencv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    said = subprocess.CompletedProcess([], 0, "2.2.4\n", "")
    monkeypatch.setattr(Host, "ask", lambda *_: said)
    bounds = versions._constraints(machine(tmp_path)).split()
    assert "numpy==2.2.4" in bounds
    assert {"opencv-python<0", "opencv-python-headless<0", "opencv-contrib-python-headless<0"} <= set(bounds)


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    host = machine(tmp_path)
    host.dry = True
    assert files.lay_out(host, ROOT / "systemd")
    versions.point(host, "a")
    host.remove("/etc/os-release")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["etc", "os-release"]
    assert host.changes == len(files.FILES) + 3


def test_a_write_is_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = machine(tmp_path)
    host.write("/etc/a", b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        host.write("/etc/a", b"new")
    assert host.path("/etc/a").read_bytes() == b"old"
    assert sorted(path.name for path in host.path("/etc").iterdir()) == ["a", "os-release"]


def test_the_wheel_of_lgpio_is_that_of_this_python(tmp_path: Path) -> None:
    host = machine(tmp_path)
    assert packages.wheel(host) is None
    folder = host.path(packages.WHEELS)
    folder.mkdir(parents=True)
    (folder / "lgpio-0.2.2.0-cp39-cp39-linux_aarch64.whl").touch()
    assert packages.wheel(host) is None
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    (folder / f"lgpio-0.2.2.0-{tag}-{tag}-linux_aarch64.whl").touch()
    assert packages.wheel(host) == folder / f"lgpio-0.2.2.0-{tag}-{tag}-linux_aarch64.whl"


@pytest.mark.parametrize("name", ["tests.machine", "tests.machine.vm"])
def test_a_tier_that_cannot_run_says_why_on_its_last_line(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tier = importlib.import_module(f"{name}.__main__")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "argv", [name])
    assert tier.main() == 77
    assert (
        capsys.readouterr()
        .out.splitlines()[-1]
        .startswith("not run: building and booting a Debian needs root: sudo make test-")
    )
