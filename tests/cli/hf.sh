#!/bin/sh
# examples/hf: vectors of all layers of an encoder with random weights, whose embeddings have another width. A grid of them has a table, controls, margins and a
# figure by layer. A layer has the vectors of a plain loop over sentences.
. "$(dirname "$0")/../support/cli.sh"
python=${PYTHON:-python3}
"$python" -c 'import numpy, torch, transformers, tokenizers' 2> /dev/null || {
    skipped "examples/hf/layers.py" "$python has no torch and transformers (pip install torch transformers)"
    finish
    exit
}
task hf 120
SANLAB_DATA=$PWD/$work/data HF_HUB_OFFLINE=1 OMP_NUM_THREADS=1
export SANLAB_DATA HF_HUB_OFFLINE OMP_NUM_THREADS
mkdir -p $work/data/probing
awk 'NR == 5 { $0 = $0 "\342\200\250s1" } # U+2028 ends no line
    { print (NR <= 80 ? "tr" : NR <= 100 ? "va" : "te") "\t" (/s[34]/ ? "YES" : "NO") "\t" $0 }' $work/data/train.a > $work/data/probing/has.txt
awk 'BEGIN { for (i = 0; i < 36; i++) print (i < 12 ? "tr" : i < 24 ? "va" : "te") "\t" (i % 12 < 6 ? "LOW" : "HIGH") "\ts" i % 12 }' > $work/data/probing/words.txt
cat > $work/model.py << 'END'
import sys
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import ElectraConfig, ElectraModel, PreTrainedTokenizerFast
words = {word: i for i, word in enumerate(["[PAD]", "[UNK]", *(f"s{i}" for i in range(12))])}
tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]").save_pretrained(sys.argv[1])
torch.manual_seed(7)
ElectraModel(ElectraConfig(vocab_size=len(words), embedding_size=16, hidden_size=32, num_hidden_layers=12,
                           num_attention_heads=4, intermediate_size=64)).save_pretrained(sys.argv[1])
END
"$python" $work/model.py $work/model > $work/log 2>&1 || cat $work/log
output=$("$python" examples/hf/layers.py $work/model $work/bert Tense=$work/data/probing/has.txt Low=$work/data/probing/words.txt 2>&1)
ok "vectors of an encoder" $?
output=$(cd $work/bert && printf '%s ' */Tense.npy | sed 's|/Tense.npy||g')
equals "of its layers and two controls" "$(for layer in 1 2 3 4 5 6 7 8 9 10 11 12; do
    echo encoder.$layer encoder.$layer@start; done | tr ' ' '\n' | sort | tr '\n' ' ')bag" \
    "$(printf '%s\n' $output | sort | grep -v bag | tr '\n' ' ')bag"
cat > $work/loop.py << 'END'
import sys
import numpy, torch
from transformers import AutoModel, AutoTokenizer
tokenizer, model = AutoTokenizer.from_pretrained(sys.argv[1]), AutoModel.from_pretrained(sys.argv[1]).eval()
sentences = [line.split("\t")[2] for line in open(sys.argv[2])]
with torch.no_grad():
    states = [model(**tokenizer(one, return_tensors="pt"), output_hidden_states=True).hidden_states for one in sentences]
for layer in 1, 4, 12:
    mine = numpy.load(f"{sys.argv[3]}/encoder.{layer}/Tense.npy")
    want = torch.stack([state[layer][0].mean(0) for state in states]).numpy()
    assert mine.dtype == numpy.float32 and abs(mine - want).max() < 1e-5, abs(mine - want).max()
assert abs(numpy.load(f"{sys.argv[3]}/encoder.12@start/Tense.npy") - want).max() > 0.1
END
output=$("$python" $work/loop.py $work/model $work/data/probing/has.txt $work/bert 2>&1)
ok "a layer has the means over the tokens of each sentence, and the start is another model" $?
sed 's/tasks: senteval/standardize: true, tasks: [{name: Tense, file: probing\/has.txt, group: Words}, {name: Low, file: probing\/words.txt, group: Words}]/' \
    examples/hf/bert.yaml > $work/bert.yaml
expect "a grid of it" 0 . run $work/bert.yaml --runs $work/runs
try table $work/bert.yaml --runs $work/runs --notes false
says "a table with controls and the selectivity" 0 '^BERT( +[-+0-9.]+){6}$'
table=$output
printf '%s\n' "$output" | awk '/^BERT/ { found = ($4 - $6 - $7) ^ 2 < 1e-6 } END { exit !found }'
ok "which is the difference from the start" $?
if command -v gnuplot > /dev/null; then
    try plot $work/bert.yaml --runs $work/runs --out $work/figures --format svg
    says "figures by layer" 0 .
    output=$(ls $work/figures)
    holds "are drawn" [ "$output" = "bert-1.svg
bert-2.svg" ]
fi
sed 's/^rows.*/&\nsweep: {probe.path: [encoder.1, encoder.12]}/; s/^grid: .*/grid: sweep/; s/path: layers, //; /^table/,$d' $work/bert.yaml > $work/sweep.yaml
echo 'table: {columns: [probe.Tense, margin(probe.Tense), mean(Words)]}' >> $work/sweep.yaml
last=$(printf '%s\n' "$table" | awk '/^BERT/ { print $4, $7 }')
try table $work/sweep.yaml --runs $work/runs --notes false
equals "a sweep of paths has a row for each layer, with the same numbers" "$last" \
    "$(printf '%s\n' "$output" | awk '/^BERT, path=encoder.12/ { print $3, $4 }')"
finish
