"""Reads the vectors of stages `encode`, and writes vectors of other models for `sanlab probe --vectors`.

An array has one row of float32 for each line of the task's file, [lines, width]."""

from __future__ import annotations

from pathlib import Path
from typing import Mapping

from .grids import database
from .program import Error


def vectors(grid: str, task: str, row: str | None = None, seed: int | None = None, path: str = "encoder.output",
            runs: str | Path = "runs") -> numpy.ndarray:  # noqa: F821
    """Returns the vectors of the sentences of a probing task, [lines, width], float32, read-only.

    row and seed may be omitted if the grid has one. path: "encoder.2", "bag", ..; they must be in
    evaluate.encode.keep or evaluate.probe.path of the grid. task may be "Tense@start": before training."""
    import numpy
    with database(grid, runs=runs) as tables:
        found = tables.execute("""SELECT row, seed, stage.id FROM place JOIN stage ON number = stage
            WHERE place.kind = 'encode' AND part = ? AND (? IS NULL OR row = ?) AND (? IS NULL OR seed = ?)
            ORDER BY position, seed""", (task, row, row, seed, seed)).fetchall()
    if len(found) != 1:
        names = ", ".join(f"{row}/{seed}" for row, seed, _ in found)
        raise Error(f"vectors: {grid} has " + (f"{names} with {task}; expected one row and seed" if found else
                                               f"no vectors of {task} for row={row}, seed={seed}"))
    file = Path(runs, "stages", f"encode-{found[0][2][:12]}", f"{path}.npy")
    if not file.exists():
        there = ", ".join(sorted(one.stem for one in file.parent.glob("*.npy"))) or "nothing"
        raise Error(f"vectors: there is no {file}; the stage has {there}")
    return numpy.load(file, mmap_mode="r")


def write_vectors(folder: str | Path, arrays: Mapping[str, numpy.ndarray], seed: int | None = None,  # noqa: F821
                  layer: int | str | None = None) -> list[str]:
    """Writes an array [lines, width] for each task, as float32, and returns the paths.

    The files are FOLDER/TASK.npy. With a seed they are FOLDER/SEED/TASK.npy, with a layer FOLDER/encoder.3/TASK.npy,
    with both FOLDER/SEED/encoder.3/TASK.npy. layer: a number from 1, or a path as in a model of sanlab, such as
    "bag". A row of a grid reads them: {name: BERT, vectors: FOLDER}; `path: layers` reads all layers."""
    import numpy
    parts = [str(seed)] if seed is not None else []
    if layer is not None and not isinstance(layer, str):
        if layer < 1:
            raise Error(f"write_vectors: layer {layer}: expected a number from 1, or a path, such as \"bag\"")
        layer = f"encoder.{layer}"
    parts += [layer] if layer is not None else []
    into = Path(folder, *parts)
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for task, array in arrays.items():
        array = numpy.ascontiguousarray(array, dtype="<f4")
        if array.ndim != 2 or not array.size or not numpy.isfinite(array).all():
            raise Error(f"write_vectors: {task}: expected finite numbers [lines, width], got {array.shape}")
        numpy.save(into / f"{task}.npy", array)
        written.append(str(into / f"{task}.npy"))
    return written
