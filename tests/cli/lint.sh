#!/bin/sh
# scripts/lint: the order of includes of the rooms, lengths of lines and files, and other conventions of
# the tree.
. "$(dirname "$0")/../support/cli.sh"
output=$(scripts/lint 2>&1)
ok "make lint has nothing to refuse" $?

# A page that quotes a file, in a separate tree.
fresh lint
cp --parents scripts/lint scripts/check/commands scripts/check/english scripts/packages scripts/generate/pictures scripts/generate/kinds scripts/rooms $work
echo 'DisableFormat: true' > $work/.clang-format
printf 'int a;\nint b;\n\nint c;\n' > $work/x.c
# quoting LINES: runs lint on a page that quotes these lines.
quoting() {
    printf '<!-- quoted from x.c -->\n```c\n%b```\n' "$1" > $work/page.md
    output=$(git -C $work init -q && $work/scripts/lint 2>&1)
}
# refused WHAT PATTERN [LINES]: passes if lint reports PATTERN for a tree with such a page.
refused() {
    quoting "${3-}"
    [ $? = 1 ] && printf '%s\n' "$output" | grep -q "$2"
    ok "$1" $?
}
holds "a quote by paragraphs" quoting 'int b;\n\nint c;\n\nint a;\nint b;\n'
refused "a quote that is no more true" '^page.md:5: is not what stands in x.c' 'int a;\nint c;\n'
quoting 'int a\n'
holds "nor half a line" [ $? = 1 ]

# Comments of a room.
mkdir -p $work/core/base
printf '/* Reads text. */\n/* Returns the line. */\nint a;\n' > $work/core/base/a.c
holds "comments that name the thing first" quoting 'int b;\n'
printf '/* Reads text. */\n/* What stands there. */\nint a;\n' > $work/core/base/a.c
refused "another beginning of a comment" '^core/base/a.c:2: a comment names the thing first' 'int b;\n'
rm -r $work/core

# The counts of English. The column of scripts is that of lint itself.
# words NUMBER: prints a sentence of NUMBER words.
words() {
    printf 'Word'
    seq -f ' w%.0f' 2 "$1" | tr -d '\n'
    printf '. '
}
# counted COUNT C PAGES HELP: passes if the row of this count has these numbers.
counted() {
    matches "the count $1" -E "^$1 +$2 +[0-9]+ +$3 +$4 +[0-9]+$"
}
mkdir -p $work/docs $work/experiments/cli
printf '/* %s%s */\nint a; /* Of text, e.g. it, stands behind. */\n/* A list:\n * - %s\n * - end */\n' \
    "$(words 25)" "$(words 26)" "$(words 41)" > $work/y.c
printf 'A `code of many words`\n%s%s\n\n| %s | %s |\n\n```\n%s\n```\n' \
    "$(words 20)" "$(words 26)" "$(words 25)" "$(words 25)" "$(words 60)" > $work/docs/a.md
printf '  --word X    %s\n              is one text\n  --other     behind\n' \
    "$(words 23 | tr -d .)" > $work/experiments/cli/a.txt
printf '# models: %s\n%s\n%s\n' "$(words 20 | tr -d .)" "$(words 20 | tr -d .)" "$(words 20)" > $work/experiments/cli/b.txt
output=$($work/scripts/lint --count)
counted fragments 1 0 0
counted behind 1 0 1
counted over25 2 1 1
counted over40 1 0 0
refused "a sentence of more than 25 words" '^y.c:1: more than 25 words: Word w2' 'int b;\n'
equals "the places of a count" "y.c:4: $(words 41 | sed 's/ $//')" "$($work/scripts/lint --count over40 | grep '^y')"
rm -r $work/docs $work/experiments $work/y.c

# The pages of a site.
# site NAME..: makes a list with these pages; docs has a.md and b/c.md.
mkdir -p $work/docs/b
echo '# A' | tee $work/docs/a.md > $work/docs/b/c.md
site() {
    { echo 'nav:' && printf '  - A page: %s\n' "$@"; } > $work/mkdocs.yml
}
site a.md b/c.md
holds "a list of all pages" quoting ''
site b/c.md
refused "a page that the list lacks" '^mkdocs.yml: does not list docs/a.md$'
site a.md b/c.md a.md
refused "one that it has twice" '^mkdocs.yml:4: lists docs/a.md a second time$'
site a.md b/c.md c.md
refused "one that is not there" '^mkdocs.yml: lists docs/c.md, which is not there$'
rm -r $work/docs $work/mkdocs.yml

# The paths of the page about the design.
mkdir $work/docs
# through FUNCTION: makes a page whose path names this function of scripts/lint.
through() {
    printf '1. `scripts/lint`, `%s`: checks.\n' "$1" > $work/docs/design.md
}
through say
holds "a path through a function" quoting ''
through hear
refused "a path through a function that is not there" '^docs/design.md:1: scripts/lint has no function hear$'
rm -r $work/docs

# Citations of notes that are not in the repository.
printf '/* G = 0 (%s.md 1.3) */\n' papers > $work/x.c
refused "a citation that nobody can look up" '^x.c:1: cites notes that are not here'
printf 'void f(void)\n{\n    fputs("x", stderr);\n}\n' > $work/x.c
refused "what is printed for people passes the mask" '^x.c:3: prints to stderr past the mask'
printf 'int a;\n' > $work/x.c
ln -s /nowhere $work/data
refused "a link that leads out of the tree" '^data: is a link'
rm $work/data

# Claims of shipped grids.
mkdir -p $work/experiments/evidence
for allowed in 'claims: [{undertrained: allow}]' '  - {text: t, "undertrained" : "allow"}'; do
    printf 'grid: g\n%s\n' "$allowed" > $work/experiments/evidence/g.yaml
    refused "no shipped claim allows short trainings: $allowed" '^experiments/evidence/g.yaml:2: undertrained is for grids of users'
done
rm -r $work/experiments

# Commands that a script starts: at the start of a line, in quotes, in cases, after keywords. Words in
# other positions, functions of the script, commands that it checks for, and commands of the listed
# packages are accepted.
cat > $work/scripts/x << 'END'
#!/bin/sh
own() { sed 's/a; nmap b/c/' | tr a b; } # nmap
count=$((1 + $(own "x; nmap")))
case $1 in
nmap | dig) echo "${2:-nmap} $(own < "$(own)") and $(LANG=C whois "$1")" ;;
*) [ "$count" = 3 ] || { ! traceroute -n; } ;;
esac > build/nmap 2>&1
for nmap in nmap dig; do own nmap; done
if command -v jq > /dev/null; then jq .; fi
cat << 'TEXT'
nmap
TEXT
gcc --version && exec pgrep -f nmap \
    nmap
END
quoting ''
status=$?
if printf '%s\n' "$output" | grep -q '^the commands of scripts were not looked at'; then
    skipped "commands that no listed package has" "a package of scripts/packages is not installed"
else
    [ $status = 1 ] && [ "$(printf '%s\n' "$output" | grep 'has the command')" = "\
scripts/x:5: no package of scripts/packages has the command whois
scripts/x:6: no package of scripts/packages has the command traceroute" ]
    ok "commands that no listed package has" $?
fi
rm $work/scripts/x
mkdir -p $work/tests/cli
echo 'task one 3' > $work/tests/cli/a.sh
echo 'task one 4' > $work/tests/cli/b.sh
refused "two scripts share no folder" '^tests/cli/b.sh:1: build/tmp/one is the folder of'
rm -r $work/tests
mkdir -p $work/results/store
printf 'void f(void)\n{\n    FILE *file = fopen("x", "r");\n}\n' > $work/results/store/x.c
refused "what opens files of run folders follows no link" '^results/store/x.c:3: may follow a link'
rm -r $work/results $work/x.c
mkdir -p $work/core/base $work/core/config $work/results/stats $work/attention

# Files of a room.
# room FILE LINE..: writes a file with an opening comment and these lines.
room() {
    file=$work/$1
    shift
    printf '%s\n' '/* An idea. */' "$@" > "$file"
}
printf 'int a;\n' > $work/core/base/a.c
refused "a file that opens without its idea" '^core/base/a.c:1: opens without its idea'
printf '/* One\n * two\n * three\n * four. */\n' > $work/core/base/a.c
refused "one that opens with more than three lines" '^core/base/a.c:3: opens with more than three lines'
room core/base/a.c 'struct pair {' '    int a;' '};'
room core/config/b.h 'struct pair {' '    int b;' '};'
refused "two structs of one tag" '^core/config/b.h:2: a second thing of the tag pair; .* core/base/a.c:2$'
rm $work/core/config/b.h
for include in '"core/config/b.h"' '<core/config/b.h>'; do
    room core/base/a.c "#include $include"
    refused "an include that climbs: $include" '^core/base/a.c:2: core/base includes core/config/b.h, but'
done
room core/base/b.h
room core/base/a.c '#include "b.h"'
refused "one whose room is not said" '^core/base/a.c:2: includes "b.h" without its room'
room core/base/a.c '#include "core/base/b.h"'
room core/base/b.c '#include "core/base/a.h"'
room core/base/a.h
refused "a circle of files" '^a circle of files: core/base/[ab] core/base/[ab]$'
room core/base/b.c
holds "the same arrows without the way back are none" quoting ''
rm $work/core/base/*
# Pictures of the includes and of the kinds of stages.
mkdir -p $work/core/config $work/core/text $work/experiments/stage
printf '/* One. */\nint a;\n' > $work/core/base/a.h
printf '/* Two. */\n#include "core/base/a.h"\n' > $work/core/config/b.c
printf '/* Stage. */\n/* rank: 1 */\nconst struct stage_kind kind_k = {\n    .name = "k",\n};\n' > $work/experiments/stage/kind_k.c
$work/scripts/generate/pictures
output=$(cat $work/docs/design/rooms.svg)
equals "an arrow for an include" 1 "$(printf '%s\n' "$output" | grep -c '<path')"
quoting ''
holds "pictures of these sources" [ $? = 0 ]
printf '/* Three. */\n#include "core/base/a.h"\n' > $work/core/text/c.c
refused "a picture of other includes" '^docs/design/rooms.svg: is not the picture of the sources'
rm -r $work/docs $work/core/config $work/core/text $work/core/base/a.h $work/experiments
# calling FILE LINE: runs lint on a file with this line of code.
calling() {
    printf '/* y = exp(x)\n * log(x) */\n%s\n' "$2" > "$work/$1"
    quoting ''
    status=$?
    rm "$work/$1"
    return $status
}
calling core/base/y.c 'double f(double x) { return 2 * powf(x, 3); }'
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/base/y.c:3: .*core/base/elementary.h'
ok "what libm rounds differently elsewhere is refused" $?
refused=0
for call in 'exp2(x)' 'logl(x)' 'tanh (x)' 'x*log1p(x)' '(sin(x))' 'atan2(x, x)'; do
    calling attention/y.c "double f(double x) { return $call; }" && refused=1
done
ok "by any of its names" $refused
calling core/base/y.c 'double f(double x) { return sqrt(elementary_exp(x)) + ops->tanh(x); } /* exp(x) */'
ok "what is exact, our own, an op and a comment are not" $?
calling results/stats/y.c 'double f(double x) { return exp(x); }' &&
    calling attention/dense.c 'double f(double x) { return exp(x); }'
ok "nor are tables and the oracle" $?

# The layout of C.
cp .clang-format $work
printf '/* f */\nint f(int x)\n{\n    return x + 1;\n}\n' > $work/core/base/y.c
printf 'int g(int x)\n{\n    return x+1;\n}\n' > $work/core/base/z.h
quoting ''
status=$?
case $output in
*"layout of C was not looked at"*)
    [ $status = 0 ]
    ok "C that is laid out otherwise # SKIP ${output##*: }" $? ;;
*)
    [ $status = 1 ] && [ "$(printf '%s\n' "$output" | grep 'lays it out')" = \
        'core/base/z.h:3: not as clang-format -i lays it out' ]
    ok "C that is laid out otherwise" $? ;;
esac
mkdir $work/bin
printf '#!/bin/sh\necho "clang-format version 99.1"\n' > $work/bin/clang-format-14
chmod +x $work/bin/clang-format-14
output=$(PATH=$PWD/$work/bin:$PATH $work/scripts/lint)
[ $? = 0 ] && printf '%s\n' "$output" | grep -q '^the layout of C was not looked at: .*, here is clang-format version 99.1$'
ok "another version is named, and not asked" $?
finish
