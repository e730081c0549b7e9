#!/bin/sh
# make new-attention: build, help, check and tests find the new file, which passes unchanged; refused
# requests. Runs in a copy of the tree with its built objects.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/new_attention
tree_copy $work
cd $work || exit 1

build new-attention NAME=kernel_2d
says "a term" 0 'variants_test small6 "encoder.attention=\[\{layers: 1, terms: \[kernel_2d\]\}\]"'
build new-attention NAME=narrow KIND=fusion
says "a fusion" 0 'fusion: narrow'
output=$(grep -nE '@|.{101}' attention/term/kernel_2d.c attention/fusion/narrow.c)
holds "nothing is left of the template, no line is too long" [ $? = 1 ]
tags=$(sed -n 's/^\(struct\|enum\|union\) \([a-z_0-9]*\) {$/\2/p' attention/*/*.c | sort | uniq -d)
output="twice: $tags"
holds "no tag stands in two files" [ -z "$tags" ]

# refuses WHAT PATTERN WORDS..: passes if the command prints one line and writes no file.
refuses() {
    what=$1 pattern=$2
    shift 2
    before=$(ls attention/*/)
    NAME='' KIND='' run scripts/generate/new_attention "$@"
    [ "$before" = "$(ls attention/*/)" ] && [ "$(printf '%s\n' "$output" | wc -l)" = 1 ] || code=none
    says "$what" 65 "$pattern"
}
refuses "no name" "NAME is missing"
refuses "no identifier" "NAME=2d: expected a C identifier" 2d
refuses "nor with a dash" "NAME=a-b: expected a C identifier" a-b
refuses "nor with a path" "expected a C identifier" ../x
refuses "nor with blanks and quotes" "expected a C identifier" "x'; \"y"
refuses "a word of C" "NAME=float: a word of C" float
refuses "a name too long" "at most 16 letters, got 17" abcdefghijklmnopq
refuses "a term that is there" "attention/term/gauss.c is there already" gauss
refuses "a term of a fusion's name" "attention/fusion/gate.c is there already" gate
refuses "a preset" "a preset of attention/term/gauss.c" local_h
refuses "a second term's name" "a second relpos" relpos2
refuses "a path of every block" "attention/block.c has a path PATH.output" output
refuses "a name of the header" "attention/term.h has a term_extent" extent
refuses "a name of what calls terms" "attention/dispatch.h has names that begin with term_" term
refuses "a name of a kernel" "core/[a-z/_.]* has names that begin with forward_" forward
refuses "another kind" "KIND=branch: expected term or fusion" x branch

build sanlab build/tests/f64/variants_test build/tests/f64/gradient_test build/tests/f64/dense_test
[ "$code" = 0 ] && [ -z "$output" ]
ok "the build finds them and has nothing to say" $?
output=$(./sanlab help options attention)
code=$?
says "help" 0 "kernel_2d\.reach +int 1\.\.4096 +16 "
says "help of the fusion" 0 "narrow\.width +int 0\.\.65536 +0 "
line='[{layers: all, branches: [global, {window: 1}], terms: [kernel_2d, {kernel_2d: 2}], fusion: {narrow: 16}}]'
expect "check" 0 "^steps +ok +float" check tiny "encoder.attention=$line" "decoder.attention=$line" --quick
says "parameters of the term, twice" 0 " 24 in encoder\.\*\.attention\.kernel_2d, 6 x 4$"
# R D N parameters
says "and of the fusion" 0 " 6,144 in encoder\.\*\.attention\.narrow, 6 x 1,024$"
layers="encoder.layers=1 decoder.layers=1"
run build/tests/f64/variants_test tiny $layers "encoder.attention=$line" "decoder.attention=$line"
says "check in double" 0 "^gradients +ok +double"

# finds WHAT TEST NAME: passes if the test has cases of this name and all of them pass.
finds() {
    output=$(CMOCKA_MESSAGE_OUTPUT=TAP TEST_ONLY="$3" "build/tests/f64/$2" 2>&1) &&
        printf '%s\n' "$output" | grep -q "^ok 1 "
    ok "$1" $?
}
finds "gradients of the term" gradient_test 'terms: [{kernel_2d: 2}]'
finds "gradients of the fusion" gradient_test narrow
finds "the term against the oracle, with every fusion" dense_test 'terms: [{kernel_2d: 2}]'
finds "the fusion against the oracle" dense_test 'terms: []'

sed -i 's/vec_splat(-t->row/vec_splat(-2 * t->row/' attention/term/kernel_2d.c
build build/tests/f64/variants_test
run build/tests/f64/variants_test tiny $layers "encoder.attention=$line"
says "another equation is found by check" 1 "^values +FAILED +double"
says "and a gradient that is not its own" 1 "^gradients +FAILED +double"

rm attention/term/kernel_2d.c attention/fusion/narrow.c
build build/gen/term.def build/gen/term_tile.def build/gen/fusion.def
output=$(cat build/gen/term.def build/gen/term_tile.def build/gen/fusion.def)
! printf '%s\n' "$output" | grep -Eq 'kernel_2d|narrow'
ok "taken out, they leave the lists" $?
finish
