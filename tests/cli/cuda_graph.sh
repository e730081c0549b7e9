#!/bin/sh
# Recorded steps (graphs) of a GPU's plug-in, on stubs of CUDA's runtime. Steps that are recorded once
# and launched again leave the same bytes, with and without a second stream, epilogues and recurrent
# layers.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/stand_in.sh
stand_in cuda_graph_cli

in_place run $grid --device cuda --runs $work/cuda-fp32
says "a training" 0 '^$'
export CUDA_STAND_IN=traces
in_place run $grid --device cuda --runs $work/traced -j 1
unset CUDA_STAND_IN
output=$(cat $work/traced/stages/train-*/log.txt)
says "the first step is issued as it comes, the others are one recorded step" 0 ' 1 graphs made, 4 launched$'
# as_ever WHAT PATTERN NAME=VALUE..: passes if a training under these variables leaves the same bytes and
# prints PATTERN about graphs.
as_ever() {
    what=$1 pattern=$2
    shift 2
    rm -rf $work/other
    output=$(env LD_LIBRARY_PATH="$libraries" CUDA_STAND_IN=traces "$@" $work/here/sanlab run $grid \
        --device cuda --runs $work/other 2>&1; cat $work/other/stages/train-*/log.txt)
    code=$?
    says "$what" 0 "$pattern"
    equals "to the same bytes" "$(models cuda-fp32)" "$(models other)"
}
as_ever "without graphs nothing is recorded" ' 0 graphs made, 0 launched$' SANLAB_CUDA_OFF=graph
as_ever "without a second stream" ' 1 graphs made, 4 launched$' SANLAB_CUDA_OFF=fork
as_ever "without both" ' 0 graphs made, 0 launched$' SANLAB_CUDA_OFF=graph,fork
# A recurrent layer: each step has sentences of other lengths.
sed 's/encoder.layers: 1/encoder.stack: [{onlstm: 1}]/' $work/g.yaml > $work/recurrent.yaml
recurrent="$work/recurrent.yaml --quiet"
in_place run $recurrent --device emu --runs $work/emu-recurrent
export CUDA_STAND_IN=traces
in_place run $recurrent --device cuda --runs $work/cuda-recurrent
unset CUDA_STAND_IN
output=$(cat $work/cuda-recurrent/stages/train-*/log.txt)
says "recurrent layers repeat a recorded step" 0 ' 1 graphs made, 4 launched$'
holds "to the emulator's bytes" [ "$(models cuda-recurrent)" = "$(models emu-recurrent)" ]
# Another order of sums changes the last bits. The bytes equal those of the emulator under the same
# switch.
SANLAB_CUDA_OFF=epilogue in_place run $grid --device emu --runs $work/emu-plain
says "a training on emu without epilogues" 0 '^$'
for how in SANLAB_CUDA_OFF=epilogue CUBLASLT_STAND_IN_REFUSES=1 CUBLASLT_STAND_IN_REFUSES=late; do
    rm -rf $work/cuda-plain
    output=$(env LD_LIBRARY_PATH="$libraries" $how $work/here/sanlab run $grid --device cuda \
        --runs $work/cuda-plain 2>&1)
    [ "$(models cuda-plain)" = "$(models emu-plain)" ] &&
        [ "$(models cuda-plain)" != "$(models cuda-fp32)" ]
    ok "$how leaves the bytes of that" $?
done
as_ever "nor where every op is waited for" ' 0 graphs made, 0 launched$' SANLAB_CUDA_SYNC=1
finish
