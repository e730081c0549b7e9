"""Starts the program: `python -m sanlab WORD..` is `sanlab WORD..`."""

import os
import sys
from importlib import metadata
from pathlib import Path


def program() -> str:
    """Returns the path of the program: in the folder above python/, or where the wheel was installed."""
    here = Path(__file__).resolve().parents[2] / "sanlab"
    if here.is_file():
        return str(here)
    for file in metadata.files("sanlab") or []:
        if file.match("bin/sanlab"):
            return os.path.realpath(file.locate())
    sys.exit("sanlab: the installed package has no program; install the wheel again")


if __name__ == "__main__":
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
