#!/bin/sh
# Several GPUs of one node, on stubs of CUDA's runtime: which are used, how stages are distributed, and a GPU that is
# lost.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_gpus_cli

sed 's/^rows:/seeds: [1, 2, 3, 4]\nrows:/' $work/g.yaml > $work/many.yaml
grid=$work/many.yaml
in_place run $grid --device emu --runs $work/emu --quiet
says "four trainings on the emulator" 0 '^$'

# used RUNS: prints the numbers of the GPUs of its trainings.
used() {
    sed -n 's/.*cuda:\([0-9]*\) of .*/\1/p' $work/"$1"/stages/train-*/environment.json | sort -u | tr '\n' ' '
}
# on WORDS DEVICE [WORDS..]: runs the grid on a fresh RUNS.
on() {
    export CUDA_STAND_IN="$1"
    device=$2
    shift 2
    rm -rf $work/other
    in_place run $grid --runs $work/other --device $device -j 4 "$@"
}

on "gpus=1" cuda
says "one GPU" 0 '^[0-9:]+  5 of 5 stages done$'
equals "is used" "0 " "$(used other)"
lacks "and not named" 'cuda:'
on "gpus=2 alike" cuda
says "two GPUs: the line of a start names the GPU" 0 'start  train-.* \(new; [0-9]+ threads?, cuda:1\)$'
holds "two stages run on each" [ "$(printf '%s\n' "$output" | grep -c 'start  train-.*cuda:1)$')" = 2 ]
equals "both are used" "0 1 " "$(used other)"
equals "with the emulator's bytes" "$(models emu)" "$(models other)"
on "gpus=4 alike" auto --log-format json
matches "an event has the GPU" '"event": *"start".*"device": *"cuda:3"'
equals "all of four are used" "0 1 2 3 " "$(used other)"
on "gpus=4 alike" cuda:0,2
equals "the listed ones are used" "0 2 " "$(used other)"
on "gpus=4 alike" cuda:3
equals "or the one" "3 " "$(used other)"
on "gpus=4 alike" cuda:0
equals "which may be the first" "0 " "$(used other)"

# ---- refusals ----

on "gpus=2 alike" cuda:0,2
says "a GPU that does not exist" 65 '^sanlab: device cuda:2: this machine has 2 GPUs; expected cuda:0 to cuda:1$'
on "gpus=2 alike" cuda:1,0,1
says "a GPU twice" 65 '^sanlab: device: cuda:1,0,1: GPU 1 is listed twice$'
for word in "cuda:0," cuda:,1 cuda:0,x cuda:0,,1 cuda:0,1x cuda:0,-1; do
    on "gpus=2 alike" $word
    says "$word" 65 "^sanlab: device: expected numbers of GPUs, such as cuda:0,2, got \"$word\"$"
done
on "gpus=2" cuda:0,1
says "GPUs of two kinds" 65 \
    '^sanlab: device: cuda:1 has other numerics than cuda:0 \(.*Stand-in 1 .*, .*Stand-in 0 .*\); expected GPUs of one kind$'
holds "nothing is recorded" [ ! -e $work/other ]
on "gpus=2" cuda
says "or the first kind is taken" 0 '^sanlab: warning: cuda:1 is not used: its numerics are not those of cuda:0 '
equals "alone" "0 " "$(used other)"
export CUDA_STAND_IN="gpus=2 alike"
in_place translate $work $work/data/dev.a --device cuda:0,1
says "a verb that uses one GPU" 65 '^sanlab: translate: --device cuda:0,1: expected one GPU, such as cuda:0$'
in_place plan $grid --device cuda:0,1 --runs $work/none
says "plan takes the list of run" 0 '^5 stages'

# ---- a GPU is lost ----

lost=$PWD/$work/lost
: > "$lost"
on "gpus=2 alike lose=1 lost=$lost" cuda
says "one of two does not work" 0 '^sanlab: warning: cuda:1 is not used: device cuda: .*busy or unavailable'
equals "the other is used" "0 " "$(used other)"
on "gpus=2 alike lose=0 lost=$lost" cuda
says "nor the first" 0 '^sanlab: warning: cuda:0 is not used: device cuda: .*busy or unavailable'
equals "the second is used" "1 " "$(used other)"
on "gpus=2 alike lose=1 lost=$lost" cuda:0,1
says "one that is listed must work" 65 '^sanlab: device cuda: the GPU cannot be used: .*busy or unavailable'
on "gpus=1 lose=0 lost=$lost" cuda
says "none works" 65 '^sanlab: device cuda: the GPU cannot be used: .*busy or unavailable'

# A training saves at steps 2 and 4. The kernel at which the GPU is lost is one of the fourth step.
export CUDA_STAND_IN="gpus=1 traces"
in_place run $grid --runs $work/counted --device cuda -j 1 seeds=1 --quiet
kernels=$(sed -n 's/^stand-in: \([0-9]*\) kernels$/\1/p' $work/counted/stages/train-*/log.txt)
rm "$lost"
on "gpus=2 alike lose=1 kernels=$((kernels * 7 / 10)) lost=$lost" cuda
says "one is lost during the run" 0 'LOST   cuda:1: device cuda: .*; the other GPUs continue its stages$'
matches "the loss is not a failure of its stages" -E '  5 of 5 stages done$'
matches "its stages continue from their checkpoints" -E 'start  train-.* \(from step 2; [0-9]+ threads?, cuda:0\)$'
equals "once" 1 "$(printf '%s\n' "$output" | grep -c LOST)"
lacks "and none failed" FAILED
equals "with the same bytes" "$(models emu)" "$(models other)"
rm "$lost"
on "gpus=1 lose=0 kernels=$((kernels * 7 / 10)) lost=$lost" cuda
says "the only one is lost" 75 'stopping: no GPU is left$'
lacks "nothing has failed" FAILED
lacks "and no other GPU continues its stages" 'other GPUs'
rm "$lost"
export CUDA_STAND_IN="gpus=1"
in_place run $grid --runs $work/other --device cuda -j 4
says "the same command continues" 0 'start  train-.* \(from step 2'
equals "to the same bytes" "$(models emu)" "$(models other)"
export CUDA_STAND_IN="gpus=2 breaks=norm_kernel"
rm -rf $work/other
in_place run $grid --runs $work/other --device cuda:1 -j 4 --quiet
says "a kernel that breaks is a failure" 1 'FAILED train-.*illegal memory access'
lacks "of a GPU that works" LOST
finish
