#!/bin/sh
# Sentences of scripts/data/grammar.py, whose labels an independent parser finds.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP there is no python3"
    exit
fi
exec python3 tests/support/controlled_language.py
