# Helpers for tests of analyses; source tap.sh first. A fresh $work with a copy task, a $runs folder, and
# grids of one row with one analysis.
# shellcheck shell=sh

# analyses_task NAME
analyses_task() {
    task "$1" 120
    export OMP_NUM_THREADS=1
    runs=$work/runs
}

# grid NAME ENCODER EVALUATE [MORE]: writes $work/NAME.yaml, a grid with one row of a tiny model.
grid() {
    cat > "$work/$1.yaml" << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 8}
model: tiny
train: {epochs: 0, steps: 20, batch_tokens: 256, warmup: 10}
rows:
  - {name: Row, $2}
evaluate:
  $3
${4-}
END
}

# id NAME KIND: prints the id of the stage of this kind in the grid NAME.
id() { ./sanlab plan "$work/$1.yaml" --runs "$runs" 2>&1 | awk -v kind="^$2-" '$1 ~ kind { print $1 }'; }
# folder NAME KIND
folder() { echo "$runs/stages/$(id "$1" "$2")"; }

# refused WHAT PATTERN: passes if `run` refuses $work/bad.yaml before it computes anything.
refused() {
    expect "$1" 65 "$2" run "$work/bad.yaml" --runs "$work/none"
    holds "$1: nothing was begun" [ ! -e "$work/none/stages" ]
}
