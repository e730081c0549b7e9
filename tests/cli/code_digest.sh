#!/bin/sh
# Digests of code: an edit of the sources of one kind makes no stage of another kind stale. Also the list
# of kinds, which the build makes from their files.
. "$(dirname "$0")/../support/cli.sh"
fresh code_digest
cp -r --parents scripts/generate/code_digest scripts/generate/kinds scripts/rooms core attention probes logic results experiments/stage $work
before=$(sh $work/scripts/generate/code_digest)

# changes FILE TEXT NAME..: passes if TEXT at the end of FILE changes exactly the digests of these names.
changes() {
    file=$work/$1 text=$2
    shift 2
    cp "$file" $work/kept
    printf '%s\n' "$text" >> "$file"
    got=$(sh $work/scripts/generate/code_digest | diff - /dev/fd/3 3<< END | sed -n 's/^< #define \([A-Za-z_]*\) .*/\1/p' | tr '\n' ' '
$before
END
)
    output="changed: $got"
    holds "$(printf '%s' "${file#"$work"/}") changes ${*:-nothing}" [ "$got" = "${*:+$* }" ]
    mv $work/kept "$file"
}

changes probes/gates.c "int added;" CODE_ablate CODE_ablatepos CODE_gates
changes probes/gates.c "/* a remark */"
# Appends text to files that have a digest each, in two spellings.
printf '%b\n' "int f(int a)\n{\n    return a - -a;\n}" >> $work/attention/term/alibi.c
echo "int a = b - -c;" >> $work/attention/term/gauss.c
echo "int a;" >> $work/attention/term/relpos.c
echo "#define F(x) (x)" >> $work/attention/fusion/gate.c
sh $work/scripts/generate/code_digest > $work/one
cp attention/term/*.c $work/attention/term && cp attention/fusion/gate.c $work/attention/fusion
printf '%b\n' "int f( int a ) { return a\n    - /* less */ -a; }" >> $work/attention/term/alibi.c
echo "int a = b --c;" >> $work/attention/term/gauss.c
echo "inta;" >> $work/attention/term/relpos.c
echo "#define F (x) (x)" >> $work/attention/fusion/gate.c
output=$(sh $work/scripts/generate/code_digest | diff $work/one -)
lacks "layout changes nothing" TERM_CODE_alibi
for name in TERM_CODE_gauss TERM_CODE_relpos FUSION_CODE_gate; do
    [ "$(printf '%s\n' "$output" | grep -c " $name ")" = 2 ]
    ok "a blank does that parts two signs, two words or a macro from what it is: $name" $?
done
cp attention/term/*.c $work/attention/term && cp attention/fusion/gate.c $work/attention/fusion
# listed FILE NAME..: passes if exactly these digests include the file.
sh $work/scripts/generate/code_digest list > $work/lists
listed() {
    file=$1
    shift
    output=$(sed -n "s|^\([A-Za-z_]*\):$file$|\1|p" $work/lists | sort | tr '\n' ' ')
    holds "$file is of ${*:-none}" [ "$output" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ' | sed 's/^ $//')" ]
}
listed core/cpu/gemm.c BACKEND_cpu
listed core/text/bpe_learn.c CODE_ablate CODE_ablatepos CODE_chrf CODE_command CODE_contrast CODE_corpus \
    CODE_encode CODE_gates CODE_lengths CODE_localness CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed \
    CODE_statements CODE_ter CODE_train CODE_trees CODE_words
listed core/decode/beam.c CODE_relate CODE_score CODE_speed CODE_train
listed core/train/train.c CODE_logic CODE_relate CODE_speed CODE_train
listed core/train/relating.c CODE_inference CODE_relate CODE_speed CODE_statements
listed logic/formula.c CODE_formulas CODE_inference CODE_statements
listed core/bench/throughput.c CODE_speed
listed core/check/model_check.c
listed attention/term/alibi.c TERM_CODE_alibi
listed attention/fusion/gate.c FUSION_CODE_gate
listed attention/block.c CODE_ablate CODE_ablatepos CODE_contrast CODE_encode CODE_gates CODE_localness \
    CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed CODE_statements CODE_train CODE_trees \
    CODE_words
listed attention/term.h CODE_ablate CODE_ablatepos CODE_contrast CODE_encode CODE_gates CODE_localness \
    CODE_logic CODE_maps CODE_master CODE_relate CODE_score CODE_speed CODE_statements CODE_train CODE_trees \
    CODE_words BACKEND_emu BACKEND_cuda BACKEND_cpu
listed core/cuda/gemm.cu BACKEND_emu BACKEND_cuda
listed core/cuda/driver.c BACKEND_cuda
listed core/cuda/off.c BACKEND_emu BACKEND_cuda
listed experiments/stage/kind_score.c CODE_score

sed -i '/^\/\* sources:/s|probes/gates|probes/gate|' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/generate/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c: no source is called probes/gate\.\*$'
ok "a word that names no source fails" $?
sed -i '/^\/\* sources:/s|[.][.]core/model|..core/modal|' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/generate/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c: there is no room core/modal'
ok "and one that names no room" $?
sed -i '/^\/\* sources:/d' $work/experiments/stage/kind_gates.c
output=$(sh $work/scripts/generate/code_digest 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q 'kind_gates.c has no list of sources'
ok "and so does a kind without a list" $?
output=$(for kind in $(sh $work/scripts/generate/kinds kind | sed 's/KIND(\(.*\))/\1/'); do
    sed -n "s|^/[*] rank: \([0-9]*\) .*|\1 $kind|p" "$work/experiments/stage/kind_$kind.c"
done)
printf '%s\n' "$output" | sort -n -s -k 1,1 -c
ok "kinds stand in the order of their ranks" $?
sed 's/_score = /_zebra = /' $work/experiments/stage/kind_score.c > $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/generate/kinds kind 2>&1 > $work/list)
code=$?
says "two kinds of one name fail" 1 'kind_zebra.c:[0-9]*: a second kind of stage called score; the first: .*kind_score.c:[0-9]*$'
sed -i 's/\.name = "score"/.name = "zebra_2"/' $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/generate/kinds kind 2>&1 > $work/list)
code=$?
says "a name with other signs than letters fails" 1 'kind_zebra.c:[0-9]*: "zebra_2": the name of a kind has letters'
echo > $work/experiments/stage/kind_zebra.c
output=$(sh $work/scripts/generate/kinds kind 2>&1 > $work/list)
code=$?
says "and so does a file without one" 1 'kind_zebra.c: no const struct stage_kind kind_zebra$'
finish
