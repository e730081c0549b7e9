#!/bin/sh
# `encode`, `probe`, `translate` and `analyze` read a file of `export model` in an empty folder. They write the same bytes
# and numbers as from the train stage. Bad files get one line.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/analyses.sh
analyses_task model_file
root=$PWD
SANLAB_DATA=$root/$work/data
export SANLAB_DATA
hybrid='encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]'

awk 'NR <= 40 { for (i = 1; i <= NF; i++) print i "\t" $i "\t_\t" ($i ~ /^s[0-5]$/ ? "NOUN" : "VERB") "\t_\t_\t_\t_\t_\t_"
    print "" }' $work/data/dev.a > $work/data/bank.conllu
awk '{ print (NR <= 80 ? "tr" : NR <= 100 ? "va" : "te") "\t" (/s0/ ? "YES" : "NO") "\t" $0 }' $work/data/train.a > $work/data/has.txt
printf 's0\ts1\n' > $work/data/own.tsv
cat > $work/mine.yaml << 'END'
groups: [Surface]
tasks: [{name: Has, file: has.txt, group: Surface}]
END
# The stage's grid rewrites text; so must the file.
grid joint "$hybrid" "encode: {rules: $root/$work/data/own.tsv, pool: max}"
grid apart 'encoder.layers: 2' 'encode: {end: false}'
sed -i 's/merges: 8/&, joint: false, threshold: 2/; s/model: tiny/model: {preset: tiny, share: target}/' $work/apart.yaml
for name in joint apart; do ./sanlab run $work/$name.yaml --runs $runs --quiet || exit 1; done
try export model joint/Row/1 --out $work/joint.safetensors --runs $runs
says "a file" 0 'joint.safetensors and .*joint.safetensors[.][*]$'
./sanlab export model apart/Row/1 --checkpoint last --out $work/apart.safetensors --runs $runs --quiet
mkdir $work/empty
cp $work/joint.safetensors* $work/apart.safetensors* $work/mine.yaml $work/empty

# alone ARGUMENTS..: runs sanlab in the empty folder.
alone() {
    output=$(cd $work/empty && "$root/sanlab" "$@" 2>&1)
    code=$?
}
numbers() { grep -E '^Has@'; }
for name in joint apart; do
    checkpoint=$([ $name = joint ] && echo best || echo last)
    ./sanlab encode $name/Row/1 --checkpoint $checkpoint --path layers,bag --out $work/$name --tasks $work/mine.yaml \
        --runs $runs --quiet
    alone encode $name.safetensors --path layers,bag --out $name --tasks mine.yaml
    says "$name: vectors of a file" 0 '^[0-9]+ files in '
    holds "$name: have the bytes of those of its stage" diff -r $work/$name $work/empty/$name
    try probe $name/Row/1 --checkpoint $checkpoint --tasks $work/mine.yaml --runs $runs --quiet
    stage=$(printf '%s\n' "$output" | numbers)
    alone probe $name.safetensors --tasks mine.yaml --quiet
    equals "$name: so have the probes and their controls" "$stage" "$(printf '%s\n' "$output" | numbers)"
    head -n 5 $work/data/dev.a > $work/empty/lines
    try translate $name/Row/1 $work/empty/lines --checkpoint $checkpoint --nbest 2 --runs $runs
    stage=$output
    alone translate $name.safetensors lines --nbest 2
    equals "$name: translations" "$stage" "$output"
done
alone probe joint.safetensors --tasks mine.yaml
lacks "a second time nothing is computed" -E '^[0-9]+ of [0-9]+ stages'
before=$(ls $work/empty/runs/stages)
alone probe ./joint.safetensors --tasks mine.yaml --quiet
equals "nor is the file copied twice" "$before" "$(ls $work/empty/runs/stages)"
codes=$(cd $work/empty && for i in 1 2 3 4; do
    { "$root/sanlab" translate joint.safetensors lines --runs shared > shared.$i 2>&1; echo $?; } &
done; wait)
equals "four processes may take it at the same time" "0
0
0
0" "$codes"
alone verify
says "what it left is sound" 0 ': 0 problems$'
alone probe joint/best/1 --tasks mine.yaml --controls majority --quiet
says "and has a name" 0 '^Has@encoder.output '
try analyze joint/Row/1 gates --text bank.conllu --runs $runs --out $work/gates
stage=$(printf '%s\n' "$output" | grep -E '^(layer|all)')
alone analyze joint.safetensors gates --text bank.conllu --out gates
equals "gates by part of speech" "$stage" "$(printf '%s\n' "$output" | grep -E '^(layer|all)')"
holds "and their files" cmp -s $work/gates/clusters.tsv $work/empty/gates/clusters.tsv
alone analyze joint.safetensors gates
says "which has no text of its own" 65 '^sanlab: analyze: joint.safetensors: an exported model has no text; expected --text FILE$'
alone analyze joint.safetensors ablate
says "nor one to ablate" 65 'expected --text FILE and --references FILE$'
alone encode joint.safetensors --checkpoint start --out start --tasks mine.yaml --quiet
holds "the model before training" [ "$code" = 0 ]
lacks "which is not the trained one" .
cmp -s $work/empty/start/Has.npy $work/empty/joint/encoder.6/Has.npy
ok "(its vectors differ)" $((! $?))

# bad WHAT PATTERN: passes if the copy bad.safetensors is refused by one line, and nothing is written to a new runs folder.
bad() {
    rm -rf $work/empty/none
    alone probe bad.safetensors --tasks mine.yaml --runs none
    says "$1" 65 "$2"
    holds "$1: in one line" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
    holds "$1: nothing was begun" [ ! -e $work/empty/none/stages ]
    rm -f $work/empty/bad.*
    for file in $work/joint.safetensors*; do cp "$file" "$work/empty/bad${file#"$work/joint"}"; done
}
bad "no file" '^sanlab: probe: there is no file bad.safetensors; expected a file of `sanlab export model`, or a train stage$'
rm $work/empty/bad.safetensors.codes.bpe
bad "no merges" '^sanlab: bad.safetensors.codes.bpe: the file is missing; `sanlab export model` writes it next to bad.safetensors$'
cp $work/apart.safetensors.vocabulary.source $work/empty/bad.safetensors.vocabulary
bad "another vocabulary" '^sanlab: bad.safetensors.vocabulary: belongs to another model than bad.safetensors '
head -c 30000 $work/joint.safetensors > $work/empty/bad.safetensors
bad "a cut file" '^sanlab: bad.safetensors: '
sed -i '1s/"format_version":"1"/"format_version":"7"/' $work/empty/bad.safetensors
bad "a newer format" '^sanlab: bad.safetensors: checkpoint of format 7; this program reads format 1$'
sed -i '1s/"format":"sanlab"/"format":"sanlap"/' $work/empty/bad.safetensors
bad "a file of another program" '^sanlab: bad.safetensors: expected a file of `sanlab export model`$'
sed -i '1s/\\"zero_bias\\"/\\"zero_bios\\"/' $work/empty/bad.safetensors
bad "an option of a newer program" '^sanlab: bad.safetensors:.*"zero_bios"'
sed -i '1s/"checkpoint":"best"/"checkpoint":"..\/b"/' $work/empty/bad.safetensors
bad "another checkpoint" '^sanlab: bad.safetensors: expected best, last, .* got "[.][.]/b"$'
cp $work/joint/bag/Has.npy $work/empty/bad.safetensors
bad "no tensors" '^sanlab: bad.safetensors: '
cp $runs/stages/train-*/ckpt/step-00000020/adam-m.safetensors $work/empty/bad.safetensors 2> /dev/null ||
    cp "$(find $runs/stages -name adam-m.safetensors | head -n 1)" $work/empty/bad.safetensors
bad "moments of Adam" '^sanlab: bad.safetensors: its metadata have no "format"; expected a file of `sanlab export model`$'
sed -i '1s/"seed":"1"/"seed":"x"/' $work/empty/bad.safetensors
bad "a seed that is no number" '^sanlab: bad.safetensors: seed: expected a whole number from 0 to 2147483647, got "x"$'
sed -i '1s/"step":"20"/"step":"-2"/' $work/empty/bad.safetensors
bad "a step that is none" '^sanlab: bad.safetensors: step: expected a whole number .* got "-2"$'
older='warning: bad.safetensors: an older program wrote it, without options of evaluate.encode; .* unless --rules is given$'
sed -i '1s/"encode":/"encodx":/' $work/empty/bad.safetensors
alone encode bad.safetensors --out old --tasks mine.yaml --rules "$root/$work/data/own.tsv"
says "a file without the options that rewrite text" 0 "$older"
alone encode joint.safetensors --out new --tasks mine.yaml
lacks "unlike one that has them" "$older"
holds "which may be given" diff -r $work/empty/old $work/empty/new
alone probe bad.safetensors --checkpoint last --tasks mine.yaml
says "an option for a checkpoint" 65 '^sanlab: probe: --checkpoint last: bad.safetensors has the parameters of one checkpoint; expected start, or no --checkpoint$'
finish
