"""Starts the program: `python -m sanlab WORD..` is `sanlab WORD..`."""

import os
import sys


def program() -> str:
    """Returns the path of the program: in the folder above python/, or where the wheel was installed."""
    above = os.path.abspath(__file__ + "/../../..")
    for folder in (above, os.path.dirname(sys.executable)):
        if os.path.isfile(f"{folder}/sanlab"):
            return f"{folder}/sanlab"
    from importlib import metadata  # takes 50 ms; needed for an installation in the user's folder
    for file in metadata.files("sanlab") or []:
        if file.match("bin/sanlab"):
            return os.path.realpath(file.locate())
    sys.exit("sanlab: the installed package has no program; install the wheel again")


if __name__ == "__main__":
    path = program()
    os.execv(path, [path, *sys.argv[1:]])
