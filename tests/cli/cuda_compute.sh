#!/bin/sh
# The host part of a GPU's plug-in equals the emulator to the byte: ops, trainings in each precision, a
# search. Also the recorded properties of the device.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_compute_cli

for precision in fp32 tf32 bf16; do
    for op in read_act write_act gemm gemm_weight squeeze_backward adam; do
        output=$(LD_LIBRARY_PATH=$libraries \
            $work/here/sanlab-ops cuda "${TRIALS:-6}" $precision $op 2>&1)
        holds "$op in $precision" [ "${output% *}" = "ok $op" ]
    done
done
for precision in fp32 tf32 bf16; do
    for device in emu cuda; do
        in_place run $grid --device $device --runs $work/$device-$precision \
            train.precision=$precision
        says "a training on $device in $precision" 0 '^$'
    done
    output="$(models emu-$precision) $(models cuda-$precision)"
    holds "they leave the same bytes" [ "$(models emu-$precision)" = "$(models cuda-$precision)" ]
done
holds "tf32 is not fp32" [ "$(models cuda-fp32)" != "$(models cuda-tf32)" ]
output=$(cat $work/cuda-tf32/stages/train-*/environment.json)
code=0
says "where it was computed is recorded" 0 '"products": "cuda fp32 5 Stand-in 0 cublasLt 13\.1\.0"'
output=$(cat $work/cuda-tf32/stages/train-*/ckpt/*/state.json)
says "with the numerics of its precision" 0 '"numerics": "cuda tf32 5 Stand-in 0 cublasLt 13\.1\.0"'
export CUDA_STAND_IN=gpus=3
in_place work --describe --device cuda:2
says "cuda:N is the GPU of that number" 0 '"products": "cuda fp32 5 Stand-in 2 cublasLt'
in_place run $grid --device cuda:1 --runs $work/second
output=$(cat $work/second/stages/train-*/environment.json)
says "for workers, too" 0 'Stand-in 1 cublasLt'
unset CUDA_STAND_IN
in_place work --describe
says "auto is a GPU that works" 0 '"device": "cuda"'

# Two searches alternate, with two batches each (crew.h). Words that arrived too early would change the
# result.
awk 'BEGIN { for (i = 0; i < 100; i++) print "s" i % 12 (i % 3 ? " s3 s1" : "") }' > $work/lines
for device in emu cuda; do
    in_place translate "$(basename $work/cuda-fp32/stages/train-*)" $work/lines --runs $work/cuda-fp32 --device $device \
        --extra 3 --beam 2 --nbest 2
    echo "$output" > $work/translated.$device
done
output=$(sort $work/translated.* | uniq -c | head)
[ "$(wc -l < $work/translated.cuda)" -gt 100 ] && cmp -s $work/translated.cuda $work/translated.emu
ok "two searches by turns find what the emulator's do" $?
finish
