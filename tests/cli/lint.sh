#!/bin/sh
# The rooms' order of includes, lengths of lines and files, and other habits of the tree.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
output=$(scripts/lint 2>&1)
ok "make lint has nothing to refuse" $?
finish
