# Perturbs the lines of a text to make hypotheses. Drops, doubles, swaps and joins words. Empties some
# lines, and inserts text that is difficult for tokenizers. -v seed=N: equal seeds give equal lines. -v
# rate=N: each kind of change affects one word in N (20).
function chance(bound)
{
    seed = (seed * 69069 + 1) % 4294967296
    return int(seed / 65536) % bound
}

BEGIN {
    if (!rate) rate = 20
    kinds = split("3.5 1,000 2014. 5-6 a-b ... &quot; &amp; &lt;b&gt; <skipped> $5 U.S. -- " \
                  "x\302\240y \343\200\200 »ja« it's 你好。 「50%」 1.5€ ½ ٣,٤ −5 a…b 𠀀 №1 “q” x²", odd, " ")
}

chance(50) == 0 { print ""; next }

{
    line = ""
    for (i = 1; i <= NF; i++) {
        what = chance(rate)
        word = what == 1 ? $i " " $i : what == 2 ? odd[chance(kinds) + 1] " " $i : \
               what == 3 ? $i odd[chance(kinds) + 1] : what == 4 && i < NF ? $(i + 1) : $i
        if (what) line = line (what == 5 || line == "" ? "" : " ") word
    }
    print line
}
