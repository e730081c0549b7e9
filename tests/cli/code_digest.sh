#!/bin/sh
# Which digests of code change with which source: an edit of one kind's own sources makes no stage of
# another kind older. And the list of kinds, which the build makes of their files.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
work=build/tmp/code_digest
rm -rf $work
mkdir -p $work
cp -r --parents scripts/code_digest scripts/kinds scripts/rooms core attention probes logic results experiments/stage $work
before=$(sh $work/scripts/code_digest)

# changes FILE TEXT NAME..: a line at its end changes the digests of these names and no other.
changes() {
    file=$work/$1 text=$2
    shift 2
    cp "$file" $work/kept
    printf '%s\n' "$text" >> "$file"
    got=$(sh $work/scripts/code_digest | diff - /dev/fd/3 3<< END | sed -n 's/^< #define \([A-Za-z_]*\) .*/\1/p' | tr '\n' ' '
$before
END
)
    output="changed: $got"
    [ "$got" = "${*:+$* }" ]
    ok "$(printf '%s' "${file#"$work"/}") changes ${*:-nothing}" $?
    mv $work/kept "$file"
}

changes probes/gates.c "int added;" CODE_ablate CODE_ablatepos CODE_gates
changes probes/gates.c "/* a remark */"
# alike FILE TEXT OTHER: whether both texts at its end have the same digests.
alike() {
    cp "$work/$1" $work/kept
    for text in "$2" "$3"; do
        { cat $work/kept && printf '%b\n' "$text"; } > "$work/$1"
        sh $work/scripts/code_digest > "$work/$([ "$text" = "$2" ] && echo one || echo other)"
    done
    mv $work/kept "$work/$1"
    output=$(diff $work/one $work/other)
}
alike probes/gates.c "int f(int a)\n{\n    return a - -a;\n}" "int f( int a ) { return a\n    - /* less */ -a; }"
ok "layout changes nothing" $?
alike probes/gates.c "int a = b - -c;" "int a = b --c;"
[ $? = 1 ]
ok "a blank that parts two signs does" $?
alike probes/gates.c "int a;" "inta;"
[ $? = 1 ]
ok "and one that parts two words" $?
alike probes/gates.c "#define F(x) (x)" "#define F (x) (x)"
[ $? = 1 ]
ok "and one that makes a macro one without arguments" $?
changes core/cpu/gemm.c "int added;" BACKEND_cpu
changes core/text/bpe_learn.c "int added;" CODE_ablate CODE_ablatepos CODE_chrf CODE_command CODE_contrast CODE_corpus \
    CODE_encode CODE_gates CODE_localness CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed \
    CODE_statements CODE_ter CODE_train
changes core/decode/beam.c "int added;" CODE_relate CODE_score CODE_speed CODE_train
changes core/train/train.c "int added;" CODE_logic CODE_relate CODE_speed CODE_train
changes core/train/relating.c "int added;" CODE_inference CODE_relate CODE_speed CODE_statements
changes logic/formula.c "int added;" CODE_formulas CODE_inference CODE_statements
changes core/bench/throughput.c "int added;" CODE_speed
changes core/check/check.c "int added;"
changes attention/term/alibi.c "int added;" TERM_CODE_alibi
changes attention/fusion/gate.c "int added;" FUSION_CODE_gate
changes attention/block.c "int added;" CODE_ablate CODE_ablatepos CODE_contrast CODE_encode CODE_gates CODE_localness \
    CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed CODE_statements CODE_train
changes attention/term.h "int added;" CODE_ablate CODE_ablatepos CODE_contrast CODE_encode CODE_gates CODE_localness \
    CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed CODE_statements CODE_train BACKEND_emu BACKEND_cuda BACKEND_cpu
changes core/cuda/gemm.cu "int added;" BACKEND_emu BACKEND_cuda
changes core/cuda/driver.c "int added;" BACKEND_cuda
changes core/cuda/off.c "int added;" BACKEND_emu BACKEND_cuda
changes experiments/stage/kind_score.c "int added;" CODE_score

sed -i '/^\/\* sources:/s|probes/gates|probes/gate|' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c: no source is called probes/gate\.\*$'
ok "a word that names no source fails" $?
sed -i '/^\/\* sources:/s|[.][.]core/model|..core/modal|' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c: there is no room core/modal'
ok "and one that names no room" $?
sed -i '/^\/\* sources:/d' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c has no list of sources'
ok "and so does a kind without a list" $?
output=$(for kind in $(sh $work/scripts/kinds kind | sed 's/KIND(\(.*\))/\1/'); do
    sed -n "s|^/[*] rank: \([0-9]*\) .*|\1 $kind|p" "$work/experiments/stage/kind_$kind.c"
done)
printf '%s\n' "$output" | sort -n -s -k 1,1 -c
ok "kinds stand in the order of their ranks" $?
sed 's/_score = /_zebra = /' $work/experiments/stage/kind_score.c > $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/kinds kind 2>&1 > $work/list)
code=$?
says "two kinds of one name fail" 1 'kind_zebra.c:[0-9]*: a second kind of stage called score; the first: .*kind_score.c:[0-9]*$'
sed -i 's/\.name = "score"/.name = "zebra_2"/' $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/kinds kind 2>&1 > $work/list)
code=$?
says "a name with other signs than letters fails" 1 'kind_zebra.c:[0-9]*: "zebra_2": the name of a kind has letters'
echo > $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/kinds kind 2>&1 > $work/list)
code=$?
says "and so does a file without one" 1 'kind_zebra.c: no const struct stage_kind kind_zebra$'
finish
