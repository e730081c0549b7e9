#!/bin/sh
# A rehearsal of a GPU on stubs of CUDA's runtime. The streams of a training run in random orders, memory that was
# freed is poisoned, and an allocation finds no memory. The models must have the same bytes each time. One, three
# and eight trainings at the same time leave the bytes of each training alone.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_order_cli

# with WORDS COMMAND..: runs the program with these words of the stand-in, and leaves the models in $work/other.
with() {
    words=$1
    shift
    rm -rf $work/other
    output=$(env LD_LIBRARY_PATH="$libraries" CUDA_STAND_IN="$words" "$@" --device cuda --runs $work/other 2>&1
        echo "exit status $?"; cat $work/other/stages/train-*/log.txt 2>&1)
}
here=$work/here/sanlab

# ---- random orders of the streams ----

for precision in fp32 bf16; do
    in_place run $grid --device emu --runs $work/emu-$precision train.precision=$precision
    for seed in 1 2 3; do
        with "order=$seed traces" $here run $grid train.precision=$precision
        order=$(echo "$output" | sed -n 's/.*busy at the same time, order //p')
        matches "order $seed in $precision: two streams are busy" '^stand-in: 2 streams busy at the same time, order [0-9a-f]*[1-9a-f]'
        equals "with the emulator's bytes" "$(models emu-$precision)" "$(models other)"
        echo "$precision $order" >> $work/orders
    done
done
with "order=3 traces" $here run $grid train.precision=bf16
matches "the seed determines the order" "order $order\$"
equals "other seeds give other orders" 6 "$(sort -u $work/orders | wc -l)"
with "order=4 traces" env SANLAB_CUDA_OFF=fork $here run $grid
matches "one stream has one order" '^stand-in: 1 streams busy at the same time, order 0*$'

# A program that lacks a wait for an event: a random order shows it. The first step has 41 waits. Others imply some of
# them, such as the third.
in_place run $grid --device emu --runs $work/two train.steps=2
found=0 seen=
for wait in 1 2 5 7 8 11 13 41; do
    for seed in 1 2 3 4; do
        with "skip=$wait order=$seed" env SANLAB_CUDA_OFF=graph $here run $grid train.steps=2
        [ "$(models other)" = "$(models two)" ] || { found=$((found + 1)) seen="$seen $wait" && break; }
    done
done
output="found without the wait:$seen"
holds "a missing wait between streams is found" [ "$found" -ge 6 ]

# ---- memory ----

# Trainings that take turns in one process. They begin and end at different times, and need more and more scratch
# memory. Recorded steps of one have the address of scratch memory that another then moves, so they must be recorded
# again. The stand-in ends the program if a recorded step writes to memory that was freed.
trainings() {
    words=$1 device=$2
    shift 2
    LD_LIBRARY_PATH=$libraries CUDA_STAND_IN=$words $work/here/sanlab-trainings "$device" "$@" 2>&1 | sort
}
for model in 1 2 3 4 5 6 7 8; do trainings "" cuda $model 1; done > $work/each
for count in 1 3 8; do
    equals "$count trainings in one process leave the bytes of each alone" "$(head -n $count $work/each)" \
        "$(trainings "order=$count" cuda 1 $count)"
done
equals "which are the emulator's" "$(cat $work/each)" "$(trainings "" emu 1 8)"

# The n-th allocation finds no memory: its stage ends with one line, and continues to the same bytes.
in_place run $grid --device cuda --runs $work/cuda-fp32
refused=0
for n in 1 2 3 5 8 13 21; do
    rm -f $work/once
    with "allocation=$n once=$work/once" $here run $grid
    [ -e $work/once ] || break
    refused=$((refused + 1))
    matches "allocation $n finds no memory" "^exit status [1-9]"
    matches "which is said in one line" '^sanlab: device cuda: .*out of memory'
    lacks "and is no crash" -e 'ended by signal' -e AddressSanitizer
    in_place run $grid --device cuda --runs $work/other --retry failed
    equals "then it goes on to the same bytes" "$(models cuda-fp32)" "$(models other)"
done
holds "several allocations were refused" [ $refused -ge 3 ]

# ---- several trainings at the same time ----

sed 's/^rows:/seeds: [1, 2, 3, 4, 5, 6, 7, 8]\nrows:/' $work/g.yaml > $work/many.yaml
many="$work/many.yaml --quiet"
for seed in 1 2 3 4 5 6 7 8; do
    in_place run $many "seeds=[$seed]" --device cuda --runs $work/alone -j 1
done
for at_once in 1 3 8; do
    with "order=$at_once" $here run $many -j $at_once
    equals "$at_once trainings at the same time leave the bytes of each alone" "$(models alone)" "$(models other)"
done
rm -f $work/once
with "order=1 allocation=5 once=$work/once" $here run $many -j 8
matches "out of memory ends one of eight" '^exit status 1$'
equals "and no other" 7 "$(ls $work/other/stages/train-*/done.json | wc -l)"
in_place run $many --device cuda --runs $work/other --retry failed
equals "which goes on to the same bytes" "$(models alone)" "$(models other)"
finish
