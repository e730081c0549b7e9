#!/bin/sh
# sanlab check: output for models, files and rows of grids, and refused requests.
. "$(dirname "$0")/../support/cli.sh"
fresh check_cli

gate='encoder.attention=[{layers: 1-2, branches: [global, {window: 1}], fusion: gate}]'
try check tiny encoder.layers=2 "$gate" --words 100
says "a preset with an attention of its own" 0 "^parameters .*attention adds 256 to plain"
for check in alone causality steps threads; do
    says "$check in float" 0 "^$check +ok +float, width 32: [0-9]+ compared"
done
says "alone is to the bit in float" 0 "^alone +ok +float, .* difference 0, limit 0$"
says "cost beside plain attention, in tables of 100 words" 0 "^cost .*FLOP a token pair \(x 1\.01[0-9]\), estimated time of a training step x 1\.[0-9]+, "
expect "plain attention costs as much as itself" 0 "^cost .*\(x 1\.000\), estimated time of a training step x 1\.000," \
    check tiny --words 100

# Concatenation makes a projection larger: (l - 1) D^2 a layer.
try check tiny encoder.layers=2 'encoder.attention=[{layers: all, branches: [global, {window: 1}], fusion: concat}]' --quick
says "a parameter that grows" 0 "attention adds 2,048 to plain"
lacks "--quick leaves out what it costs" "^cost"

# Localness: D^2 + D + 2 D H + 2 H a block; relative positions: 2 (2k + 1) d.
try check tiny encoder.layers=1 'decoder.attention=[{layers: all, terms: [localness, {relpos: 16}]}]' --quick
says "what both terms add" 0 "attention adds 1,848 to plain"
says "nothing fails" 0 "^threads +ok"

# The encoders of Hao et al. 2019.
stack='encoder.stack=[{onlstm: {layers: 1, chunk: 64}}, {san: 1}]'
try check small6 "$stack" encoder.shortcut=true --quick
# The encoder adds 2 (2 D G + G) + 2 D D + D, and 2 D of the norm, with G = 4 D + 2 D / 64. An
# attention layer has 198,272, which are subtracted.
says "what it adds to as many layers of attention" 0 "the encoder adds 100,104 to plain attention$"
says "a stack alone" 0 "^alone +ok +float, .* difference 0, limit 0$"
says "a stack in threads" 0 "^threads +ok"
try check tiny 'encoder.stack=[{onlstm: 2}]'
says "a stack costs more than attention" 0 "^cost .*FLOP a token pair \(x 1\.(0[1-9]|[1-9])"

cat > $work/own.yaml << 'END'
model: {width: 48, heads: 3, feedforward: 64, norm: post}
encoder: {layers: 1, attention: [{layers: 1, branches: [forward, backward], fusion: concat}]}
decoder: {layers: 2, attention: [{layers: 2, branches: [{window: 1}]}]}
END
try check $work/own.yaml --quick
says "a model's file" 0 "^steps +ok +float, width 48"

# A table of rotations for each of 66 layers.
ropes() { for i in $(seq 33); do printf '{layers: %d, terms: [{rope: {base: %d}}]}, ' "$i" "$(($1 + i))"; done; }
{
    printf 'model: {width: 4, heads: 2, feedforward: 4}\n'
    printf 'encoder: {layers: 33, position: none, attention: [%s]}\n' "$(ropes 10)"
    printf 'decoder: {layers: 33, position: none, attention: [%s]}\n' "$(ropes 100)"
} > $work/ropes.yaml
try check $work/ropes.yaml --quick --words 100
says "each layer has its own rotations" 0 "^steps +ok"

cat > $work/rows.yaml << 'END'
grid: rows
corpus: multi30k-en-de
model: {preset: tiny, width: 48}
encoder.layers: 2
rows:
  - name: Transformer
  - {name: Gate, encoder.attention: [{layers: 2, branches: [global, {window: 1}], fusion: gate}]}
END
expect "a row of a grid" 0 "adds 192 to plain attention" check $work/rows.yaml --row Gate --quick
says "which row it is" 0 "^row +Gate$"
says "the float kernels at its own size" 0 "^steps +ok +float, width 48"

sed 's/forward, backward/forwards/' $work/own.yaml > $work/wrong.yaml
expect "bad YAML is one line with its place" 65 "wrong\.yaml:2:[0-9]+: .*forwards" check $work/wrong.yaml
holds "and nothing else" [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
expect "a mistyped option" 65 "widht" check tiny model.widht=8
expect "no such preset" 65 "nearest is .tiny" check tyni
expect "no such row" 65 "no row .Transfromer.; nearest is .Transformer" check xu2019-table1 --row Transfromer
expect "a row of what is no grid" 65 "row selects a row of a grid" check tiny --row Transformer
expect "a section that a model has not" 65 "evaluate" check tiny evaluate.bleu.beam=3
expect "a word that is missing" 65 "usage: sanlab check" check

# The walk through a new term in docs/attention.md. The commands print the output on the page, except for
# the size of rounding errors. The grid row on the page passes its check.
rounded() {
    sed 's/difference [^,]*,/difference,/'
}
shown=$(awk '/^    \.\/sanlab check .*alibi/ { here = 1 }
             here && /^```/ { if (inside) exit; inside = 1; next }
             inside' docs/attention.md | rounded)
output=$(sh -c "$(sed -n 's/^    \([.a-z0-9/]*\(sanlab check\|variants_test\) .*alibi.*\)/\1/p' docs/attention.md)" 2>&1 | rounded)
if [ -x build/tests/f64/variants_test ]; then
    [ -n "$shown" ] && [ "$output" = "$shown" ]
    ok "the page's check" $?
else
    skipped "the page's check" "build/tests/f64/variants_test is not built"
fi
{
    printf 'grid: g\ncorpus: {source: a, target: b, train: t, dev: d, test: e}\nmodel: %s\nrows:\n' \
        "$PWD/experiments/models/tiny.yaml"
    awk '/^  - name: \+ ALiBi/ { here = 1 } /^```/ { here = 0 } here' docs/attention.md
} > $work/page.yaml
expect "the page's row" 0 "attention adds [0-9]+ to plain" check $work/page.yaml --row "+ ALiBi" --quick
finish
