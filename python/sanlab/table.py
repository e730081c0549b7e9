"""A table: a list of dicts, one for each row, all with the same keys.

It prints as aligned text, and as HTML in a notebook. `frame()` is a pandas DataFrame. `pandas.DataFrame(table)` and
a loop over the dicts work, too."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable

SHOWN = 20  # largest number of rows that are printed


class Table(list):
    """A list of dicts with the keys `columns`. A missing value is None."""

    def __init__(self, rows: Iterable[dict] = (), columns: Iterable[str] = ()):
        super().__init__(rows)
        self.columns = list(columns) or list(self[0] if self else ())

    def where(self, **equal: Any) -> Table:
        """Returns the rows whose columns have these values: where(name="dev_loss", seed=1)."""
        return Table((row for row in self if all(row[key] == value for key, value in equal.items())), self.columns)

    def select(self, *columns: str) -> Table:
        """Returns the table with only these columns, in this order."""
        return Table(({key: row[key] for key in columns} for row in self), columns)

    def column(self, name: str) -> list:
        """Returns the values of a column."""
        return [row[name] for row in self]

    def frame(self) -> pandas.DataFrame:  # noqa: F821
        """Returns a pandas DataFrame with the same columns. Missing values become NaN."""
        import pandas
        return pandas.DataFrame(list(self), columns=self.columns)

    def _cells(self) -> tuple[list[list[str]], str]:
        """Returns the texts of the printed rows, headers first, and a line about the other rows."""
        rows = [[_text(row[key]) for key in self.columns] for row in self[:SHOWN]]
        left = len(self) - len(rows)
        return [self.columns, *rows], f"{left} more rows" if left else ""

    def __repr__(self) -> str:
        cells, more = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells)]
        right = [bool(self) and all(isinstance(row[key], (int, float, type(None))) for row in self)
                 for key in self.columns]
        lines = ["  ".join(cell.rjust(width) if number else cell.ljust(width)
                           for cell, width, number in zip(row, widths, right)).rstrip() for row in cells]
        return "\n".join(lines + [more] * bool(more))

    def _repr_html_(self) -> str:
        cells, more = self._cells()
        rows = ["".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
                for row, tag in zip(cells, ["th"] + ["td"] * len(self))]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + f"</table>{more}"


def _text(value: object) -> str:
    """Returns a cell: at most six digits of a number, nothing for a missing value."""
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
