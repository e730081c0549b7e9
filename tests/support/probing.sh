# Helpers for tests of probing; source tap.sh first. A fresh $work with a copy task and probing tasks.
# shellcheck shell=sh

# probing_task NAME: makes $work, and in $work/data the files of probing_files.
probing_task() {
    task "$1" 200
    export OMP_NUM_THREADS=1
    probing_files
}

# probing_files: writes tasks of 360 lines to $work/data. count.txt: number of words in the sentence.
# word.txt: the one of six words that the sentence contains. shift.txt: two neighbors changed places or
# not; every sentence appears in both forms, so that a bag of words cannot separate them.
probing_files() {
    awk -v dir="$work/data" 'BEGIN {
        srand(5)
        for (i = 0; i < 360; i++) {
            n = 3 + int(rand() * 4); s = ""
            for (j = 0; j < n; j++) { w[j] = 6 + int(rand() * 6); s = s (j ? " s" : "s") w[j] }
            split_name = i < 240 ? "tr" : i < 300 ? "va" : "te"
            print split_name "\t" n "\t" s > (dir "/count.txt")
            k = int(rand() * 6); w[int(rand() * n)] = k; s = ""
            for (j = 0; j < n; j++) s = s (j ? " s" : "s") w[j]
            print split_name "\tw" k "\t" s > (dir "/word.txt")
            if (i % 2) continue
            for (shifted = 0; shifted < 2; shifted++) {
                s = ""
                for (j = 0; j < n; j++) {
                    x = !shifted || j > 1 ? j : 1 - j
                    s = s (j ? " s" : "s") (w[0] > w[1] && j < 2 ? w[1 - x] : w[x])
                }
                print split_name "\t" (shifted ? "I" : "O") "\t" s > (dir "/shift.txt")
            }
        }
    }'
}

# plans WHAT EXPECTED GRID..: compares the number of unfinished stages by kind with EXPECTED, such as "2
# encode 3 probe ".
plans() {
    what=$1 expected=$2
    shift 2
    output=$(./sanlab plan "$@" --runs "$work/runs" 2>&1 |
        awk '/^[a-z]+-[0-9a-f]+ / { sub(/-.*/, "", $1); if (!/ done/) n[$1]++ }
             END { for (k in n) print n[k], k }' | sort -k 2 | tr '\n' ' ')
    holds "$what" [ "$output" = "$expected" ]
}
