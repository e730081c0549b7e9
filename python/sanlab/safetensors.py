"""Reads safetensors files: the length of the header (u64), a JSON header, and the numbers of all tensors.

docs/format.md describes names, shapes and metadata of the files that sanlab writes."""

from __future__ import annotations

import json
import math
from pathlib import Path

from .program import Error


def read(path: str | Path) -> tuple[dict[str, tuple[list[int], memoryview]], dict[str, str]]:
    """Returns (shape, little-endian float32 bytes) of each tensor by its name, and the metadata.

    Raises Error unless the tensors fill the file without gaps."""
    data = memoryview(Path(path).read_bytes())
    begin, at, tensors = 8 + int.from_bytes(data[:8], "little"), 0, {}
    try:
        header = json.loads(bytes(data[8:begin]))
        metadata = dict(header.pop("__metadata__", {}).items())
        entries = sorted((*map(int, entry["data_offsets"]), name, entry["dtype"], [*map(int, entry["shape"])])
                         for name, entry in header.items())
    except (ValueError, TypeError, KeyError, AttributeError):
        raise Error(f"{path}: not a safetensors file") from None
    for *offsets, name, dtype, shape in entries:
        end = at + 4 * math.prod(shape)
        if dtype != "F32" or offsets != [at, end] or min(shape, default=0) < 0:
            raise Error(f"{path}: {name} is not {(end - at) // 4} numbers of dtype F32 at {at}")
        tensors[name] = shape, data[begin + at:begin + end]
        at = end
    left = len(data) - begin - at
    if left:
        raise Error(f"{path}: {abs(left)} bytes {'behind the last tensor' if left > 0 else 'are missing at the end'}")
    return tensors, metadata
