# Makes a grid from each table in tests/layouts, with stages that have the printed numbers; for
# scripts/witness.
# shellcheck shell=sh

# layout_read FILE: prints tests/layouts/FILE in the words of a grid, with corpora that layout_texts can
# make. A loss replaces each speed, because a speed belongs to one machine.
layout_read() {
    sed 's/wmt14-en-de/multi30k-en-de/g; s/wat17-ja-en/tatoeba-en-de/g; s/wmt17-zh-en/libreoffice-en-de/g
        s/\(model.heads: \)\["4", "8"\]/\1[4, 8]/; s/speed\.steps_per_second/score.test_loss/; s/\([[ ]\)speed,/\1test_loss,/
        s/{branches: \(\[[^]]*,[^]]*\]\)}/{branches: \1, fusion: concat}/g; s/{branches: /{layers: all, branches: /g' "$1"
}

# layout_grid FILE NUMBER: prints the grid of FILE, the output of layout_read. Each row has its own
# warm-up, so that no two rows share a training. An axis that the grid defines becomes an option that
# changes no printed number.
layout_grid() {
    sed '/^have:/,$d; /^gaps:/d' "$1" | awk -v at="$2" '
        # Replaces labels by the values 1001, 1002, ..
        function values(list,    word, n, i, text) {
            gsub(/[][]/, "", list); n = split(list, word, / *, */)
            for (i = 1; i <= n; i++) text = text (i > 1 ? ", " : "") word[i] ": " 1000 + i
            return "{" text "}"
        }
        { text = text $0 "\n" }
        END {
            option["window"] = "train.batch_tokens"; option["layers"] = "train.validate_every"; option["fusion"] = "train.validate_sentences"
            if (match(text, /\nsweep: [^\n]*/) || match(text, /^sweep: [^\n]*/)) sweep = substr(text, RSTART, RLENGTH)
            for (axis in option)
                if (match(sweep, axis ": [[][^]]*[]]")) {
                    list = substr(sweep, RSTART + length(axis) + 2, RLENGTH - length(axis) - 2)
                    own[axis] = 1
                    start = index(text, axis ": " list)
                    text = substr(text, 1, start - 1) axis ": " values(list) substr(text, start + length(axis ": " list))
                }
            n = split(text, row, /[{]name: /)
            printf "grid: layout-%s\n%s", at, row[1]
            for (i = 2; i <= n; i++) {
                extra = ""
                axes = "all"
                if (match(row[i], /, axes: [[][^]]*[]]/)) {
                    axes = substr(row[i], RSTART, RLENGTH)
                    row[i] = substr(row[i], 1, RSTART - 1) substr(row[i], RSTART + RLENGTH)
                }
                if (row[i] !~ /quote:/) {
                    extra = "train.warmup: " 10000 + 100 * at + i ", "
                    if (axes == ", axes: []") extra = extra "sweep: false, "
                    for (axis in own) if (axes == "all" || index(axes, axis)) extra = extra option[axis] ": $" axis ", "
                }
                printf "{%sname: %s", extra, row[i]
            }
            if (sweep !~ /corpus:/) print "corpus: multi30k-en-de"
            if (sweep !~ /model:/) print "model: tiny\nencoder.layers: 6\ndecoder.layers: 6"
            print "seeds: [1]"
        }'
    tasks=$(sed -n '/^have:/,/\]/p' "$1" | grep -o 'probe\.[A-Za-z]*' | sed 's/probe\.//')
    echo "evaluate:"
    ! grep -q 'score\.' "$1" || echo "  bleu: {}"
    [ -z "$tasks" ] || echo "  probe: {tasks: tasks.yaml}"
}

# layout_texts FOLDER: writes tasks.yaml, and to ./data a text of one line for each corpus and each task
# of the layouts in FOLDER.
layout_texts() {
    for corpus in multi30k-en-de tatoeba-en-de libreoffice-en-de; do
        preset=experiments/corpora/$corpus.yaml
        for split in train dev test; do
            stem=data/$(sed -n "s/^  $split: *//p" "$preset")
            mkdir -p "${stem%/*}"
            for side in source target; do
                echo "$corpus $split $side" > "$stem.$(sed -n "s/^  $side: *//p" "$preset")"
            done
        done
    done
    printf 'origin: made up\ngroups: [Surface]\ntasks:\n' > tasks.yaml
    cat "$1"/*.yaml | grep -o 'probe\.[A-Za-z]*' | sort -u | while read -r task; do
        task=${task#probe.}
        echo "  - {name: $task, file: $task.txt, group: Surface}" >> tasks.yaml
        for split in tr va te; do
            for class in 1 2; do printf '%s\t%s\t%s\n' $split $class "$split$class"; done
        done > "data/$task.txt"
    done
}

# layout_stages PROGRAM FILE GRID RUNS: makes the finished stages of the grid, with the numbers of FILE.
layout_stages() {
    mkdir published
    "$1" plan "$3" --all --runs "$4" --trace plan > planned 2> traced || { sed -n '/^\[/!p' traced && return 1; }
    awk -v to=published '
        FILENAME == "traced" {
            if (!sub(/^\[plan\] /, "")) next
            if ($0 ~ /^[a-z]+-[0-9a-f]+ is /) { if (file != "") close(file); file = ""; name = $1; next }
            if ($0 ~ /^stage: /) file = to "/" name ".options"
            if (file != "" && /^[a-z][a-z0-9_.]*[:=]/) print > file
            next
        }
        FILENAME == "planned" {
            if (/^[a-z]+-[0-9a-f]+ /) {
                n = split($0, field, /   */)
                row = field[2]; sub(/ \(\+[0-9]+\)$/, "", row)
                part = row; if (!sub(/^.*\/1 /, "", part)) part = ""
                sub(/\/1( .*)?$/, "", row)
                sub(/@.*/, "", part)
                kind = $1; sub(/-.*/, "", kind)
                stage[row, kind, part] = $1
            }
            next
        }
        /^have:/ { reading = 1 }
        /^values:/ { reading = 2; n = split(have, column, /[^A-Za-z._]+/); next }
        reading == 1 { sub(/^have:/, ""); have = have " " $0; next }
        reading == 2 {
            key = $0; sub(/^  /, "", key); sub(/: \[[^[]*\]$/, "", key); gsub(/"/, "", key)
            list = $0; sub(/^.*: \[/, "", list); sub(/\]$/, "", list)
            split(list, value, /, */)
            k = 0
            for (i = 1; i <= n; i++) {
                if (column[i] == "") continue
                k++
                split(column[i], word, ".")
                part = word[1] == "probe" ? word[2] : ""
                name = part == "" ? word[2] : "accuracy"
                folder = stage[key, word[1], part]
                if (folder == "") { print FILENAME ": no stage for " key ", " column[i]; continue }
                summary[folder] = summary[folder] "\"" name "\": " value[k] ", "
            }
        }
        END {
            for (folder in summary) {
                printf "{%s\"signature\": \"sig\", \"loss_signature\": \"sig\"}\n", summary[folder] \
                    > (to "/" folder ".summary.json")
                close(to "/" folder ".summary.json")
            }
        }' traced planned "$2"
    published_stages published "$4"
    rm -r published
}
