"""Starts the program: `python -m sanlab WORD..` is `sanlab WORD..`."""

import os
import sys

from .program import Error, find_program

if __name__ == "__main__":
    try:
        path = find_program()
    except Error as error:
        sys.exit(f"sanlab: {error}")
    os.execv(path, [path, *sys.argv[1:]])
