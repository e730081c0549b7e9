#!/bin/sh
# scripts/generate/gpu_line: the line about the last tests on a GPU, from a made-up record, in a separate tree.
. "$(dirname "$0")/../support/cli.sh"
fresh gpu_line
cp --parents scripts/generate/gpu_line $work
mkdir -p $work/docs $work/experiments/cli $work/core/cuda $work/results/published/gpu
mark='<!-- scripts/generate/gpu_line writes the next line -->'
for page in README.md docs/speed.md; do
    printf 'Above.\n%s\n\nBelow.\n' "$mark" > $work/$page
done
committed() {
    git -C $work add -A
    git -C $work -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m step
}
git -C $work init -q
committed
cat > $work/results/published/gpu/test.json << END
{"commit": "$(git -C $work rev-parse --short=12 HEAD)", "date": "2026-01-02T03:04:05Z", "failed": 1,
 "described": "{\"facts\": \"driver for CUDA 13.0; cuda:0 of 1 GPU: Abacus 9, compute capability 9.0; 1 GB free\"}",
 "parts": [{"end": "passed", "passed": 40}, {"end": "passed", "passed": null}, {"end": "failed", "passed": null}]}
END
committed
run $work/scripts/generate/gpu_line --check
says "pages without the line" 1 "^docs/speed.md: the line about the last tests on a GPU is not current"
run $work/scripts/generate/gpu_line
equals "lines are written" "" "$output"
run cat $work/README.md
says "the facts of the record, below the mark" 0 \
    "^Last tests on a GPU: 2026-01-02, Abacus 9, commit [0-9a-f]{8}; 41 passed, 1 failed\. .* core/cuda: 0\.$"
says "what is below stays" 0 "^Below\.$"
run cat $work/experiments/cli/doctor_gpu.txt
says "the line of doctor" 0 "^Last tests on a GPU: 2026-01-02, "
echo one > $work/core/cuda/one.cu
run $work/scripts/generate/gpu_line --check
says "a change that is not committed" 1 "^README.md: the line about the last tests on a GPU is not current"
run $work/scripts/generate/gpu_line
committed
run $work/scripts/generate/gpu_line --check
says "it counts as the commit that it becomes" 0 '^$'
run grep -h 'core/cuda: 1\.$' $work/README.md $work/docs/speed.md $work/experiments/cli/doctor_gpu.txt
holds "in all three files" [ "$(echo "$output" | wc -l)" = 3 ]
rm -rf $work/.git
GIT_CEILING_DIRECTORIES=$PWD/$work/.. run $work/scripts/generate/gpu_line --check
says "without the history the number is not checked" 0 '^$'
sed -i 's/41 passed/42 passed/' $work/README.md
GIT_CEILING_DIRECTORIES=$PWD/$work/.. run $work/scripts/generate/gpu_line --check
says "but the facts are" 1 "^README.md: "
echo 'Above.' > $work/README.md
GIT_CEILING_DIRECTORIES=$PWD/$work/.. run $work/scripts/generate/gpu_line --check
says "a page without the mark" 1 "^README.md: expected the line <!-- scripts/generate/gpu_line"
finish
