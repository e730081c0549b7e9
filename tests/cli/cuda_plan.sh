#!/bin/sh
# doctor and plan with a GPU, on stubs of CUDA: its memory, and the memory that a stage takes.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_plan_cli

export CUDA_STAND_IN="gpus=2 memory=3000000000"
in_place doctor --runs $work/none
unset CUDA_STAND_IN
disk_aside
says "doctor names the GPU" 0 '^GPU +cuda: cuda fp32 5 Stand-in 0 cublasLt 13\.1\.0$'
says "its driver" 0 '^ +driver for CUDA 13\.0, this needs 13\.[0-9]$'
says "its number and capability" 0 '^ +cuda:0 of 2 GPUs: Stand-in 0, compute capability 9\.0$'
says "its memory" 0 '^ +[0-9.]+ of 3\.0 GB of its memory are free$'
says "and where cuBLASLt is" 0 '^ +cuBLASLt 13\.1\.0: .*/libcublasLt\.so\.13$'
in_place plan $grid --device cuda --runs $work/none
says "plan states the device's memory" 0 'device memory'
says "beside the host's, with what cuBLASLt takes" 0 \
    '^memory [0-9.]+ MB at the peak, device memory (68|69) MB; disk'
# The emulator is slow. One step of training, and a search in which one long sentence determines the
# memory; all other sentences have one word.
for side in a b; do
    awk 'NR == 1 { for (i = 0; i < 80; i++) printf "%s ", $1 } NR < 40 { print $1 }' $work/data/dev.$side > $work/data/long.$side
done
sed 's/width: 32/width: 128/; s/steps: 5/steps: 1/; s/save_every: 2/save_every: 1/; s/dev: dev/dev: long/' $work/g.yaml \
    > $work/searched.yaml
in_place run $work/searched.yaml --quiet --device cuda --runs $work/searched -j 1
echo 'evaluate: {bleu: {split: dev, beam: 8, extra: 1}}' >> $work/searched.yaml
in_place plan $work/searched.yaml --device cuda --runs $work/searched
planned=$(echo "$output" | sed -n 's/^memory .* at the peak, device memory \([0-9]*\) MB;.*/\1/p')
CUDA_STAND_IN=traces in_place run $work/searched.yaml --quiet --device cuda --runs $work/searched -j 1
output="$planned MB planned; $(cat $work/searched/stages/score-*/log.txt)"
taken=$(echo "$output" | sed -n 's/.*stand-in: \([0-9]*\) bytes at most.*/\1/p')
awk -v planned="${planned:-0}" -v taken="${taken:-0}" \
    'BEGIN { library = 33.6; share = (planned - library) / (taken / 1e6 - library)
        exit !(taken > 70e6 && share > 0.95 && share < 1.1) }'
ok "a search's, to a tenth" $?
export CUDA_STAND_IN=traces
in_place run $grid --device cuda --runs $work/traced -j 1
unset CUDA_STAND_IN
output=$(cat $work/traced/stages/train-*/log.txt)
says "which is what it has taken, to a twentieth" 0 '^stand-in: (6[89]|7[01])[0-9]{6} bytes at most'
finish
