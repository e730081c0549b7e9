#!/bin/sh
# Ids of results/published: plan names every stage by the id under which it was published. An id is the
# digest of all options that change a number, so no option has changed. Instead of the texts there are
# empty files, to which RUNS/digests assigns the digests of the published texts. Figures are drawn again
# from the published metrics, which still call sets tags.
. "$(dirname "$0")/../support/cli.sh"
. tests/support/latex.sh
. tests/support/published.sh
fresh published

# names_of FILE: prints a line "KIND-12 digits  FILE" for each of published_ids.
names_of() {
    awk '{ file = $1; sub(/.*\//, "", file); kind = file; sub(/-.*/, "", kind); print kind "-" substr($2, 1, 12) "  " file }' "$1"
}

# grids: prints the file of $grid, and its base.
grids() {
    echo "grids/$grid.yaml"
    sed -n 's|^base: *|grids/|p' "grids/$grid.yaml"
}

# stand_ins: writes to $SANLAB_DATA an empty file for each file of the corpus of $grid. Writes a
# line for each file to RUNS/digests: digest, device, inode, size, time of its modification and time
# of its last change. Times are in seconds and nanoseconds.
stand_ins() {
    export SANLAB_DATA="$PWD/$work/$grid/data"
    mkdir -p "$work/$grid/runs"
    corpus=experiments/corpora/$(grids | xargs sed -n 's/^corpus: *//p').yaml
    cat "$published"/corpus-*.options 2> /dev/null | sed -n 's/^file: //p' | while read -r file digest; do
        path=$(sed -n "s/^  ${file%.*}: *//p" "$corpus") # train.source: train, and source's ending
        path=$SANLAB_DATA/$path.$(sed -n "s/^  ${file#*.}: *//p" "$corpus")
        mkdir -p "${path%/*}"
        touch -d @1000000000 "$path"
        echo "$digest $(stat -c '%d %i 0 %Y 0 %.9Z' "$path" | sed 's/\.0*\([0-9]\)/ \1/')"
    done > "$work/$grid/runs/digests"
    for more in tasks analyses pairs; do stand_in_$more; done >> "$work/$grid/runs/digests"
}

# stand_in_pairs: makes the files and lines for pairs of statements, which plan requires.
stand_in_pairs() {
    mkdir -p "$SANLAB_DATA/logic"
    cat "$published"/statements-*.options "$published"/formulas-*.options 2> /dev/null |
        sed -n -E 's/^file: ((train|valid|test)[0-9]+) /\1 /p' | sort -u | while read -r file digest; do
        path=$SANLAB_DATA/logic/$file
        echo > "$path"
        touch -d @1000000000 "$path"
        echo "$digest $(stat -c '%d %i %s %Y 0 %.9Z' "$path" | sed 's/\.0*\([0-9]\)/ \1/')"
    done
}

# stand_in_analyses: makes the files and lines for the text of gates and ablatepos, with its references:
# one sentence of one word, in CoNLL-U.
stand_in_analyses() {
    for kind in gates ablatepos; do
        for key in text references; do
            path=$SANLAB_DATA/$(sed -n "s/^  $kind: .*$key: \([^,}]*\).*/\1/p" "grids/$grid.yaml")
            [ -n "${path##*/}" ] || continue
            mkdir -p "${path%/*}"
            printf '1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n' > "$path"
            touch -d @1000000000 "$path"
            echo "$(cat "$published/$kind"-*.options | sed -n "s/^file: $key //p" | head -n 1)" \
                "$(stat -c '%d %i %s %Y 0 %.9Z' "$path" | sed 's/\.0*\([0-9]\)/ \1/')"
        done
    done
}

# stand_in_tasks: makes the files and lines for probing tasks, whose texts plan reads: a line of each
# split and class.
stand_in_tasks() {
    for options in "$published"/encode-*.options; do
        [ -e "$options" ] || return
        task=$(sed -n 's/^part: \([^@]*\).*/\1/p' "$options")
        path=$SANLAB_DATA/$(sed -n "s/.*name: $task, file: \([^,]*\),.*/\1/p" experiments/tasks/senteval.yaml)
        [ ! -e "$path" ] || continue
        mkdir -p "${path%/*}"
        for split in tr va te; do # different sentences, as folds require
            for class in 1 2; do printf '%s\t%s\t%s\n' $split $class $split$class; done
        done > "$path"
        touch -d @1000000000 "$path"
        echo "$(sed -n 's/^file: task //p' "$options") $(stat -c '%d %i %s %Y 0 %.9Z' "$path" | sed 's/\.0*\([0-9]\)/ \1/')"
    done
}

# only ONE OTHER: prints the lines of ONE whose first word starts no line of OTHER.
only() {
    awk 'FILENAME == ARGV[1] { known[$1]; next } !($1 in known) { print "    " $0 }' "$2" "$1"
}

# plan_names FILE ARGUMENTS...: true if `plan ARGUMENTS` names the stages in FILE and no others.
plan_names() {
    stages=$1
    shift
    grids | xargs grep -q '^train.precision: bf16' && set -- "$@" --device emu # a device that computes in bf16
    try plan "$@" --core 50 --all --runs "$work/$grid/runs"
    [ "$code" = 0 ] || return
    printf '%s\n' "$output" |
        awk -F '  +' '/^[a-z]+-[0-9a-f]+ / { print $1 "  " $2 }' > "$stages.plan"
    lost=$(only "$stages" "$stages.plan")
    new=$(only "$stages.plan" "$stages")
    output="plan does not name these stages of $published:
${lost:-    none}
plan names these instead (where a stage differs, so does all that reads it):
${new:-    none}"
    [ -s "$stages" ] && [ -z "$lost$new" ]
}

# Prints the options that a published text omits: the defaults of commit 2d28d96, of every option in an
# id.
defaults() {
    cat << 'END'
corpus train_format=lines dev_format=lines test_format=lines separator='|||' source_field=-2
corpus target_field=-1 dev_every=0 text=tokens segmented=false lowercase=false bad_utf8=error
corpus max_words=0 train_max_words=0 train_max_ratio=0 max_length=256 train_limit=0 dev_limit=0
corpus test_limit=0 merges=8000 joint=true threshold=0
model width=512 heads=8 feedforward=2048 norm=pre share=none source_bias=false attention_bias=true
model zero_bias=false dropout=0.1 attention_dropout=0 relu_dropout=0
encoder layers=6 position=sinusoid attention=[]
decoder layers=6 position=sinusoid attention=[] cross=[]
train epochs=10 steps=0 batch_tokens=4096 accumulate=1 rate=1 warmup=4000 beta1=0.9 beta2=0.98
train epsilon=1e-9 label_smoothing=0.1 l2=0 clip=0 validate_every=0 validate_sentences=0
train select=loss patience=0
evaluate.bleu split=test checkpoint=best beam=4 length_penalty=0.6 extra=50
evaluate.gates split=dev checkpoint=best by=[layer]
END
}

# Writes a copy of a grid's file with the omitted options of terms and fusions.
gauss='center: query, window: query, scaling: code, heads: 0, hidden: 0, hard_cut: false'
copy_that_says() {
    sed -e '/attention:/!b' -e "s/localness/{gauss: {$gauss}}/" \
        -e 's/relpos/{relpos: {k: 16, keys: true, values: true}}/g' \
        -e 's/fusion: gate/fusion: {gate: {source: query, heads: auto}}/' \
        -e 's/fusion: squeeze/fusion: {squeeze: {r: 16, share: block}}/' "$1"
}

# plan_names_said FILE: plan_names for a grid that gives the omitted options.
plan_names_said() {
    grids | while read -r file; do copy_that_says "$file" > "$work/$grid/${file##*/}"; done
    defaults > "$work/$grid/defaults"
    set -- "$1" "$work/$grid/$grid.yaml"
    while read -r section options; do
        case $section in
            evaluate.gates) there "$published/gates-*" || continue ;;
            evaluate.bleu) there "$published/score-*" || continue ;;
        esac
        for option in $options; do
            grep -q "^$section\.${option%%=*}=" "$published"/*.options ||
                set -- "$@" "$section.$option"
        done
    done < "$work/$grid/defaults"
    plan_names "$@"
}

# spreads KIND NAME: prints the mean and the standard deviation over the checkpoints of each stage of
# that kind, to 9 digits, sorted.
spreads() {
    for file in "$published/$1"-*.metrics.jsonl; do
        awk -F '[:,}]' -v start="{\"name\":\"$2\"" '
            index($0, start) == 1 && /"value":[0-9.]*,"tag"/ { value[n++] = $4; sum += $4 }
            END {
                for (i = 0; i < n; i++) square += (value[i] - sum / n) ^ 2
                printf "%.9g %.9g\n", sum / n, sqrt(square / (n - 1))
            }' "$file"
    done | sort
}

# done_stages: makes the stages of $published in RUNS. The signature of a score is below the figures.
done_stages() {
    published_stages "$published" "$work/$grid/runs" \
        "$(sed -n 's/^ *BLEU[^:]*: \(nrefs.*\)/\1/p' "$published/figures.txt" 2> /dev/null)"
}

# draws: compares the figures of $grid, drawn from the published metrics, with the published figures;
# skips kinds that need other files of a stage.
draws() {
    ! grep -qE 'kind: (scatter|histogram|map|ngrams)' "grids/$grid.yaml" || return 0
    try plot "$grid" --runs "$work/$grid/runs" --out "$work/$grid/figures" --keep
    output=$(printf '%s\n' "$output" | grep '^  ' | diff "$published/figures.txt" - | grep '^[<>]   ')
    ok "$grid: the same stands below its figures" ${#output}
    for figure in "$published"/*.svg; do
        drawn=$work/$grid/figures/${figure##*/}
        if ! command -v gnuplot > /dev/null; then
            skipped "${figure##*/}" "gnuplot is not installed"
        elif [ "$(grep 'Produced by GNUPLOT' "$figure")" = "$(grep 'Produced by GNUPLOT' "$drawn")" ]; then
            holds "${figure##*/} is drawn again to the byte" cmp "$figure" "$drawn"
        else
            output=$(diff "$figure" "$drawn" 2>&1)
            holds "${figure##*/} is drawn again, by another gnuplot" [ -s "$drawn" ]
        fi
    done
}

# undertrained: true if trainings of $published ended before the end of their warm-up, or spent more
# than half of their steps on it. Also true if they learned hardly more than the most frequent
# relation (54% of the pairs).
undertrained() {
    for options in "$published"/train-*.options; do
        [ -e "$options" ] || break
        warmup=$(sed -n 's/^train.warmup=//p' "$options")
        grep -q '^train.schedule=constant' "$options" && warmup=0
        steps=$(sed -n 's/.*"step":\([0-9]*\).*/\1/p' "${options%.options}.metrics.jsonl" | sort -n | tail -n 1)
        [ $((2 * ${warmup:-4000})) -le "$steps" ] || return 0
    done
    sed -n 's/^ *"dev_accuracy": \([0-9.]*\),*/\1/p' "$published"/relate-*.summary.json 2> /dev/null |
        awk '$1 < 60 { found = 1 } END { exit !found }'
}

# noted: true if a page notes, above the results, that $grid is undertrained.
noted() {
    page=$(grep -lE "^> \*\*Undertrained[^:]*: (.*\`)?$grid\`" docs/*.md) || return
    output=$(grep -nE "^> \*\*Undertrained[^:]*: (.*\`)?$grid\`|results/published/$grid/.*(svg|txt)" "$page")
    case $output in *Undertrained*) [ "${output%%Undertrained*}" = "${output%%:*}:> **" ] ;; esac
}

# parts_verify: unpacks the parts of a grid of experiments/evidence into one runs folder, like
# scripts/evidence. verify compares every digest, id and metric row.
parts_verify() {
    for part in "$published"/*.tar.gz "$published/$grid.tar.xz"; do
        [ -e "$part" ] || continue
        mkdir -p "$work/$grid/runs"
        tar -xf "$part" -C "$work/$grid/runs" --strip-components=1 --skip-old-files --exclude='*/left-out.txt'
        tar -xOf "$part" --wildcards '*/left-out.txt' >> "$work/$grid/runs/left-out.txt"
    done
    [ ! -e "$work/$grid/runs/left-out.txt" ] || expect "$grid: its parts verify" 0 " 0 problems" verify --runs "$work/$grid/runs"
}

mkdir "$work/latex"
for published in results/published/*/; do
    published=${published%/}
    grid=${published##*/}
    if [ -e "experiments/evidence/$grid.yaml" ]; then
        parts_verify
        continue
    fi
    case $grid in products | gpu | cpu) continue ;; esac # no grids: output of `bench` and scripts/gpu/bench
    mkdir -p "$work/$grid/published"
    if [ -e "$published/stages.tar.xz" ]; then # a grid of many stages
        tar -C "$work/$grid/published" -xJf "$published/stages.tar.xz"
    else
        cp "$published"/* "$work/$grid/published"
    fi
    published=$work/$grid/published
    if undertrained; then
        holds "$grid: its page says above the table that it is undertrained" noted
    else
        noted
        ok "$grid: no page calls it undertrained" $((! $?))
    fi
    stand_ins
    cp "$work/$grid/runs/digests" "$work/$grid/digests"
    sha256sum "$published"/*.options | awk '{ print $2, $1 }' > "$work/$grid/ids"
    names_of "$work/$grid/ids" > "$work/$grid/texts"
    output=$(awk '$1 ".options" != $2' "$work/$grid/texts")
    ok "$grid: the texts that were published give the ids in the names of their files" ${#output}
    published_ids "$published" > "$work/$grid/ids"
    names_of "$work/$grid/ids" > "$work/$grid/texts"
    holds "$grid: plan names every stage that was published, and no other" plan_names "$work/$grid/texts" "$grid"
    if there "$published/corpus-*"; then # grids of other tasks are newer than these defaults
        plan_names_said "$work/$grid/texts"
        ok "$grid: the same where the grid says every default that there was then" $?
    fi
    output=$(grep -vxFf "$work/$grid/runs/digests" "$work/$grid/digests") # plan adds lines for files
    ok "$grid: plan took the stand-ins for the text" ${#output}
    done_stages
    there "$published/*.svg" && draws
    ./sanlab table "$grid" table.significance.samples=100 --format latex --runs "$work/$grid/runs" \
        > "$work/latex/$grid.tex" 2> /dev/null
    if [ "$grid" = logic-64 ]; then
        try table logic-64 table.significance.samples=100 --runs "$work/logic-64/runs"
        says "two trainings of attention did not learn" 0 "^Learned \(Dev at least 65.2\): 13 of 15 seeds; SAN \(1 of 3; not: seed 1, 3\)\. "
        says "rows of which some trainings are too short are named" 0 \
            "^Undertrained .*: SAN \(2 of 3 seeds\), Hybrid \(1 of 3 seeds\)\.$"
        says "and their values are not averaged" 0 "^Dev +59\.76, 85\.63, 59\.08 +87\.67 ± 0\.91 "
        try table logic-64 table.significance.samples=100 --explain SAN relate.dev_accuracy --runs "$work/logic-64/runs"
        says "nor where the cell is explained" 0 "^  Dev: 59\.76, 85\.63, 59\.08$"
        try plot logic-64 --runs "$work/logic-64/runs" --out "$work/logic-64/figures" --keep
        matches "a figure of them says so" '^  Learned .* not: seed 1, 3)\. What is drawn is of all seeds\.$'
    fi
    case $grid in xu2019-figure2) ;; *) continue ;; esac
    command -v gnuplot > /dev/null || continue
    # Means, and deviations to six digits: those of the tags of older files.
    for side in "score bleu" "gates gate"; do
        # shellcheck disable=SC2086 # two words
        set -- $side
        spreads "$1" "$2" | awk '{ printf "%.9g %.6g\n", $1, $2 }' > "$work/$grid/expected"
        awk -F '\t' -v name="$2" '$5 ~ name "$" { printf "%.9g %.6g\n", $8, $8 - $9 }' \
            "$work/$grid/figures/$grid-1/data.tsv" | sort > "$work/$grid/found"
        output=$(diff "$work/$grid/expected" "$work/$grid/found")
        ok "$grid: $2 of five windows, with its deviation over five checkpoints" $?
    done
done
output=$(SANLAB_DATA=/nowhere scripts/check/published)
ok "the stored tables of archives are printed again, without any text" $?
matches "one of them" "^planted: table.txt is printed again$"
matches "its claims about BLEU, too" "^planted: claims.jsonl is printed again$"
latex_fits "the tables of all grids fit the columns and the page of a paper" "$work/latex"
finish
