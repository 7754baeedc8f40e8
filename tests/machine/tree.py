"""The Debian 13 that is booted: built once by mmdebstrap, kept outside the checkout, and never written to (each run has an overlay)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

SUITE = "trixie"
PACKAGES = (
    "systemd", "systemd-sysv", "udev", "dbus", "kmod", "iproute2", "ca-certificates", "procps", "python3", "libpam-systemd",
)  # fmt: skip
"""What a Raspberry Pi OS Lite has and the installer may count on; all else it has to bring itself."""
LARGE = (
    "python3-opencv",
    "python3-numpy",
    "python3-pil",
    "python3-venv",
    "gcc",
    "libc6-dev",
    "make",
    "python3-dev",
    "swig",
)
"""What takes minutes to unpack. It lies ready in the cached tree unless a run from bare is asked for; the installer brings the rest."""
_DPKG = """\
force-unsafe-io
path-exclude=/usr/share/doc/*
path-exclude=/usr/share/man/*
path-exclude=/usr/share/locale/*
"""
"""A tree that is thrown away needs neither fsync nor manuals."""
HOST = {
    "mmdebstrap": "mmdebstrap",
    "systemd-nspawn": "systemd-container",
    "strace": "strace",
    "mke2fs": "e2fsprogs",
}
"""Commands that the tier uses here, and the packages that bring them."""
AUTHORITIES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE")


class CannotRunError(Exception):
    """The tier cannot run on this machine; the sentence says why."""


def cache() -> Path:
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thoth" / "machine"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def require(host: Mapping[str, str] = HOST, target: str = "test-container") -> None:
    """Raises CannotRunError unless the tier ``target`` can run here; as root, brings the commands of ``host`` that are missing."""
    if os.geteuid():
        raise CannotRunError(f"building and booting a Debian needs root: sudo make {target}")
    missing = sorted({package for command, package in host.items() if shutil.which(command) is None})
    if missing and shutil.which("apt-get"):
        print(f"installing {' '.join(missing)}", flush=True)
        for words in (
            ["update", "-q"],
            ["install", "-y", "-q", "--no-install-recommends", *missing, "debian-archive-keyring"],
        ):
            subprocess.run(
                ["apt-get", *words],
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )
    for command, package in host.items():
        if shutil.which(command) is None:
            raise CannotRunError(f"{command} is not here and could not be installed (package {package})")


def base(bare: bool) -> Path:
    """The tree, built when there is none of this recipe yet."""
    packages = PACKAGES if bare else PACKAGES + LARGE
    recipe = hashlib.sha256(json.dumps([SUITE, packages, _DPKG]).encode()).hexdigest()[:12]
    kind = "bare" if bare else "ready"
    tree = cache() / f"{SUITE}-{kind}-{recipe}"
    if tree.is_dir():
        return tree
    for old in cache().glob(f"{SUITE}-{kind}-*"):
        shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=cache(), prefix=".building-") as place:
        debootstrap(packages, Path(place), Path(place) / "tree")
        Path(place, "tree").rename(tree)
    return tree


def debootstrap(packages: Sequence[str], place: Path, made: Path) -> None:
    """A Debian with ``packages`` at ``made``; ``place``: a folder for what is needed meanwhile. Raises CannotRunError."""
    options = place / "dpkg"
    options.write_text(_DPKG)
    words = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}"]
    words += [f"--dpkgopt={options}", SUITE, str(made)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise CannotRunError(f"no Debian could be built: {done.stderr.strip()[-500:]}")
    shutil.copy(options, made / "etc/dpkg/dpkg.cfg.d/99-thrown-away")
    made.chmod(0o755)


@contextlib.contextmanager
def overlay(*lowers: Path, keep: Path | None = None) -> Iterator[Path]:
    """A tree that starts like ``lowers`` over one another, the topmost first, and may be written. It is gone afterwards; ``keep``: but for what
    was written, which is there then, to be laid over the same trees again (when the block ended well)."""
    _sweep()
    place = Path(tempfile.mkdtemp(dir=cache(), prefix=f"run-{os.getpid()}-"))
    merged = place / "merged"
    for name in ("upper", "work", "merged"):
        (place / name).mkdir()
    (place / "upper").chmod(0o755)
    layers = f"lowerdir={':'.join(map(str, lowers))},upperdir={place}/upper,workdir={place}/work"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, merged], check=True)
    try:
        yield merged
        if keep is not None:
            subprocess.run(["umount", merged], check=True)
            (place / "upper").rename(keep)
    finally:
        subprocess.run(["umount", "--lazy", merged], check=False, capture_output=True)
        shutil.rmtree(place, ignore_errors=True)


def _sweep() -> None:
    """Take away what runs left that were killed."""
    for place in cache().glob("run-*"):
        pid = place.name.split("-")[1]
        if not pid.isdigit() or not Path("/proc", pid).exists():
            subprocess.run(["umount", "--lazy", place / "merged"], check=False, capture_output=True)
            shutil.rmtree(place, ignore_errors=True)


def stores(merged: Path) -> list[str]:
    """nspawn's options for what outlives a run: downloaded packages, so that the next one is quicker."""
    options = []
    for name, target in (("debs", "/var/cache/apt/archives"), ("pip", "/root/.cache/pip")):
        folder = cache() / name
        folder.mkdir(exist_ok=True)
        (merged / target.lstrip("/")).mkdir(parents=True, exist_ok=True)
        options.append(f"--bind={folder}:{target}")
    (cache() / "debs" / "partial").mkdir(exist_ok=True)
    return options


def authority(merged: Path) -> dict[str, str]:
    """A machine whose registries are signed by an authority of its own says so by these variables; the container trusts it too."""
    bundle = next((Path(os.environ[name]) for name in AUTHORITIES if os.environ.get(name)), None)
    if bundle is None or not bundle.is_file():
        return {}
    inside = "/etc/ssl/certs/host.pem"
    shutil.copy(bundle, merged / inside.lstrip("/"))
    return dict.fromkeys(AUTHORITIES, inside)
