"""Runs the program sanlab as a child process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path


class Error(Exception):
    """Invalid input, or a failure of the program. The text is one line for the user."""


def installed_program() -> str | None:
    """Returns the path of the program that a wheel has installed, for example in the user's folder."""
    from importlib import metadata  # takes 50 ms
    try:
        files = metadata.files("sanlab") or []
    except metadata.PackageNotFoundError:
        return None
    paths = [os.path.realpath(file.locate()) for file in files if file.match("bin/sanlab")]
    return next(filter(os.path.isfile, paths), None)  # none after `pip install --target`


def find_program() -> str:
    """Returns the path of the program: $SANLAB, else the program of this source tree, else the one of this
    Python's environment, else the one of the installed wheel, else the one in $PATH."""
    name = os.environ.get("SANLAB")
    here = Path(__file__).resolve()
    for path in [name] if name else [here.parents[2] / "sanlab", Path(sys.executable).with_name("sanlab")]:
        if Path(path).is_file():
            return str(path)
    found = shutil.which(name) if name else installed_program() or shutil.which("sanlab")
    if not found:
        raise Error(f"there is no program {name or 'sanlab'}; expected its path in the variable SANLAB")
    return found


def command(*words: object) -> str:
    """Runs `sanlab WORDS..` and returns what it prints, without messages and progress.

    Raises Error with the program's last message if it fails: command("run", "tour", "--runs", "runs")."""
    child = subprocess.run([find_program(), *map(str, words)], stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if child.returncode:
        lines = (child.stderr or child.stdout).strip().splitlines() or [f"exit status {child.returncode}"]
        raise Error(lines[-1][len("sanlab: "):] if lines[-1].startswith("sanlab: ") else lines[-1])
    return child.stdout
