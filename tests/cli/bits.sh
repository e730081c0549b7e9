#!/bin/sh
# Bit identity across machines: small models, trained with every instruction set and number of threads,
# have the digests of tests/golden/bits.txt.
#
#   WAYS=all sh tests/cli/bits.sh    all instruction sets, each with one thread and with two. The
#                                    default is v3 with one and v4 with two, if this machine has all
#                                    of them, and neon with one
#   WRITE=1 sh tests/cli/bits.sh     writes that file if all digests agree
#   make test-clang                  runs this test with a program that clang has built
#
# Each row is a model: every example of every term and fusion, from their files, and the models below.
# A row has digests of
#   - metrics.jsonl of its training
#   - masters: names, shapes and numbers of its last checkpoint
#   - hypotheses of beam search
#   - gates: metrics of the gates stage
# A changed digest means that products, an elementary function, random numbers or an order of
# additions changed. A commit with new digests gives the reason, and gives core/cpu/product_choice.c's
# numerics another name.
. "$(dirname "$0")/../support/cli.sh"
sanlab=${SANLAB:-./sanlab}
fresh_data bits_cli
golden=tests/golden/bits.txt
unset SANLAB_PRODUCTS

# Sentences for which 20 steps learn enough to make hypotheses differ. The generator of Park and Miller
# (1988) is exact in every awk; rand() differs between them. Validation needs two batches.
for split in "train 200 1" "dev 160 2" "test 20 3"; do
    echo "$split" | awk -v data=$work/data '
        function below(bound) { seed = seed * 16807 % 2147483647; return seed % bound }
        {
            file = data "/" $1; seed = $3
            for (i = 0; i < $2; i++) {
                n = 3 + below(8); w = below(12); a = b = ""
                for (j = 0; j < n; j++) {
                    a = a " s" w; b = b " t" w
                    w = (w + 1 + !below(5)) % 12
                }
                print substr(a, 2) > (file ".a"); print substr(b, 2) > (file ".b")
            }
        }'
done

# examples KIND: prints {NAME: EXAMPLE} for each string of a file's `examples`, or NAME if it has none.
examples() {
    for file in attention/"$1"/*.c; do
        awk -v name="$(basename "$file" .c)" -F '"' '
            /examples\[\] = / { inside = 1 }
            inside { for (i = 2; i < NF; i += 2) { print "{" name ": " $i "}"; any = 1 } }
            /;/ { inside = 0 }
            END { if (!any) print name }' "$file"
    done
}

# The name of a row, | and its options. The first four have products deeper than a block of k: 300 for
# the inner layer, 700 rows for the gradients of weights.
deep='model: {width: 48, heads: 3, feedforward: 300, share: all}, encoder.layers: 2'
deep="$deep, train: {batch_tokens: 700, validate_every: 10}, evaluate.bleu.checkpoint: average(2)"
cat > $work/rows << END
Transformer, deep|$deep, train.clip: 1
Localness, deep|$deep, train.accumulate: 2, encoder.attention: [{layers: 1, terms: [{gauss: {}}, {relpos: 4}]}, {layers: 2, branches: [global, {window: 1}], terms: [alibi], fusion: gate}], evaluate.gates.checkpoint: average(2)
HySAN, deep|$deep, model.norm: post, encoder.attention: [{layers: 1-2, branches: [global, forward, backward, {window: 3}], fusion: {squeeze: 16}}]
Recurrent, deep|$deep, encoder.stack: [{onlstm: {layers: 1, chunk: 2}}, {lstm: 1}]
plain|model.norm: pre
accumulate 3|train.accumulate: 3
clip|train.clip: 0.5
l2|train.l2: 0.001
cosine, decay of weights|train: {schedule: cosine, warmup: 5, floor: 0.1, rate: 0.01, weight_decay: 0.1, decayed: weights}
linear, decay of all|train: {schedule: linear, warmup: 5, rate: 0.01, weight_decay: 0.1}
post-norm|model.norm: post
unshared tables|model.share: none
decoder and cross|decoder.layers: 2, decoder.attention: [{layers: 1, terms: [{gauss: {}}, alibi, {relpos: 2}]}, {layers: 2, branches: [global, {window: 1}], fusion: gate}], decoder.cross: [{layers: 1, terms: [{gauss: {window: layer}}]}, {layers: 2, branches: [global, global], fusion: {squeeze: 2}}]
rope|decoder.layers: 2, encoder.position: none, decoder.position: none, encoder.attention: [{layers: all, branches: [global, {window: 1}], terms: [rope, {gauss: {}}], fusion: gate}], decoder.attention: [{layers: all, terms: [rope, {gauss: {window: layer}}]}]
t5|decoder.layers: 2, encoder.position: none, decoder.position: none, encoder.attention: [{layers: all, terms: [t5]}], decoder.attention: [{layers: all, terms: [{t5: {buckets: 8, distance: 9}}]}]
other options|model: {share: all, source_bias: true, attention_bias: false, zero_bias: true}, encoder.position: interleaved, decoder.position: none, train.label_smoothing: 0, evaluate.bleu: {beam: 1, extra: 3}
ON-LSTM below, shortcut|encoder.layers: 3, encoder.stack: [{onlstm: 2}, {san: 1}], encoder.shortcut: true, train.accumulate: 2
chunks, one direction, post-norm|model.norm: post, encoder.layers: 3, encoder.stack: [{lstm: {layers: 1, direction: forward}}, {onlstm: {layers: 1, chunk: 4, direction: backward, projection: true}}, {san: 1}], encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: gate}]
mean of checkpoints|encoder.layers: 2, train.validate_every: 10, encoder.attention: [{layers: 1-2, branches: [global, {window: 1, dropout: false}], fusion: gate}], evaluate: {bleu: {split: dev, checkpoint: mean_of_best(2)}, gates: {split: train, checkpoint: mean_of_best(2)}}
END
examples term | sed 's/.*/&|encoder.attention: [{layers: all, terms: [&]}]/' >> $work/rows
examples fusion |
    sed 's/.*/&|encoder.attention: [{layers: all, branches: [global, {window: 1}], fusion: &}]/' >> $work/rows
{
    cat << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, test: test, merges: 40}
model: {width: 32, heads: 4, feedforward: 64, share: target, dropout: 0.1, attention_dropout: 0.1, relu_dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {epochs: 0, steps: 20, batch_tokens: 100, warmup: 20, rate: 0.7, validate_every: 20, log_every: 5}
evaluate:
  bleu: {split: test, beam: 4, length_penalty: 2, extra: 2, checkpoint: last}
  gates: {split: test, checkpoint: last, by: [layer, head]}
rows:
END
    awk -F '|' '{ print "  - {name: " NR ", " $2 "}" }' $work/rows
} > $work/g.yaml

# digests RUNS: prints a line `SHA  ROW FILE` for each file of each row. From the header of a
# checkpoint only names, types and shapes count, because headers and done.json may get more keys.
digests() {
    n=0
    while IFS='|' read -r row _; do
        n=$((n + 1))
        (
            cd "$1/names/g/$n/1" && mkdir bits || exit
            cp score/hypotheses* bits
            grep '"step":' train/metrics.jsonl > bits/metrics.jsonl
            for model in train/ckpt/*/model.safetensors; do :; done # the last checkpoint
            header=$((8 + $(od -An -tu8 -N8 "$model")))
            {
                head -c $header "$model" | grep -aoE '"[^"]*":\{"dtype":"[^"]*","shape":\[[0-9,]*\]'
                tail -c +$((header + 1)) "$model"
            } > bits/masters
            [ ! -d gates ] ||
                # The digests were written when the set of a metric was its tag, "2".
                sed 's/"set":\([0-9]*\)/"tag":"\1"/' gates/metrics.jsonl > bits/gates
            cd bits && sha256sum -- *
        ) | sed "s|  |  $row |"
    done < $work/rows
}

# differences GOLDEN DIGESTS: prints a line for each difference.
differences() {
    awk '{ row = substr($0, 67) }
        FILENAME == ARGV[1] { expected[row] = $1; next }
        !(row in expected) { print row ": not in tests/golden/bits.txt, WRITE=1 adds it"; next }
        expected[row] != $1 { print row ": expected " expected[row] ", got " $1 }
        { delete expected[row] }
        END { for (row in expected) print row ": in tests/golden/bits.txt alone" }' "$1" "$2" 2>&1
}

sets=$(instruction_sets "$sanlab")

# The first two cores that this process may use.
cores=$(taskset -cp $$ | awk '{
    parts = split($NF, part, ",")
    for (i = 1; i <= parts; i++) {
        if (split(part[i], end, "-") < 2) end[2] = end[1]
        for (core = end[1]; core <= end[2] + 0 && count < 2; core++) print core (count++ ? "" : ",")
    }
}' | tr -d '\n')
first=${cores%,*} second=${cores#*,}

# hindered TABLE THREADS: prints the reason why this machine cannot compute with them; nothing if it can.
hindered() {
    if [ "$1" = v4 ] && ! grep -qw avx512vl /proc/cpuinfo; then
        echo "this processor has no AVX-512"
    elif [ "$2" = 2 ] && [ -z "$second" ]; then
        echo "there is one core"
    fi
}

# left_out TABLE THREADS: true if the other runs already cover this instruction set and this number of
# threads.
left_out() {
    [ -z "${WAYS:-}${WRITE:-}" ] || return 1
    case "$1 $2" in
    "v3 2" | "v4 1") [ -z "$(hindered v4 2)" ] ;;
    "neon 2") true ;;
    *) false ;;
    esac
}

# train TABLE THREADS CORES: leaves the digests in RUNS.txt and the errors in RUNS.log.
train() {
    runs=$work/$1-$2
    SANLAB_ISA=$1 taskset -c "$3" "$sanlab" run $work/g.yaml --runs "$runs" -j 1 --quiet \
        > "$runs.log" 2>&1 && digests "$runs" > "$runs.txt" 2>> "$runs.log"
}

# Trains all at once: with so little work, two threads mostly wait for each other.
ways=$(for set in $sets; do echo "$set-1 $set-2"; done)
core=$first
for way in $ways; do
    table=${way%-*} threads=${way#*-}
    [ "$threads" = 1 ] || core=$first,$second
    left_out "$table" "$threads" || [ -n "$(hindered "$table" "$threads")" ] || train "$table" "$threads" "$core" &
    core=${second:-$first}
done
wait
[ -z "${WRITE:-}" ] || { golden=$work/golden.txt && cp "$work/${sets%% *}-1.txt" $golden; }
for way in $ways; do
    table=${way%-*} threads=${way#*-} runs=$work/$way
    left_out "$table" "$threads" && continue
    why=$(hindered "$table" "$threads")
    if [ -n "$why" ]; then
        skipped "cpu-$table, threads: $threads" "$why"
        continue
    fi
    output=$(cat "$runs.log"
        grep -L "\"table\": \"cpu-$table\"" "$runs"/stages/*/environment.json
        grep -L "\"threads\": $threads," "$runs"/stages/train-*/environment.json)
    [ -z "$output" ] && [ -s "$runs.txt" ]
    ok "cpu-$table, threads: $threads: trains so" $?
    equals "cpu-$table, threads: $threads: the committed digests" "" "$(differences "$golden" "$runs.txt")"
done
[ -z "${WRITE:-}" ] || [ $failures != 0 ] || cp "$golden" tests/golden/bits.txt
finish
