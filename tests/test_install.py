"""Installing on a Raspberry Pi never brings a second OpenCV or NumPy beside the operating system's (P33, P36).

The "operating system" here is a copy of this interpreter with a site-packages of its own, in which cv2 lies as
apt lays it: importable, but without the metadata by which pip would know it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OWN = ("numpy", "opencv")


def run(*words: str | Path) -> str:
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, env=env, cwd="/", check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    assert spec and spec.origin
    return Path(spec.origin).parent


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an installer would unpack; building in the checkout itself would leave a stale build/ behind."""
    folder = tmp_path_factory.mktemp("source") / "thoth"
    for package in ("engines", "vision", "hardware", "firmware"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


@pytest.fixture(scope="module")
def system_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter whose own site-packages hold apt's cv2 (no metadata) and NumPy (with metadata)."""
    base = tmp_path_factory.mktemp("os")
    stdlib = Path(sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}))
    home = base / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = home / "site-packages"
    site.mkdir(parents=True)
    for entry in stdlib.iterdir():
        if entry.name not in ("site-packages", "dist-packages", "EXTERNALLY-MANAGED"):
            (home / entry.name).symlink_to(entry)
    (base / "bin").mkdir()
    python = base / "bin" / Path(os.path.realpath(sys.executable)).name
    shutil.copy(os.path.realpath(sys.executable), python)
    numpy = package_folder("numpy")
    for folder in (numpy, numpy.parent / "numpy.libs", *numpy.parent.glob("numpy-*.dist-info")):
        if folder.exists():
            (site / folder.name).symlink_to(folder)
    cv2 = site / "cv2"
    cv2.mkdir()
    (cv2 / "__init__.py").write_text('__version__ = "4.10.0"\n')
    return python


def test_the_plain_package_asks_pip_for_neither_opencv_nor_numpy(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--dry-run",
        "--ignore-installed",
        "--report",
        report,
        ROOT,
    )
    names = {entry["metadata"]["name"].lower() for entry in json.loads(report.read_text())["install"]}
    assert "thoth-tabletop" in names
    assert not [name for name in names if name.startswith(OWN)]
    gpiozero = next(
        e for e in json.loads(report.read_text())["install"] if e["metadata"]["name"].lower() == "gpiozero"
    )
    assert gpiozero["metadata"]["version"] not in ("2.0.1.post1", "2.0.1.post2")


def test_with_system_site_packages_the_operating_systems_opencv_is_loaded(
    source: Path, system_python: Path, tmp_path: Path
) -> None:
    venv = tmp_path / "venv"
    run(system_python, "-m", "venv", "--system-site-packages", venv)
    inside = venv / "bin" / "python"
    run(inside, "-m", "pip", "install", "--quiet", source)
    loaded = run(inside, "-c", "import cv2, numpy; print(cv2.__file__); print(numpy.__file__)").split()
    system_site = system_python.parent.parent / "lib"
    assert all(Path(path).is_relative_to(system_site) for path in loaded), loaded
    installed = [
        entry["name"].lower()
        for entry in json.loads(run(inside, "-m", "pip", "list", "--local", "--format=json"))
    ]
    assert "thoth-tabletop" in installed
    assert not [name for name in installed if name.startswith(OWN)]
