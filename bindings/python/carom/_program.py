"""The program ``carom`` that comes with the package."""

from __future__ import annotations

import os
import sys


class ProgramError(ValueError):
    """The program refused: its own line says why."""


def path() -> str:
    """Where the program is."""
    program = os.path.join(os.path.dirname(__file__), "bin", "carom")
    if not os.path.exists(program):
        raise ImportError(
            "this build of carom has no program: install cairo "
            "(Debian: libcairo2-dev) and install carom again"
        )
    return program


def run(*args: str, stdin: str = "") -> str:
    """Run a command of the program and return what it prints."""
    import subprocess

    done = subprocess.run([path(), *args], input=stdin, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ProgramError(done.stderr.strip().removeprefix("carom: ") or f"exit status {done.returncode}")
    return done.stdout


def main() -> None:
    """The console script: become the program."""
    program = path()
    os.execv(program, ["carom", *sys.argv[1:]])
