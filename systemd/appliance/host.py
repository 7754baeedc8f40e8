"""The machine that is being changed: commands run, files written, and a count of what was truly changed."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class Refused(Exception):  # noqa: N818 - what the machine said
    """It cannot be done; the sentence says why and what to do. Nothing that works was changed."""


@dataclass
class Host:
    """``root``: where the machine's ``/`` is (a test gives a folder). ``dry``: say what would be done, and do nothing."""

    root: Path = Path("/")
    dry: bool = False
    changes: int = field(default=0, init=False)

    def path(self, absolute: str) -> Path:
        """``/etc/thoth`` of this machine."""
        return self.root / absolute.lstrip("/")

    # -- telling -----------------------------------------------------------------------------------------

    def tell(self, state: str, what: str) -> None:
        """One line: ``state`` is "ok" (found so), "done" or "would", or "note"."""
        print(f"{state:5s} {what}", flush=True)

    def changed(self, what: str) -> bool:
        """Count and tell a change; False when it must not be carried out (a dry run)."""
        self.changes += 1
        self.tell("would" if self.dry else "done", what)
        return not self.dry

    # -- commands ----------------------------------------------------------------------------------------

    def ask(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a command that changes nothing; its exit code is not looked at. One that is not there exits with 127."""
        try:
            return subprocess.run(
                [str(word) for word in words],
                capture_output=True,
                text=True,
                check=False,
                stdin=subprocess.DEVNULL,
                timeout=120,
            )
        except (FileNotFoundError, subprocess.TimeoutExpired) as error:
            return subprocess.CompletedProcess(list(map(str, words)), 127, "", str(error))

    def run(
        self,
        words: Sequence[str | Path],
        remedy: str,
        environment: Mapping[str, str] | None = None,
        cwd: str | Path = "/",
        timeout: float | None = None,
    ) -> str:
        """Run a command that changes something and return what it said. Raises Refused, with the end of it and ``remedy``."""
        line = shlex.join(str(word) for word in words)
        try:
            done = subprocess.run(
                [str(word) for word in words],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                check=False,
                stdin=subprocess.DEVNULL,
                cwd=cwd,
                env={**os.environ, **(environment or {})},
                timeout=timeout,
            )
        except FileNotFoundError as error:
            raise Refused(f"{words[0]} is not there; {remedy}") from error
        except subprocess.TimeoutExpired as error:
            raise Refused(f"{line}: no end after {timeout:.0f} s; {remedy}") from error
        if done.returncode:
            end = "\n".join(done.stdout.strip().splitlines()[-12:])
            raise Refused(f"{line}: exit {done.returncode}; {remedy}\n{end}")
        return done.stdout

    # -- files -------------------------------------------------------------------------------------------

    def same(self, target: str, text: bytes, mode: int) -> bool:
        path = self.path(target)
        try:
            return path.read_bytes() == text and path.stat().st_mode & 0o777 == mode
        except OSError:
            return False

    def write(self, target: str, text: bytes, mode: int = 0o644) -> bool:
        """Make the file ``target`` hold ``text``, whole or not at all; True when it did not before."""
        if self.same(target, text, mode):
            return False
        if self.changed(f"write {target}"):
            path = self.path(target)
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).chmod(mode)
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        return True

    def link(self, target: str, to: str) -> bool:
        """Make ``target`` a symbolic link to ``to`` in one step, so that there is no moment without it; True when it was another."""
        path = self.path(target)
        if path.is_symlink() and path.readlink() == Path(to):
            return False
        if self.changed(f"{target} -> {to}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_name(f".{path.name}.new")
            beside.unlink(missing_ok=True)
            beside.symlink_to(to)
            beside.replace(path)
            self.sync(path.parent)
        return True

    def remove(self, target: str) -> bool:
        """Take a file, a link or a whole folder away; True when it was there."""
        path = self.path(target)
        if not path.is_symlink() and not path.exists():
            return False
        if self.changed(f"remove {target}"):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        return True

    @staticmethod
    def sync(folder: Path) -> None:
        """Make what was renamed in ``folder`` durable."""
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
