"""The machine's disk: a Debian with a kernel, the modules of ``modules.py``, picamera2 as a package, and Thoth installed by its own installer.

Kept outside the checkout are the Debian, by its packages; what is laid over it, by its recipe and the kernel's version; and of the last checkout what its
installation wrote, and the disk.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.machine import tree
from tests.machine.container import Container, WrongError
from tests.machine.steps import ROOT
from tests.machine.trial import SOURCE
from tests.machine.vm import layer, modules

PICAMERA2 = "0.3.38"
GUEST = (
    *tree.PACKAGES,
    *tree.LARGE,
    "linux-image-amd64",
    "initramfs-tools",
    "zstd",
    "e2fsprogs",
    # What picamera2's own package depends on, as far as it is asked for without a screen.
    "python3-libcamera",
    "libcamera-ipa",
    "python3-prctl",
    "python3-jsonschema",
    "python3-libarchive-c",
    "python3-piexif",
    "python3-tqdm",
    "python3-av",
)
BUILDER = ("linux-headers-amd64", "linux-source-6.12", "xz-utils", "bc")
HOST = {
    **tree.HOST,
    "qemu-system-x86_64": "qemu-system-x86",
    "mkfs.ext4": "e2fsprogs",
    "dpkg-deb": "dpkg",
    "tar": "tar",
}
SIZE = "3500M"
_INITRD = "MODULES=list\n"
_BOOT_MODULES = "virtio_pci\nvirtio_blk\next4\n"
"""All that is needed until the root is mounted: a small initrd is unpacked in seconds, where everything takes half a minute."""
_CONTROL = f"""\
Package: python3-picamera2
Version: {PICAMERA2}
Architecture: all
Maintainer: Thoth's tests
Depends: python3-libcamera, python3-numpy, python3-pil, python3-piexif, python3-prctl, python3-av
Description: picamera2 from PyPI under the name that it has on a Raspberry Pi
"""
_WHEELS = (f"picamera2=={PICAMERA2}", "pidng", "simplejpeg", "videodev2")


@dataclass(frozen=True, slots=True)
class Image:
    """``disk``: the root file system; ``kernel`` and ``initrd`` to boot it with; ``version``: of Thoth."""

    disk: Path
    kernel: Path
    initrd: Path
    version: str


def debian(tell: Callable[[str], None]) -> Path:
    """The Debian with a kernel; built when there is none of these packages. Raises CannotRunError."""
    kept = tree.cache() / f"vm-debian-{_key(tree.SUITE, GUEST)}"
    if not kept.is_dir():
        for old in tree.cache().glob("vm-*"):
            shutil.rmtree(old, ignore_errors=True)
        tell("Debian 13 with a kernel")
        with tempfile.TemporaryDirectory(dir=tree.cache(), prefix=".building-") as place:
            tree.debootstrap(GUEST, Path(place), Path(place) / "tree")
            Path(place, "tree").rename(kept)
    return kept


def devices(below: Path, tell: Callable[[str], None]) -> Path:
    """What is laid over that Debian: modules for its kernel, whose version stands in the name, and picamera2. Raises CannotRunError."""
    version = version_of(below)
    sources = [path.read_text() for path in sorted(modules.OURS.iterdir())]
    parts = (
        BUILDER,
        _INITRD,
        _BOOT_MODULES,
        _CONTROL,
        _WHEELS,
        repr(modules.CHANGES),
        modules.KBUILD,
        sources,
    )
    kept = (
        tree.cache()
        / f"vm-devices-{_key(below.name, *parts, (layer.GUEST / 'pykms.py').read_text())}-{version}"
    )
    if kept.is_dir():
        return kept
    for old in tree.cache().glob("vm-devices-*"):
        shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=tree.cache(), prefix=".building-") as place:
        with tree.overlay(below) as builder:
            tell(f"modules for Linux {version}")
            enter(builder, "apt-get", "update", "-q")
            enter(builder, "apt-get", "install", "-y", "-q", "--no-install-recommends", *BUILDER)
            built = []
            for module in modules.build(builder, version):
                enter(builder, "strip", "--strip-debug", f"/{module.relative_to(builder)}")
                built.append(Path(shutil.copy(module, place)))
            tell("picamera2 as a package")
            package = picamera2(builder, Path(place))
        with tree.overlay(below, keep=Path(place) / "upper") as made:
            extra = made / f"usr/lib/modules/{version}/extra"
            extra.mkdir(exist_ok=True)
            for module in built:
                shutil.copy(module, extra)
            shutil.copy(package, made / "root/python3-picamera2.deb")
            (made / "etc/initramfs-tools/conf.d/machine").write_text(_INITRD)
            (made / "etc/initramfs-tools/modules").write_text(_BOOT_MODULES)
            enter(made, "dpkg", "--install", "/root/python3-picamera2.deb")
            enter(made, "depmod", version)
            enter(made, "update-initramfs", "-u", "-k", version)
        Path(place, "upper").rename(kept)
    return kept


def version_of(made: Path) -> str:
    """Of the newest kernel in a tree."""
    return max(path.name.removeprefix("vmlinuz-") for path in made.glob("boot/vmlinuz-*"))


def _key(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def picamera2(builder: Path, place: Path) -> Path:
    """picamera2 as the Debian package that a Raspberry Pi has and plain Debian has not."""
    inside = builder / "root/picamera2"
    target = inside / "usr/lib/python3/dist-packages"
    target.mkdir(parents=True)
    (inside / "DEBIAN").mkdir()
    (inside / "DEBIAN/control").write_text(_CONTROL)
    enter(builder, "python3", "-m", "venv", "/root/pip")
    pip = ("/root/pip/bin/pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps")
    enter(builder, *pip, "--target", f"/{target.relative_to(builder)}", *_WHEELS)
    shutil.copy(layer.GUEST / "pykms.py", target)
    made = place / "python3-picamera2.deb"
    run("dpkg-deb", "--root-owner-group", "--build", str(inside), str(made))
    return made


def disk(place: Path, tell: Callable[[str], None]) -> Image:
    """The disk with this checkout's Thoth on it. Raises CannotRunError, or WrongError when Thoth cannot be installed."""
    source = place / "thoth"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in ("engines", "vision", "hardware", "firmware", "systemd"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    below = debian(tell)
    above = devices(below, tell)
    installed = tree.cache() / f"vm-thoth-{_key(above.name, digest(source))}"
    kept = tree.cache() / f"vm-disk-{_key(installed.name, layer.FILES, layer.MASKED, digest(layer.GUEST))}"
    if kept.is_dir():
        return _image(kept)
    for old in tree.cache().glob("vm-disk-*"):
        shutil.rmtree(old, ignore_errors=True)
    if not installed.is_dir():
        for old in tree.cache().glob("vm-thoth-*"):
            shutil.rmtree(old, ignore_errors=True)
        tell("Thoth installed by systemd/install")
        with tree.overlay(above, below, keep=installed) as merged:
            install(merged, source, place)
    tell("a disk of it")
    with (
        tree.overlay(installed, above, below) as merged,
        tempfile.TemporaryDirectory(dir=tree.cache(), prefix=".building-") as beside,
    ):
        layer.lay_over(merged)
        made = Path(beside) / "disk"
        made.mkdir()
        run("mke2fs", "-q", "-t", "ext4", "-L", layer.ROOT, "-d", str(merged), str(made / "root.img"), SIZE)
        version = version_of(merged)
        shutil.copy(merged / f"boot/vmlinuz-{version}", made / "vmlinuz")
        shutil.copy(merged / f"boot/initrd.img-{version}", made / "initrd")
        (made / "version").write_text((merged / "opt/thoth/current").readlink().name)
        made.rename(kept)
    return _image(kept)


def _image(kept: Path) -> Image:
    return Image(kept / "root.img", kept / "vmlinuz", kept / "initrd", (kept / "version").read_text())


def install(merged: Path, source: Path, place: Path) -> None:
    """Boot the tree in a container and let Thoth's own installer do its work."""
    shutil.copytree(source, merged / SOURCE.lstrip("/"))
    box = Container(merged, place / "install.log")
    try:
        box.boot()
        said = box.run(f"{SOURCE}/systemd/install", timeout=1800)
        if "without the camera driver" in said:
            raise WrongError(f"the installer did not see picamera2's package:\n{said}")
        box.run("systemctl", "stop", "thoth.service")
        box.power_off()
    finally:
        box.kill()
    shutil.rmtree(merged / SOURCE.lstrip("/"))
    shutil.rmtree(merged / "var/lib/thoth", ignore_errors=True)
    (merged / "var/lib/thoth").mkdir(mode=0o700)


def digest(folder: Path) -> str:
    """Of names and contents below a folder."""
    made = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            made.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    return made.hexdigest()


def enter(root: Path, *words: str) -> str:
    """Run a command in a tree, with this machine's network. Raises CannotRunError."""
    options = ["systemd-nspawn", "--quiet", f"--directory={root}", "--register=no", "--keep-unit", "--pipe"]
    options += ["--resolv-conf=copy-host", *tree.stores(root), "--setenv=DEBIAN_FRONTEND=noninteractive"]
    options += [f"--setenv={name}={value}" for name, value in tree.authority(root).items()]
    return run(*options, "--", *words)


def run(*words: str) -> str:
    """What a command said. Raises CannotRunError when it fails."""
    done = subprocess.run(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise tree.CannotRunError(
            f"{' '.join(words[-6:])}: exit {done.returncode}: {done.stdout.strip()[-1500:]}"
        )
    return done.stdout


def state(place: Path) -> Path:
    """An empty file system for what Thoth writes, and what power cuts are tried on."""
    path = place / "state-0.img"
    run("mke2fs", "-q", "-t", "ext4", "-L", layer.STATE, str(path), "64M")
    return path
