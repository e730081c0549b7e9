#!/bin/sh
# The makers of scripts/data/tasks: small texts and treebanks, whose labels were found by hand.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
fresh task_makers
exec python3 tests/support/task_makers.py $work
