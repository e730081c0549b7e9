#!/bin/sh
# Tables of tests/layouts in LaTeX: they fit the columns and the page of an article with two columns.
# tests/cli/published.sh and tour.sh check the tables of those grids, and `make smoke-grids` those of all shipped grids.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/latex.sh
fresh latex
layouts=build/tests/unit/layout_test
if [ -x $layouts ]; then
    mkdir $work/layouts
    ln -s "$PWD/$layouts" $work/layouts_of_latex # a name of its own, and so a folder of its own
    run env LAYOUT_LATEX=$work/layouts $work/layouts_of_latex
    says "each table is printed" 0 'three-axes'
    holds "with its packages" grep -q '^% .usepackage{booktabs,graphicx}$' $work/layouts/three-axes.tex
    latex_fits "tables of tests/layouts fit" $work/layouts
else
    skipped "tables of tests/layouts fit" "$layouts is missing (make $layouts)"
fi

# The test finds a table that does not fit.
mkdir $work/wide
{
    sed '/^.sbox0/,$d' $work/layouts/xu2019-table1.tex
    printf '%s\n' '\rule{260pt}{1pt}' '\end{table}'
} > $work/wide/wide.tex 2> /dev/null
if command -v pdflatex > /dev/null && [ -x $layouts ]; then
    output=$(latex_fits wide $work/wide)
    matches "a wide table is found" '^# wide.tex: Overfull .hbox'
fi
finish
