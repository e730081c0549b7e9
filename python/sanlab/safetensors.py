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
    except ValueError:
        raise Error(f"{path}: not a safetensors file") from None
    metadata = header.pop("__metadata__", {})
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        end = at + 4 * math.prod(entry["shape"])
        if entry["dtype"] != "F32" or entry["data_offsets"] != [at, end]:
            raise Error(f"{path}: {name} is not {(end - at) // 4} numbers of dtype F32 at {at}")
        tensors[name] = entry["shape"], data[begin + at:begin + end]
        at = end
    left = len(data) - begin - at
    if left:
        raise Error(f"{path}: {abs(left)} bytes {'behind the last tensor' if left > 0 else 'are missing at the end'}")
    return tensors, metadata
