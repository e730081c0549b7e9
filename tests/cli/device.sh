#!/bin/sh
# --device: a grid on the emulator and on the CPU, interrupted and resumed, and refused plug-ins.
. "$(dirname "$0")/../support/cli.sh"
task device_cli 60
unset SANLAB_PRODUCTS SANLAB_ANY_NUMERICS
thaw_at_end

cat > $work/g.yaml << 'END'
grid: g
corpus: {source: a, target: b, train: train, dev: dev, merges: 0}
model: {width: 16, heads: 2, feedforward: 16, dropout: 0.1}
encoder.layers: 1
decoder.layers: 1
train: {epochs: 0, steps: 6, batch_tokens: 64, warmup: 20, log_every: 1, save_every: 2}
rows:
  - name: Base
  - name: Local
    encoder.attention: [{layers: 1, branches: [global, {window: 1}], terms: [{gauss: {}}], fusion: gate}]
evaluate: {bleu: {split: dev, beam: 2, extra: 3}}
END
sed '/name: Base/d' $work/g.yaml > $work/one.yaml
sed -n '/^model/p; /layers: 1$/p' $work/g.yaml > $work/m.yaml
grid="$work/g.yaml --quiet --runs $work"
one="$work/one.yaml --quiet --runs $work"

# results RUNS: prints digests of all files that depend on the stages alone, for the stages of the one
# row.
results() {
    stages=$(ls $work/parts/stages)
    (cd "$1/stages" && for stage in $stages; do
        sha256sum "$stage/metrics.jsonl" "$stage"/hypotheses.txt "$stage"/ckpt/*/model.safetensors
        cat "$stage/done.json"
    done) 2> /dev/null
}
# losses RUNS: prints the dev loss of each training, to four digits.
losses() {
    for stage in "$1"/stages/train-*; do printf '%.4g\n' "$(stage_value "$stage" dev_loss)"; done
}
# devices RUNS: prints the distinct devices in the environments of all stages.
devices() {
    sed -n 's/.*\("device": "[a-z]*"\).*/\1/p' "$1"/stages/*/environment.json | sort -u
}

expect "a grid on the emulator" 0 "^$" run $grid/emu --device emu
expect "and on the CPU" 0 "^$" run $grid/cpu --device cpu
output=$(ls $work/emu/stages; ls $work/cpu/stages)
[ "$(ls $work/emu/stages)" = "$(ls $work/cpu/stages)" ] && [ "$(ls $work/emu/stages | wc -l)" = 5 ]
ok "the stages are the same ones" $?
output="$(losses $work/emu) and $(losses $work/cpu)"
[ "$(losses $work/emu)" = "$(losses $work/cpu)" ] && [ "$(losses $work/emu | wc -l)" = 2 ]
ok "and their losses equal, to four digits" $?
equals "environment.json says where" '"device": "emu"' "$(devices $work/emu)"
equals "for both" '"device": "cpu"' "$(devices $work/cpu)"
output=$(cat $work/emu/stages/train-*/ckpt/*/state.json)
[ "$(printf '%s\n' "$output" | grep -c '"numerics": "emu fp32 [0-9]*"')" = "$(ls -d $work/emu/stages/train-*/ckpt/step-* | wc -l)" ]
ok "state.json has its numerics" $?

# Stopped by a signal, refused on the CPU, killed, then finished.
freeze step:3 1 run $one/parts --device emu -j 1
kill -TERM $runner # wakes its worker, too
ended
says "stopped by a signal" 75 ""
try run $one/parts --device cpu
says "the CPU does not go on with it" 1 'ckpt/step-0*3/state.json: saved with numerics "emu fp32 [0-9]+", this process has "1": .* use --device emu, or SANLAB_ANY_NUMERICS=1 to continue anyway'
SANLAB_CRASH_AT=step:2 try run $one/parts --device emu --retry failed
says "killed" 1 "ended by signal 9"
expect "the emulator goes on" 0 "^$" run $one/parts --device emu --retry failed
results $work/emu > $work/expected
results $work/parts > $work/got
output=$(diff $work/expected $work/got | head -20)
[ -s $work/expected ] && [ -z "$output" ]
ok "to the same rows, models and hypotheses" $?
SANLAB_CRASH_AT=step:5 ./sanlab run $one/other --device cpu > $work/log 2>&1
try run $one/other --device emu --retry failed
says "the emulator does not go on with the CPU's" 1 'ckpt/step-0*4/state.json: saved with numerics "1", this process has "emu fp32 [0-9]+": .* use --device cpu, or '
SANLAB_ANY_NUMERICS=1 try run $one/other --device emu --retry failed
says "unless asked" 0 "^$"

# Invalid variables of the device are refused before anything is trained.
for bytes in abc 1e9 -1 0 ''; do
    SANLAB_EMU_MEMORY=$bytes try run $one/none --device emu
    says "no bytes: \"$bytes\"" 65 "device emu: SANLAB_EMU_MEMORY: expected bytes, .*, got \"$bytes\"\$"
done
for words in grahp graph,GRAPH noepilogue; do
    SANLAB_CUDA_OFF=$words try run $one/none --device emu
    says "what cannot be off: $words" 65 'device emu: SANLAB_CUDA_OFF: expected words of graph, .*, got "[A-Za-z]*"$'
done

# A device divides a step into as few micro-batches as its memory permits, and keeps this number when it
# continues.
sed '/^evaluate/d' $work/one.yaml > $work/plain.yaml
one="$work/plain.yaml --quiet --runs $work"
try run $one/whole train.accumulate=4 --device emu
output=$(cat $work/whole/stages/train-*/ckpt/*/state.json | grep -c '"micros": 1$')
holds "a device with room does not cut steps" [ "$output" = "$(ls -d $work/whole/stages/train-*/ckpt/step-* | wc -l)" ]
SANLAB_EMU_MEMORY=1000 try run $one/small train.accumulate=4 --device emu
output=$(cat $work/small/stages/train-*/ckpt/*/state.json | grep -c '"micros": 4$')
holds "one without cuts them as the option says" [ "$output" = "$(ls -d $work/small/stages/train-*/ckpt/step-* | wc -l)" ]
SANLAB_CRASH_AT=step:5 ./sanlab run $one/less train.accumulate=4 --device emu > $work/log 2>&1
SANLAB_EMU_MEMORY=1000 try run $one/less train.accumulate=4 --device emu --retry failed
says "a run goes on with a device that has less" 0 "^$"
output=$(cd $work && sha256sum whole/stages/train-*/ckpt/*/model.safetensors \
    less/stages/train-*/ckpt/*/model.safetensors | cut -d ' ' -f 1 | sort | uniq -c)
[ -n "$output" ] && ! printf '%s\n' "$output" | grep -qv '^ *2 '
ok "to the same bytes" $?
SANLAB_EMU_MEMORY=1000 SANLAB_CRASH_AT=step:5 ./sanlab run $one/more train.accumulate=4 --device emu > $work/log 2>&1
try run $one/more train.accumulate=4 --device emu --retry failed
says "a run goes on with a device that has more" 0 "^$"
output=$(cd $work && sha256sum small/stages/train-*/ckpt/*/model.safetensors \
    more/stages/train-*/ckpt/*/model.safetensors | cut -d ' ' -f 1 | sort | uniq -c)
[ -n "$output" ] && ! printf '%s\n' "$output" | grep -qv '^ *2 '
ok "to the same bytes, too" $?

# Limits of a device are reported at the option that exceeds them.
try plan $grid/none model.heads=1 model.width=300 --device emu
says "heads that are too wide" 65 '^sanlab: command line: model.width=300: model.width: heads of 300: --device emu takes at most 256( .row "Base".)?$'
try plan $grid/none corpus.max_length=5000 --device emu
says "sentences that are too long" 65 'corpus.max_length: sentences of 5000: --device emu takes at most 4096( .row "Base".)?$'
try plan $grid/none train.precision=bf16 --device cpu
says "bf16 on the CPU" 65 'train.precision: bf16: --device cpu computes in fp32 only( .row "Base".)?$'
try plan $grid/none train.precision=bf16
says "which waits for another machine where none was named" 1 'missing input: a device that computes in bf16'
try run $work/one.yaml --quiet --runs $work/half train.precision=bf16 train.steps=2 evaluate.bleu.precision=bf16 --device emu
says "and is done by one that can" 0 "^$"

# Both devices read a model that the CPU trained.
head -4 $work/data/dev.a > $work/text
paste $work/text $work/text $work/text | sed 's/\t[^\t]*\t/\tt1 t2\t/; s/$/\tshort/' > $work/pairs.tsv
for device in cpu emu; do
    try translate g/Base/1 $work/text --runs $work/cpu --device $device
    printf '%s\n' "$output" > $work/translated.$device
    try score --contrast $work/pairs.tsv g/Base/1 --runs $work/cpu --device $device
    printf '%s\n' "$output" | awk 'NR > 1 { printf "%d %.3f %.3f\n", $1, $2, $3 }' > $work/contrast.$device
done
output=$(cat $work/translated.*)
[ "$(wc -l < $work/translated.emu)" = 4 ] && cmp -s $work/translated.cpu $work/translated.emu
ok "they translate alike" $?
output=$(cat $work/contrast.*)
grep -q '^4 -' $work/contrast.emu && cmp -s $work/contrast.cpu $work/contrast.emu
ok "and score alike" $?
try_dev bench step $work/m.yaml train.batch_tokens=40 --threads 1 --batches 1 --rounds 1 --device emu
says "bench measures the emulator" 0 "1 thread, wall time, emu-fp32"
says "against what it does at most itself" 0 '^floors +products [0-9.]+ GFLOP/s \([0-9x ]+\), copy [0-9.]+ GB/s, both here$'
says "how long the host is busy, and the device idle" 0 '^host +[0-9.]+ ms, device idle -?[0-9.]+%$'
says "and how many launches a step is" 0 '^launches +[1-9][0-9]* launches a step, [1-9][0-9]* in sequence$'

# refuses WHAT PATTERN: passes if `run` of the program in $work/here refuses its plug-in in one line,
# before it records any work.
refuses() {
    run $work/here/sanlab run $work/one.yaml --runs $work/none --device "${device:-emu}"
    here=$(cd $work && ls -d none/stages/* 2> /dev/null)
    output="exit status $code
$output${here:+
$here}"
    [ $code != 0 ] && [ "$(printf '%s\n' "$output" | wc -l)" = 2 ] &&
        printf '%s\n' "$output" | grep -Eq -e "$2"
    ok "refused: $1" $?
    rm -rf $work/none
}
mkdir -p $work/here $work/installed/bin $work/installed/lib/sanlab
cp sanlab $work/here
# With a broken GPU plug-in, auto selects the CPU.
: > $work/here/sanlab-cuda.so
run $work/here/sanlab plan $work/one.yaml train.precision=bf16 --runs $work/none
says "auto is the CPU where the GPU does not work" 1 'missing input: a device that computes in bf16'
rm -rf $work/none $work/here/sanlab-cuda.so
plugin=$work/here/sanlab-emu.so
named="^sanlab: device emu: [^ ]*/here/sanlab-emu.so:"
refuses "no plug-in" "$named No such file or directory; .make dev. builds it next to the program$"
head -c 100000 sanlab-emu.so > $plugin
refuses "half a plug-in" "$named truncated: expected at least [0-9]+ bytes, found 100000; .make dev. builds the file again$"
head -c 20 sanlab-emu.so > $plugin
refuses "its first bytes" "^sanlab: device emu: .*/here/sanlab-emu.so: file too short"
echo "int nothing;" | ${CC:-gcc} -shared -fPIC -o $plugin -x c -
refuses "another shared object" "$named is not a device of sanlab"
hash='[0-9a-f]{16}'
LC_ALL=C sed -E "s/ops $hash, terms/ops 0123456789abcdef, terms/" sanlab-emu.so > $plugin
refuses "another op table" "$named built for ops 0123456789abcdef, terms $hash, but this program has ops $hash, terms $hash"
LC_ALL=C sed -E "s/, terms $hash/, terms 0123456789abcdef/" sanlab-emu.so > $plugin
refuses "another term" "$named built for ops $hash, terms 0123456789abcdef, but this program has ops $hash, terms $hash"
device=emi refuses "an unknown device" '^sanlab: device: expected auto, cpu, cuda, cuda:N or emu, got "emi"; nearest is "emu"'

for word in cuda: cuda:x cuda:1x cuda:-1; do
    device=$word refuses "$word" "^sanlab: device: expected cuda:N with a number N from 0, got \"$word\""
done

# The folder to which `make install` copies plug-ins.
cp sanlab $work/installed/bin
run $work/installed/bin/sanlab check $work/m.yaml --device emu
says "an installed program looks in lib" 65 "device emu: [^ ]*/installed/lib/sanlab/sanlab-emu.so: No such file"
cp sanlab-emu.so $work/installed/lib/sanlab
run $work/installed/bin/sanlab run $work/plain.yaml --quiet --runs $work/none --device emu train.steps=1
says "and computes with what is there" 0 "^$"
finish
