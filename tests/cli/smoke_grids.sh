#!/bin/sh
# One grid of `make smoke-grids`: makes small texts and runs the grid to its figure. A failing grid gives
# status 1.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/smoke_grids
WORLD=$work run scripts/check/smoke_grids multi30k-inside
says "a small grid runs to its figure" 0 '^multi30k-inside +6 rows +[0-9]+ s  ok$'
holds "nothing else is printed, for all texts could be made" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
holds "the figure is drawn" there "$work/runs/figures/multi30k-inside*.svg"
WORLD=$work run scripts/check/smoke_grids none multi30k-inside
says "a grid that fails does not stop the next one, and gives status 1" 1 '^none +0 rows .* failed: its plan'
says "the next one runs" 1 '^multi30k-inside .* ok$'
# A file in place of a folder prevents the texts.
mkdir -p build/tmp
touch $work.file
WORLD=$work.file/world run scripts/check/smoke_grids multi30k-inside
rm -f $work.file
says "without its texts it ends before any grid" 1 'not a directory|Not a directory'
lacks "and runs none" '^multi30k-inside'
finish
