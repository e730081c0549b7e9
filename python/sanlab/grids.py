"""Writes grids, and reads their results.

A grid is named as on the command line: its name ("tour"), its file, or an archive of it. Words with "=" after it
change options, like `sanlab table tour train.steps=10`. RUNS is the runs folder ("runs").

results() has the lines of `sanlab export jsonl`. The other tables come from the views of `sanlab export sqlite`."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Iterator

from .program import Error, command
from .table import Table


def grid(document: dict, path: str | Path | None = None) -> str:
    """Writes the grid to a file and returns its path. The default is NAME.yaml, by the key "grid".

    The keys are those of docs/grid.md: {"grid": "mine", "corpus": "multi30k-en-de", "rows": [{"name": "Base"}]}.
    A file with other content is replaced. `command("plan", path)` checks the grid."""
    if not isinstance(document.get("grid"), str):
        raise Error('grid: expected the key "grid" with the name of the grid')
    path = Path(path or document["grid"] + ".yaml")
    path.write_text("".join(f"{key}:{_yaml(value)}\n" for key, value in document.items()), encoding="utf-8")
    return str(path)


def _yaml(value: object) -> str:
    """Returns a value on one line, except a list of maps, which gets a line for each. JSON is YAML."""
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return "".join(f"\n  -{_yaml(one)}" for one in value)
    return " " + json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    """Returns a number or an array of numpy as numbers, and a path as text."""
    return value.tolist() if hasattr(value, "tolist") else os.fspath(value)


def results(grid: str, *changes: str, runs: str | Path = "runs") -> Table:
    """Returns one row per row of the grid and seed.

    Columns: grid, row, seed, status, wall (seconds of all stages), axis.NAME, option.KEY of options that differ
    between rows, and each result by the name of its column in tables: bleu, dev_loss, probe.Tense. Units are those
    of the columns: bleu 0 to 100, dev_loss nats per target token, accuracies in %. Missing values are None."""
    lines = command("export", "jsonl", grid, *changes, "--runs", runs).split("\n")[:-1]
    rows = []
    for line in map(json.loads, lines):
        row = {key: line[key] for key in ("grid", "row", "seed", "status", "wall")}
        for key, prefix in (("axes", "axis."), ("options", "option."), ("results", "")):
            row.update({prefix + name: value for name, value in line[key].items()})
        rows.append(row)
    return Table(rows)


def curves(grid: str, *changes: str, runs: str | Path = "runs") -> Table:
    """Returns one row per metric of a training and step, also of unfinished trainings.

    Columns: row, seed, kind, step (optimizer steps), name (loss, dev_loss, dev_bleu, ..), value (losses in nats per
    target token), and at validations validation (1, 2, ..) and epoch (epochs so far)."""
    return _ask(grid, changes, runs, (), """
        SELECT row, seed, kind, step, name, value, validation, epoch FROM curve
        WHERE newest ORDER BY position, seed, kind, name, step""")


def gates(grid: str, *changes: str, runs: str | Path = "runs") -> Table:
    """Returns the means of the stages `gates`: the weight of the second branch (0 to 1), or of each branch.

    Columns: row, seed, name, layer and head (from 1), class (part of speech), n (number of items), value. A mean
    over all layers, heads or words has None there."""
    return _ask(grid, changes, runs, (), """
        SELECT row, seed, name, layer, head, class, n, value FROM result
        WHERE newest AND kind = 'gates' ORDER BY position, seed, name, layer, head, class""")


def items(grid: str, *changes: str, runs: str | Path = "runs") -> Table:
    """Returns one row per item of a value that can be resampled: a sentence, or a line of a probing task.

    Columns: row, seed, kind, part (probing task and path), name (of the value: bleu, accuracy), set (of
    mean_of_best, from 1), line (from 1), class, value (accuracy 0 or 1; BLEU of the sentence, 0 to 100), weight, and for
    translations hypothesis and reference."""
    return _ask(grid, changes, runs, ("items", "hypotheses"), """
        SELECT row, seed, place.kind, part, item.name, item."set", item.line, class, item.value, weight, hypothesis,
               reference
        FROM place JOIN item USING (stage)
             LEFT JOIN hypothesis ON hypothesis.stage = place.stage AND hypothesis.line = item.line
                                     AND hypothesis."set" IS item."set"
        ORDER BY position, seed, place.kind, part, item.name, item."set", item.line""")


def _ask(grid: str, changes: tuple, runs: str | Path, parts: tuple, query: str) -> Table:
    with database(grid, *changes, runs=runs, parts=parts) as tables:
        found = tables.execute(query)
        columns = [column[0] for column in found.description]
        return Table((dict(zip(columns, row)) for row in found), columns)


@contextmanager
def database(grid: str, *changes: str, runs: str | Path = "runs", parts: tuple = ()) -> Iterator[sqlite3.Connection]:
    """Opens a temporary copy of the database with the grid's stages. docs/format.md describes its views and tables.

    parts: additional tables, of "items", "hypotheses" and "verdicts"."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "grid.db")
        command("export", "sqlite", grid, *changes, "--out", path, "--runs", runs, "--quiet",
                *(["--with", ",".join(parts)] if parts else []))
        with closing(sqlite3.connect(path)) as connection:
            yield connection
