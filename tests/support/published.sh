# Folders of stages made from results/published, for scripts/witness and tests/cli/published.sh. Sourced from the root
# of the project.
# shellcheck shell=sh

digest() {
    sha256sum | cut -c1-64
}

# published_ids FOLDER: writes FOLDER/ids, a line "FILE ID" for each *.options. An id is the digest
# of the text. A commit removed the lines of the test text from the input of a training. Ids of
# folders older than this commit are computed anew.
published_ids() {
    sha256sum "$1"/*.options | awk '{ print $2, $1 }' > "$1/ids"
    for input in "$1"/corpus-*.options "$1"/formulas-*.options; do
        grep -qs '^file: test' "$input" || continue
        kind=${input##*/} id=$(digest < "$input") seen=$(grep -v '^file: test' "$input" | digest)
        kind=${kind%%-*}
        for train in $(grep -ls "^input: $kind $id" "$1"/train-*.options "$1"/relate-*.options); do
            old=$(digest < "$train") new=$(sed "s/^input: $kind $id/input: $kind $seen/" "$train" | digest)
            sed -i "s/$old/$new/" "$1/ids"
            for reader in $(grep -l "^input: [a-z]* $old" "$1"/*.options); do
                read_old=$(digest < "$reader") read_new=$(sed "s/ $old/ $new/" "$reader" | digest)
                sed -i "s/$read_old/$read_new/" "$1/ids"
            done
        done
    done
    cat "$1/ids"
}

# published_stages FOLDER RUNS [SIGNATURE]: makes the finished stages RUNS/stages with the metrics,
# items, hypotheses and summary of FOLDER. If no summary was published, each value is the last value
# of the metric, or its mean over the sets (checkpoints). All metrics then have one signature.
published_stages() {
    published_ids "$1" > "$2/ids"
    for file in "$1"/*.items.tsv "$1"/*.hypotheses.txt; do
        [ ! -e "$file" ] || sha256sum "$file"
    done | sed 's/^\([0-9a-f]*\) .*\/\([^/.]*\)\.\(.*\)$/digest \2 \3 \1/' > "$2/outputs"
    awk -v to="$2/stages" '{ name = $1; sub(/.*\//, "", name); sub(/-.*/, "", name)
        print to "/" name "-" substr($2, 1, 12) }' "$2/ids" | xargs mkdir -p
    awk -v to="$2/stages" -v signature="${3:-nrefs:1|published}" '
        function copy(from, file,    line) {
            while ((getline line < from) > 0) print line > file
            close(from); close(file)
        }
        function value_of(line, key) {
            return match(line, "\"" key "\":[^,}]*") ? substr(line, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : ""
        }
        # Counts the items; the first line is a heading.
        function items_of(stem,    line, count) {
            while ((getline line < (stem ".items.tsv")) > 0) count++
            close(stem ".items.tsv")
            return count ? count - 1 : 0
        }
        # Writes the summary in JSON, with the metrics that have no dimension.
        function summary(stem, kind,    line, name, text, names, last, sum, count, i, order) {
            if ((getline line < (stem ".summary.json")) > 0) {
                do text = text line "\n"; while ((getline line < (stem ".summary.json")) > 0)
                close(stem ".summary.json")
                return text
            }
            while ((getline line < (stem ".metrics.jsonl")) > 0) {
                if (line ~ /"(layer|head|class)":/) continue
                name = value_of(line, "name"); gsub(/"/, "", name)
                if (!(name in last)) order[++names] = name
                last[name] = value_of(line, "value")
                if (line ~ /"(tag|set)":/) { sum[name] += last[name]; count[name]++ }
            }
            close(stem ".metrics.jsonl")
            for (i = 1; i <= names; i++) {
                name = order[i]
                text = text (i > 1 ? ", " : "") "\"" name "\": " \
                    (count[name] ? sprintf("%.17g", sum[name] / count[name]) : last[name])
            }
            if (items_of(stem)) text = text (names ? ", " : "") "\"items\": " items_of(stem)
            if (kind ~ /^(score|probe)$/ && text != "") text = text ", \"signature\": \"" signature "\""
            return "{" text "}"
        }
        /^digest / { outputs[$2] = outputs[$2] (outputs[$2] ? ", " : "") "\"" $3 "\": \"" $4 "\""; next }
        {
            stem = file = $1; sub(/\.options$/, "", stem)
            base = stem; sub(/.*\//, "", base)
            kind = base; sub(/-.*/, "", kind)
            folder = to "/" kind "-" substr($2, 1, 12)
            inputs = ""
            while ((getline line < file) > 0)
                if (line ~ /^input: /) { split(line, word, " "); inputs = inputs (inputs ? ", " : "") "\"" word[3] "\"" }
            close(file)
            printf "{\"id\": \"%s\", \"kind\": \"%s\", \"canonical\": \"\", \"inputs\": [%s]}\n", $2, kind, inputs > (folder "/stage.json")
            printf "{\"status\": \"done\", \"summary\": %s, \"outputs\": {%s}}\n", summary(stem, kind), outputs[base] > (folder "/done.json")
            close(folder "/stage.json"); close(folder "/done.json")
            printf "" > (folder "/metrics.jsonl")
            copy(stem ".metrics.jsonl", folder "/metrics.jsonl")
            copy(stem ".items.tsv", folder "/items.tsv")
            copy(stem ".hypotheses.txt", folder "/hypotheses.txt")
        }' "$2/outputs" "$2/ids"
    rm "$2/outputs" "$2/ids"
}
