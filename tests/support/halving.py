"""Recomputes the rungs of halving from trials that all ran to the end. Does not use sanlab.

    halving.py RUNS GRID ROW SEED TRIALS FROM KEEP END

RUNS has the trainings of the trials GRID/ROW (trial N)/SEED without halving. Lengths are in steps. KEEP is a fraction
such as 1/3. The metric is the lowest dev loss of a validation up to the length. Prints a line for each rung, with the
trials that run to it, and the rank correlation with the end over one trial in four. The last line has the trials at
the end and the best of them."""

import fractions
import json
import math
import pathlib
import sys


def losses(runs, name):
    """Returns the dev loss by step of the training with this name."""
    for record in pathlib.Path(runs, "stages").glob("train-*/stage.json"):
        if name in json.loads(record.read_text())["names"]:
            lines = record.with_name("metrics.jsonl").read_text().splitlines()
            found = [json.loads(line) for line in lines]
            return {line["step"]: line["value"] for line in found if line["name"] == "dev_loss" and "step" in line}
    sys.exit(f"{name}: there is no training")


def ranks(values):
    """Returns the ranks from 1; equal values have their mean."""
    return [sum(v < x for v in values) + (sum(v == x for v in values) + 1) / 2 for x in values]


def spearman(one, other):
    """Returns the rank correlation, or None if it is not defined."""
    if len(one) < 3 or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    x, y = ranks(one), ranks(other)
    middle = (len(x) + 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(x, y))
    return both / math.sqrt(sum((a - middle) ** 2 for a in x) * sum((b - middle) ** 2 for b in y))


def main(runs, grid, row, seed, trials, first, keep, end):
    """Prints the lines."""
    trials, first, keep, end = int(trials), int(first), fractions.Fraction(keep), int(end)
    curves = [losses(runs, f"{grid}/{row} (trial {t})/{seed}") for t in range(trials)]
    at = lambda t, length: min(value for step, value in curves[t].items() if step <= length)
    whole = range(0, trials, 4)
    running, length, rung = list(range(trials)), first, 0
    while length < end:
        rung += 1
        correlation = spearman([at(t, length) for t in whole], [at(t, end) for t in whole])
        print(length, *running, "unknown" if correlation is None else f"{correlation:.2f}")
        best = sorted(running, key=lambda t: (at(t, length), t))[: math.ceil(trials * keep**rung)]
        running = sorted(set(best) | set(whole))
        length = math.floor(first / keep**rung + fractions.Fraction(1, 2))
    print("end", *running, "best", min(running, key=lambda t: (at(t, end), t)))


main(*sys.argv[1:])
