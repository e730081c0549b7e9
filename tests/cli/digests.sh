#!/bin/sh
# The same bytes on every machine: models that are trained here, by every instruction set and number
# of threads, have the digests of tests/golden/digests.txt.
#
#   WRITE=1 sh tests/cli/digests.sh     writes that file, if all ways agree
#   make test-clang                     the same of a program that clang has built
#
# Digests are of rows of metrics, the model of the last checkpoint, and hypotheses of beam search.
# When they change, the products, an elementary function or an order of additions has: whoever
# writes them says why, and gives core/cpu/products.c's numerics another name.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
sanlab=${SANLAB:-./sanlab}
work=build/tmp/digests_cli golden=tests/golden/digests.txt
[ -z "${WRITE:-}" ] || golden=$work/digests.txt
rm -rf $work
mkdir -p $work/data
SANLAB_DATA=$PWD/$work/data
export SANLAB_DATA
unset SANLAB_PRODUCTS

# Numbers of Park and Miller (1988), which every awk computes alike; rand() is each one's own.
for split in train dev; do
    awk -v file="$work/data/$split" -v lines=$([ $split = dev ] && echo 30 || echo 300) \
        -v seed=$([ $split = dev ] && echo 2 || echo 1) '
        function below(bound) { seed = seed * 16807 % 2147483647; return seed % bound }
        BEGIN {
            for (i = 0; i < lines; i++) {
                n = 3 + below(8); a = b = ""
                for (j = 0; j < n; j++) { w = below(24); a = a " s" w; b = b " t" w }
                print substr(a, 2) > (file ".a"); print substr(b, 2) > (file ".b")
            }
        }'
done

# Products deeper than a block of k: 300 of the inner layer, 700 rows for the gradients of weights.
cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 40}
model: {width: 48, heads: 3, feedforward: 300, share: all, dropout: 0.1, relu_dropout: 0.1}
encoder.layers: 2
decoder.layers: 1
train: {epochs: 0, steps: 80, batch_tokens: 700, warmup: 40, rate: 2, validate_every: 20, log_every: 5, clip: 1}
rows:
  - {name: Transformer, model.attention_dropout: 0.1}
  - name: Localness
    train.accumulate: 2
    encoder.attention: [{layers: 1, terms: [{gauss: {}}, {relpos: 4}]},
                        {layers: 2, branches: [global, {window: 1}], terms: [alibi], fusion: gate}]
  - name: HySAN
    model.norm: post
    encoder.attention: [{layers: 1-2, branches: [global, forward, backward, {window: 3}],
                         fusion: {squeeze: 16}}]
evaluate: {bleu: {split: dev, beam: 4, length_penalty: 2, checkpoint: average(2)}}
END

digests() {
    for row in Transformer Localness HySAN; do
        for file in train/metrics.jsonl train/ckpt/step-00000080/model.safetensors score/hypotheses.txt; do
            sha256sum < "$1/names/g/$row/1/$file" | sed "s|-|$row ${file##*/}|"
        done
    done
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# The first two cores that this process may use.
cores=$(taskset -cp $$ | awk '{
    parts = split($NF, part, ",")
    for (i = 1; i <= parts; i++) {
        if (split(part[i], end, "-") < 2) end[2] = end[1]
        for (core = end[1]; core <= end[2] + 0 && count < 2; core++) print core (count++ ? "" : ",")
    }
}' | tr -d '\n')

for table in v3 v4; do
    for threads in 1 2; do
        way="cpu-$table, threads: $threads" runs=$work/$table-$threads use=$cores
        [ $threads = 2 ] || use=${cores%,*}
        if [ $table = v4 ] && ! grep -qw avx512vl /proc/cpuinfo; then
            skip "$way" "this processor has no AVX-512"
            continue
        elif [ $threads = 2 ] && [ "${use#*,}" = "" ]; then
            skip "$way" "there is one core"
            continue
        fi
        output=$(SANLAB_ISA=$table taskset -c "${use%,}" "$sanlab" run $work/g.yaml --runs $runs -j 1 \
            --quiet 2>&1 && digests $runs 2>&1 > $runs.txt)
        [ -z "$output" ] &&
            [ "$(cat $runs/stages/train-*/environment.json |
                grep -cE "\"(table|threads)\": (\"cpu-$table\"|$threads),")" = 6 ]
        ok "$way: trains so" $?
        [ -z "${WRITE:-}" ] || [ -e "$golden" ] || cp $runs.txt "$golden"
        output=$(diff "$golden" $runs.txt 2>&1)
        ok "$way: the committed digests" $?
    done
done
[ -z "${WRITE:-}" ] || [ $failures != 0 ] || cp "$golden" tests/golden/digests.txt
finish
