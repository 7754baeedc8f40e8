"""The steps of the container tier, in order. Each raises WrongError, or returns what was measured."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from tests.machine.container import WrongError, until
from tests.machine.evening import SETTINGS, Evening
from tests.machine.looks import (
    UNIT,
    Denied,
    Peak,
    cpu_s,
    cpu_share,
    crowded,
    difference,
    memory_mb,
    put,
    runs,
    snapshot,
    start_s,
    within,
)
from tests.machine.trial import Trial

ROOT = Path(__file__).parents[2]
HOOKS = "/srv/hooks"
READY_S, STOP_S, WAITING_CPU, MEMORY_MB, MOST_MB = 3.0, 2.0, 0.05, 110.0, 280.0
"""At the most: seconds from start to READY and for a stop, share of one core while a move is waited for, the service's own memory, and
that with the files it maps where nothing makes the kernel drop them (the unit's MemoryHigh does)."""
_DROP_IN = f"""\
[Service]
Environment=PYTHONPATH={HOOKS}
"""
_IMPATIENT = "/etc/systemd/system/thoth.service.d/impatient.conf"


def copy_checkout(t: Trial) -> str:
    """A copy of this checkout, in which nobody works while it is installed"""
    copy = t.place / "thoth"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for name in ("engines", "vision", "hardware", "firmware", "systemd"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    t.source()
    return ""


def boots(t: Trial) -> str:
    """The Debian boots"""
    t.box.boot()
    return t.box.ask("systemctl", "--version").splitlines()[0]


def dry_run(t: Trial) -> str:
    """A dry run says what would be done and does nothing"""
    before = snapshot(t.merged)
    said = t.install("--dry-run")
    if "would install " not in said or "would build Thoth" not in said:
        raise WrongError(said)
    if changed := difference(before, snapshot(t.merged)):
        raise WrongError(f"a dry run changed {changed}")
    return said.strip().splitlines()[-1]


def installs(t: Trial) -> str:
    """Installed: packages, pin library, program, user, unit"""
    said = t.install()
    t.first = t.current()
    if "installed without the camera driver" not in said:
        raise WrongError(f"plain Debian has no picamera2, and that was not said:\n{said}")
    python = "/opt/thoth/current/bin/python"
    own = t.box.run(python, "-m", "pip", "list", "--local", "--format=freeze").lower()
    if re.search(r"^(opencv|numpy)", own, re.MULTILINE):
        raise WrongError(f"a second library beside the system's:\n{own}")
    if re.search(r"^gpiozero==2\.0\.1\.post[12]$", own, re.MULTILINE):
        raise WrongError("gpiozero is one of the broken releases")
    t.box.run(python, "-c", "import lgpio, gpiozero.pins.lgpio, luma.oled.device, smbus2, cv2, numpy, spidev")
    groups = set(t.box.run("id", "--name", "--groups", "thoth").split())
    if not {"gpio", "i2c", "spi", "video"} <= groups:
        raise WrongError(f"the user thoth is in {groups}")
    if t.box.shows("UnitFileState") != "enabled":
        raise WrongError("the unit is not enabled")
    return f"Thoth {t.first}"


def second_install(t: Trial) -> str:
    """A second installation changes nothing"""
    before, pid = snapshot(t.merged), t.box.pid
    said = t.install()
    if "Nothing to change." not in said:
        raise WrongError(said)
    if changed := difference(before, snapshot(t.merged)):
        raise WrongError(f"a second installation changed {changed}")
    if pid == 0 or t.box.pid != pid:
        raise WrongError("a second installation started the service anew")
    return ""


def starts_with_the_machine(t: Trial) -> str:
    """After a boot the service is there by itself, ready in time"""
    t.box.power_off()
    shutil.copytree(
        ROOT / "tests/machine/inside",
        t.merged / HOOKS.lstrip("/"),
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    put(t.merged, "/etc/systemd/system/thoth.service.d/fingers.conf", _DROP_IN)
    put(t.merged, "/etc/thoth/thoth.toml", SETTINGS)
    t.evening = Evening(t.box)
    t.evening.show()
    t.plug()
    t.box.boot((str(t.stick),))
    until(lambda: t.box.shows("ActiveState") == "active", 60, lambda: t.box.log_of())
    first = start_s(t.box)
    # The boot of a whole system competes for the same cores; what the service itself needs is seen when it starts alone.
    t.box.run("systemctl", "restart", UNIT)
    alone, used = start_s(t.box), cpu_s(t.box.pid)
    if used > READY_S or (alone > READY_S and not crowded()):
        raise WrongError(f"READY after {alone:.2f} s, {used:.2f} s of a core, not {READY_S}")
    return f"READY after {first:.2f} s while booting, {alone:.2f} s alone ({used:.2f} s of a core)"


def plays(t: Trial) -> str:
    """A night: menu, laid-out table, moves seen, confirmed and kept"""
    with Denied(t.box, t.place) as refused, Peak(t.box) as peak:
        t.evening.begin()
        t.evening.play(6)
    t.peak_mb = peak.mb
    if refused:
        raise WrongError("access was denied:\n" + "\n".join(refused))
    return f"{len(t.evening.moves)} moves, no access denied"


def waits_cheaply(t: Trial) -> str:
    """Waiting for a move costs little"""
    time.sleep(3)
    share = cpu_share(t.box.pid, 15.0)
    if share > WAITING_CPU:
        raise WrongError(f"{share:.1%} of a core while a move is waited for")
    return f"{share:.1%} of a core"


def remembers(t: Trial) -> str:
    """Memory stays within what a Pi Zero 2 W has"""
    now, with_files = (memory_mb(t.box.pid, which) for which in ("RssAnon", "VmHWM"))
    if t.peak_mb > MEMORY_MB or with_files > MOST_MB:
        raise WrongError(f"peak {t.peak_mb:.0f} MB of its own, {with_files:.0f} MB with the files it maps")
    return f"of its own {t.peak_mb:.0f} MB at the most, {now:.0f} MB now; {with_files:.0f} MB with the files it maps"


def hardened(t: Trial) -> str:
    """The unit's locks are on: network, devices, files, rights"""
    pid = t.box.pid
    status = Path(f"/proc/{pid}/status").read_text()
    wanted = {"NoNewPrivs": "1", "Seccomp": "2", "CapBnd": "0" * 16, "CapEff": "0" * 16}
    for key, value in wanted.items():
        if f"{key}:\t{value}\n" not in status:
            raise WrongError(f"{key} is not {value}:\n{status}")
    links = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
    if [line.split(":")[0].strip() for line in links] != ["lo"]:
        raise WrongError(f"the service sees a network: {links}")
    for words in (
        ("touch", "/etc/x"),
        ("touch", "/opt/thoth/x"),
        ("ls", "/root/x"),
        ("mknod", "/run/thoth/x", "c", "1", "3"),
    ):
        if (
            "denied" not in (said := within(t.box, *words))
            and "Read-only" not in said
            and "not permitted" not in said
        ):
            raise WrongError(f"inside the unit, {' '.join(words)}: {said or 'was allowed'}")
    if said := within(t.box, "touch", "/run/thoth/may", "/var/lib/thoth/may"):
        raise WrongError(f"inside the unit its own folders cannot be written: {said}")
    exposure = t.box.run("systemd-analyze", "security", "--no-pager", UNIT).strip().splitlines()[-1]
    number = re.search(r"\d+\.\d", exposure)
    if number is None or float(number[0]) > 1.0:
        raise WrongError(exposure)
    t.box.run(
        "systemd-analyze", "verify", f"/etc/systemd/system/{UNIT}", "/etc/systemd/system/thoth-stick@.service"
    )
    return f"exposure {number[0]}"


def rereads(t: Trial) -> str:
    """Settings are read anew on request, while the night goes on"""
    pid = t.box.pid
    put(t.merged, "/etc/thoth/thoth.toml", SETTINGS.replace('"Ben"]', '"Ben", "Clara"]'))
    t.box.run("systemctl", "reload", UNIT)
    until(lambda: "settings read anew: names" in t.box.log_of(), 60, lambda: t.box.log_of()[-500:])
    t.evening.play(1)
    if t.box.pid != pid:
        raise WrongError("the service started anew")
    return ""


def bites(t: Trial) -> str:
    """A hung process is killed by the watchdog, and the night goes on where it was"""
    put(t.merged, _IMPATIENT, "[Service]\nWatchdogSec=15\n")
    t.anew()
    pid, before = t.box.pid, len(t.evening.moves)
    t.evening.hang()
    began = time.monotonic()
    until(
        lambda: t.box.shows("NRestarts") != "0" and t.box.pid not in (0, pid),
        90,
        lambda: t.box.shows("SubState"),
    )
    until(lambda: t.box.shows("ActiveState") == "active", 90, lambda: t.box.log_of()[-500:])
    seconds = time.monotonic() - began
    log = t.box.log_of()
    if "watchdog" not in log.lower() or "Fatal Python error: Aborted" not in log or "shell.py" not in log:
        raise WrongError(f"the log does not say where it hung:\n{log[-3000:]}")
    t.evening.kept()
    t.evening.play(1)
    if len(t.evening.moves) == before:
        raise WrongError("the night did not go on")
    (t.merged / _IMPATIENT.lstrip("/")).unlink()
    t.anew()
    return f"back after {seconds:.1f} s (watchdog 15 s instead of 60)"


def reads_a_stick(t: Trial) -> str:
    """A stick is mounted for the service while it runs, read, and written to when the players ask"""
    name = t.stick.name
    t.box.run("/opt/thoth/current/system/stick", "mount", name)
    t.evening.reads(lambda text: "From the stick" in text, "what the stick brought")
    t.evening.push("confirm")
    t.evening.push("down", 1.2)
    t.evening.choose("USB stick")
    t.evening.choose("ecords")
    t.evening.reads(lambda text: "written" in text, "that records were written")
    inside = f"/run/thoth/stick/{name}/thoth"
    found = t.box.run("find", inside, "-name", "*.txt", "-path", "*records*").split()
    if not found:
        raise WrongError(f"no record on the stick: {t.box.ask('find', inside)}")
    t.box.run("systemctl", "restart", UNIT)
    if t.box.ask("find", inside, "-name", "*.txt", "-path", "*records*").split() != found:
        raise WrongError("the stick is gone after the service started anew")
    # It is looked at a moment after the start: only when that was told can nothing more come between two moves.
    t.evening.reads(lambda text: "Stick is in" in text, "the stick that was in before the start")
    t.evening.push("confirm")
    t.box.run("/opt/thoth/current/system/stick", "unmount", name)
    t.evening.play(1)
    return f"{len(found)} record"


def stops(t: Trial) -> str:
    """It stops in time, and says good night"""
    began = time.monotonic()
    t.box.run("systemctl", "stop", UNIT)
    seconds = time.monotonic() - began
    if seconds > STOP_S * (2 if crowded() else 1):
        raise WrongError(f"a stop took {seconds:.1f} s")
    if t.box.shows("Result") != "success":
        raise WrongError(f"it ended with {t.box.shows('Result')}")
    t.box.run("systemctl", "start", UNIT)
    t.evening.play(1)
    return f"{seconds:.2f} s"


def updates(t: Trial) -> str:
    """An update is built beside, proves itself, and takes over with the night as it was"""

    def newer(source: Path) -> None:
        project = source / "pyproject.toml"
        project.write_text(
            re.sub(r'^version = ".*"$', 'version = "99.0.0"', project.read_text(), flags=re.MULTILINE)
        )

    t.source(newer)
    said = t.install()
    t.second = t.current()
    if not t.second.startswith("99.0.0+") or "proved itself" not in said:
        raise WrongError(said)
    if "99.0.0" not in t.box.run("thoth", "version"):
        raise WrongError("thoth version is not the update's")
    runs(t.box, t.second)
    t.evening.kept()
    t.evening.play(1)
    return f"Thoth {t.second}"


def refuses_what_does_not_prove_itself(t: Trial) -> str:
    """An update that fails its self-test is not used"""

    def broken(source: Path) -> None:
        (source / "engines/table.py").write_text("raise RuntimeError('half a copy')\n")

    pid, before = t.box.pid, t.versions()
    t.source(broken)
    said = t.install(code=1)
    if "did not prove itself" not in said or t.current() != t.second:
        raise WrongError(said)
    if t.box.pid != pid or t.versions() != before:
        raise WrongError("what was in use was touched, or the failed version lies there still")
    return ""


def refuses_what_does_not_start(t: Trial) -> str:
    """An update that proves itself but does not start is taken back"""

    def deaf(source: Path) -> None:
        unit = source / "systemd/thoth.service"
        unit.write_text(
            unit.read_text()
            .replace("bin/thoth run", "bin/thoth run --no-such-option")
            .replace("RestartSec=3", "RestartSec=0")
        )

    before = t.versions()
    t.source(deaf)
    said = t.install(code=1)
    if f"back to {t.second}" not in said or t.current() != t.second or t.versions() != before:
        raise WrongError(f"{said}\nthere are {t.versions()}")
    runs(t.box, t.second)
    t.evening.kept()
    return ""


def rolls_back(t: Trial) -> str:
    """thoth rollback goes back to the version before, and once more to the newer one"""
    # The version that did not start is gone; the one before is the first again.
    said = t.box.run("thoth", "rollback")
    if t.current() != t.first:
        raise WrongError(said)
    runs(t.box, t.first)
    t.evening.play(1)
    t.box.run("thoth", "rollback")
    if t.current() != t.second:
        raise WrongError("a second rollback did not go to the newer version")
    return ""


def power_button(t: Trial) -> str:
    """The service's user may switch the machine off, from inside the unit's locks, and nobody else may"""
    ask = (
        "busctl",
        "call",
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
    )
    unit = (t.merged / "etc/systemd/system/thoth.service").read_text()
    call = " ".join([*ask, "CanPowerOff"])
    unit = re.sub(r"^ExecStart=.*$", f"ExecStart={call}", unit, flags=re.MULTILINE)
    unit = re.sub(
        r"^(Type|Restart|WatchdogSec|ExecReload|NotifyAccess)=.*$", "", unit, flags=re.MULTILINE
    ).replace("[Service]", "[Service]\nType=oneshot")
    put(t.merged, "/etc/systemd/system/thoth-may.service", unit)
    t.box.run("systemctl", "daemon-reload")
    t.box.run("systemctl", "start", "thoth-may.service")
    if '"yes"' not in (said := t.box.log_of("thoth-may")):
        raise WrongError(f"logind's answer: {said}")
    others = t.box.ask(
        "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--", *ask, "CanPowerOff"
    )
    if '"yes"' in others:
        raise WrongError(f"nobody may switch it off too: {others}")
    (t.merged / "etc/systemd/system/thoth-may.service").unlink()
    return ""


def uninstalls(t: Trial) -> str:
    """Taken away, but for the journal and the settings; with --purge those too"""
    journal = t.merged / "var/lib/thoth/journal.db"
    t.install("--uninstall")
    left = [name for name in LEFT if (t.merged / name).exists()]
    if left or t.box.shows("LoadState") != "not-found":
        raise WrongError(f"still there: {left}, unit {t.box.shows('LoadState')}")
    if not journal.is_file() or not (t.merged / "etc/thoth/thoth.toml").is_file():
        raise WrongError("the journal or the settings are gone")
    t.evening.kept()
    t.install("--uninstall", "--purge")
    if (
        journal.exists()
        or (t.merged / "etc/thoth").exists()
        or t.box.run("getent", "passwd", "thoth", code=None)
    ):
        raise WrongError("--purge left something")
    return f"the journal with its {len(t.evening.moves)} moves was kept"


def switches_off(t: Trial) -> str:
    """The container switches off"""
    t.box.power_off()
    return ""


STEPS: tuple[Callable[[Trial], str], ...] = (
    copy_checkout,
    boots,
    dry_run,
    installs,
    second_install,
    starts_with_the_machine,
    plays,
    waits_cheaply,
    remembers,
    hardened,
    rereads,
    bites,
    reads_a_stick,
    stops,
    updates,
    refuses_what_does_not_prove_itself,
    refuses_what_does_not_start,
    rolls_back,
    power_button,
    uninstalls,
    switches_off,
)
LEFT = (
    "opt/thoth",
    "usr/local/bin/thoth",
    "etc/systemd/system/thoth.service",
    "etc/systemd/system/thoth-stick@.service",
    "etc/systemd/system/multi-user.target.wants/thoth.service",
    "etc/sysusers.d/thoth.conf",
    "etc/tmpfiles.d/thoth.conf",
    "etc/udev/rules.d/60-thoth.rules",
    "etc/polkit-1/rules.d/50-thoth.rules",
)
