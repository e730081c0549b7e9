#!/bin/sh
# scripts/generate/speed_page: tables of docs/speed.md from a made-up record, in a separate tree.
. "$(dirname "$0")/../support/cli.sh"
fresh speed_page
cp --parents scripts/generate/speed_page $work
mkdir -p $work/docs $work/results/published/cpu
marks='<!-- begin of what scripts/generate/speed_page writes -->
<!-- end of what scripts/generate/speed_page writes -->'
printf 'Above.\n%s\nBelow.\n' "$marks" > $work/docs/speed.md
cat > $work/results/published/cpu/one.json << 'END'
{"processor": "Abacus 7", "instruction set": "avx2", "threads": 2, "rounds": 3, "commit": "12345678",
 "date": "2026-01-02", "seconds": 9, "load of other processes": 0.05, "PEER_ENV": "A=b",
 "versions": {"Peer": "Peer 1.0"}, "products, GFLOP/s": {"sanlab, OpenBLAS": 100, "Peer, at its best": 70},
 "warnings": ["Peer, at its best: products at 70 GFLOP/s, below 80% of 100"], "skipped": ["BPE: none"],
 "works": [
  {"work": "training", "unit": "tokens/s", "less is better": false, "sanlab": [1000, 3000, 2000],
   "peers": {"Peer": {"as installed": {"rounds": [500, 400, 600], "ratio": 4},
                      "at its best": {"rounds": [2500, 2600, 2400], "ratio": 0.8}}}},
  {"work": "words", "unit": "s", "less is better": true, "sanlab": [1],
   "peers": {"Peer": {"as installed": {"rounds": [2], "ratio": 2}}}},
  {"work": "start", "unit": "s", "less is better": true, "sanlab": [0.17], "peers": {}}]}
END
run $work/scripts/generate/speed_page --check
says "a page without the record" 1 "^docs/speed.md: is not the page of results/published/cpu; scripts/generate/speed_page writes it$"
run $work/scripts/generate/speed_page
output=$(cat $work/docs/speed.md)
code=0
says "what is above stays" 0 "^Above\.$"
says "what is below stays" 0 "^Below\.$"
says "the machine" 0 "^### Abacus 7, 2 threads$"
says "medians, and the ratios of the record" 0 '^\| training \| tokens/s \| 2,000 \| Peer \| 500 \| 4\.00 \| 2,500 \| 0\.80 \|$'
says "a work without a peer" 0 '^\| start \| s \| 0\.17 \|( \|){5}$'
says "a peer with one setting" 0 '^\| words \| s \| 1 \| Peer \| 2 \| 2\.00 \| the same \| \|$'
says "what is lost" 0 "^- sanlab is slower than a peer in: training \(Peer\)\.$"
says "slow products of a peer" 0 "^- Warning: Peer, at its best: products at 70"
says "what was skipped" 0 "^- Not measured: BPE: none\.$"
run $work/scripts/generate/speed_page --check
holds "the page is current" [ "$code" = 0 ]
echo 'Above.' > $work/docs/speed.md
run $work/scripts/generate/speed_page
says "a page without marks" 1 "^docs/speed.md: expected one line <!-- begin of what"
finish
