"""The unit file: what systemd itself says of it (P38, P51, P65), and that each lock and limit that others count on stands in it."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEM = Path(__file__).parent.parent / "systemd"
UNIT = (SYSTEM / "thoth.service").read_text()
analysed = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")


def values(key: str) -> list[str]:
    """What the unit says for a key, word by word, in order."""
    lines = re.findall(rf"^{key}=(.*)$", UNIT, re.MULTILINE)
    return [word for line in lines for word in line.split()]


def analyse(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words],
        capture_output=True,
        text=True,
        check=False,
        env={"SYSTEMD_UNIT_PATH": f"{folder}:", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )


def laid_out(folder: Path, network: bool = False) -> Path:
    """The unit where systemd-analyze finds it; the program it starts is one that is here."""
    text = UNIT.replace("/opt/thoth/current/bin/thoth", shutil.which("true") or "/bin/true")
    (folder / "thoth.service").write_text(text)
    if network:
        (folder / "thoth.service.d").mkdir()
        shutil.copy(SYSTEM / "thoth-network.conf", folder / "thoth.service.d" / "network.conf")
    return folder / "thoth.service"


@analysed
@pytest.mark.parametrize(("network", "most"), [(False, 1.0), (True, 1.5)], ids=["alone", "local network"])
def test_exposure(tmp_path: Path, network: bool, most: float) -> None:
    unit = laid_out(tmp_path, network)
    done = analyse(tmp_path, "security", "--offline=true", "--no-pager", str(unit))
    found = re.search(r"Overall exposure level for thoth\.service: ([0-9.]+)", done.stdout)
    assert found, done.stdout + done.stderr
    assert float(found[1]) <= most
    # That the drop-in counts at all shows in the figure: it opens something.
    assert not network or float(found[1]) > 1.0


@analysed
@pytest.mark.parametrize("network", [False, True], ids=["alone", "local network"])
def test_systemd_finds_no_fault_in_it(tmp_path: Path, network: bool) -> None:
    unit = laid_out(tmp_path, network)
    done = analyse(tmp_path, "verify", str(unit))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analysed
def test_a_fault_would_be_found(tmp_path: Path) -> None:
    unit = laid_out(tmp_path)
    unit.write_text(unit.read_text().replace("WatchdogSec=60", "WatchdogSec=soon"))
    assert analyse(tmp_path, "verify", str(unit)).stderr


def test_it_waits_for_no_network_and_no_clock() -> None:
    assert not re.search(r"^(After|Wants|Requires|BindsTo)=", UNIT, re.MULTILINE)


def test_lgpio_finds_a_folder_it_may_write() -> None:
    assert values("RuntimeDirectory") == ["thoth"]
    assert values("WorkingDirectory") == ["/run/thoth"]
    assert "LG_WD=/run/thoth" in values("Environment")


def test_the_devices_are_those_that_are_driven() -> None:
    assert values("DevicePolicy") == ["closed"]
    kinds = {word for word in values("DeviceAllow") if word != "rw"}
    assert kinds == {
        f"char-{kind}" for kind in ("gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap")
    }


def test_the_user_has_the_groups_of_these_devices() -> None:
    assert set(values("SupplementaryGroups")) == {"gpio", "i2c", "spi", "video"}
    users = (SYSTEM / "thoth.sysusers").read_text()
    assert set(re.findall(r"^m thoth (\w+)$", users, re.MULTILINE)) == {"gpio", "i2c", "spi", "video"}


def test_it_starts_again_within_reason_and_fits_a_small_pi() -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(UNIT)
    service, unit = parser["Service"], parser["Unit"]
    assert service["Type"] == "notify" and service["Restart"] == "on-failure"
    # Ten starts, however quickly they fail, must be possible within the interval, or the limit would never bite.
    assert int(unit["StartLimitBurst"]) * int(service["RestartSec"]) < int(unit["StartLimitIntervalSec"])
    assert int(service["WatchdogSec"]) <= 60 and int(service["TimeoutStopSec"]) <= 5
    high, most = (int(service[key].removesuffix("M")) for key in ("MemoryHigh", "MemoryMax"))
    assert high <= 200 < most <= 280, "of the 512 MB of a Pi Zero 2 W"


def test_freed_memory_is_not_kept() -> None:
    kept = dict(word.split("=") for word in values("Environment"))
    # Fixed limits: those that the C library chooses by itself grow to 32 MB with the first large picture.
    assert int(kept["MALLOC_MMAP_THRESHOLD_"]) <= 1 << 18 and int(kept["MALLOC_TRIM_THRESHOLD_"]) <= 1 << 20
    assert int(kept["MALLOC_ARENA_MAX"]) <= 2
    assert kept["PYTHONMALLOC"] == "malloc", "or Python's own heap keeps what was freed"
