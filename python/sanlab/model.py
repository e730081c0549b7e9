"""Reads the parameters of trained models."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from . import safetensors
from .program import Error, command

FORMAT = "1"  # format_version that this module reads
BESIDE = {"source_vocabulary": "vocabulary.source", "target_vocabulary": "vocabulary.target", "codes": "codes.bpe"}


class Model(Mapping):
    """The arrays of a model by the names of docs/format.md, float32, read-only. A weight is [in, out].

    options: all options with their defaults: options["model"]["width"]. metadata: the texts of the file.
    vocabulary: {"source": [token, ..], "target": [..]}, where the index is the id; {} for a classifier of pairs.
    merges: pairs of pieces in the order in which they were learned."""

    def __init__(self, path: str | Path):
        import numpy
        tensors, self.metadata = safetensors.read(path)
        said = self.metadata.get("format"), self.metadata.get("format_version")
        if said != ("sanlab", FORMAT) or "options" not in self.metadata:
            raise Error(f"{path}: its metadata do not say what it is (format sanlab, version {FORMAT})")
        self._arrays = {name: numpy.frombuffer(data, "<f4").reshape(shape)
                        for name, (shape, data) in tensors.items()}
        self.options: dict = json.loads(self.metadata["options"])
        self.vocabulary: dict[str, list[str]] = {}
        self.merges: list[tuple[str, ...]] = []
        if "codes" in self.metadata:
            self._read_words(path)

    def _read_words(self, path: str | Path) -> None:
        lines = {}
        for key, name in BESIDE.items():
            joint = self.options["corpus"]["joint"] and key != "codes"
            file = Path(f"{path}.{'vocabulary' if joint else name}")
            data = file.read_bytes()
            if hashlib.sha256(data).hexdigest() != self.metadata[key]:
                raise Error(f"{file}: belongs to another model than {path} (another SHA-256)")
            lines[key] = data.decode("utf-8").rstrip("\n").split("\n")
        for side in ("source", "target"):
            self.vocabulary[side] = [line.rsplit("\t", 1)[0] for line in lines[f"{side}_vocabulary"]]
        self.merges = [tuple(line.split(" ")) for line in lines["codes"][1:]]

    def __getitem__(self, name: str) -> numpy.ndarray:  # noqa: F821
        return self._arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)


def parameters(model: str | Path, checkpoint: str = "best", runs: str | Path = "runs") -> Model:
    """Returns the parameters of FILE.safetensors, as `sanlab export model` writes it, with the files next to it.

    Other words name a train stage, "tour/Gate/1", whose model is exported to a temporary file. `checkpoint` is its
    checkpoint: best, last, average(N) or start."""
    if str(model).endswith(".safetensors"):
        return Model(model)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.safetensors")
        command("export", "model", model, "--checkpoint", checkpoint, "--out", path, "--runs", runs)
        return Model(path)
