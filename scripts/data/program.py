"""Parts of the programs that `sanlab corpus` starts: messages and output folders."""

import gc
import json
import os
import sys
import unicodedata
from contextlib import contextmanager


class BadInput(Exception):
    """An input that is missing or invalid. The text is one line for the user."""


# ---- messages ----


def mask(text):
    """Replaces characters that a terminal may interpret (core/base/mask.h)."""
    return "".join("?" if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") or "\u202a" <= one <= "\u202e" or
                   "\u2066" <= one <= "\u2069" else one for one in str(text))


def warn(message):
    """Prints a warning, in one line on standard error."""
    print(f"sanlab: warning: {mask(message)}", file=sys.stderr)


def fail(message):
    """Ends the program with one line on standard error."""
    print(f"sanlab: {mask(message)}", file=sys.stderr)
    sys.exit(65)


def run(parser, make):
    """Reads the arguments and calls make(options)."""
    parser.error = lambda message: fail(f"{parser.prog}: {message}; see --help")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")
    gc.disable()  # nearly all objects live until the end; looking for garbage takes half of the time
    try:
        make(options)
    except BadInput as error:
        fail(error)
    except OSError as error:
        fail(f"{error.filename or options.out}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(130)


# ---- files ----


def folder_names(path):
    """Returns the names in a folder, sorted by bytes, without hidden and temporary names."""
    return sorted((name for name in os.listdir(path) if name[0] != "." and ".tmp-" not in name),
                  key=os.fsencode)


def write_file(path, lines):
    """Writes lines to a temporary file, syncs the file and renames it to `path`."""
    partial = f"{path}.tmp-{os.getpid()}"
    try:
        with open(partial, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(line + "\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from None


def read_description(path):
    """Returns the object in a JSON file; {} if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


@contextmanager
def open_folder(out, is_ours):
    """Opens an output folder. The body of the statement writes its files, the last one is description.json.

    The folder must be new, empty, or written by the same command before, even if that run was interrupted:
    is_ours(content of description.json) is true. A hidden file marks the folder until all files are complete."""
    mark, description = f"{out}/.unfinished", f"{out}/description.json"
    if not out:
        raise BadInput("the path of a folder is empty; expected a path")
    if os.path.exists(out) and not os.path.isdir(out):
        raise BadInput(f"{out}: is not a folder; expected a folder or a new path")
    names = folder_names(out) if os.path.isdir(out) else []
    if names and not os.path.isfile(mark) and not is_ours(read_description(description)):
        raise BadInput(f"{out}: has other files ({names[0]}{', ..' if names[1:] else ''}); expected a new or "
                       "empty folder, or a folder with text of the same command")
    try:
        os.makedirs(out, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{out}: folder cannot be made: {error.strerror}") from None
    write_file(mark, [])
    if os.path.exists(description):
        os.remove(description)
    yield
    os.remove(mark)
