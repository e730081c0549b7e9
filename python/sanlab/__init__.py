"""Results and models of sanlab in Python. Needs Python 3.9; arrays need numpy, frames need pandas.

    import sanlab
    sanlab.results("tour")                                   # one row per point and seed
    sanlab.curves("tour").where(name="dev_loss").frame()     # a pandas frame
    sanlab.parameters("tour.safetensors")["encoder.1.attention.qkv.weight"]

A table is a list of dicts (table.py). Nothing is computed here: tables come from `sanlab export`, arrays from
files. `command` runs the program; where it is searched: program.py. docs/python.md is a notebook with all functions.
"""

from .grids import curves, gates, grid, items, results
from .model import Model, parameters
from .program import Error, command
from .table import Table
from .vectors import vectors, write_vectors

__all__ = ["Error", "Model", "Table", "command", "curves", "gates", "grid", "items", "parameters", "results",
           "vectors", "write_vectors"]
