#!/bin/sh
# The rooms' order of includes, lengths of lines and files, and other habits of the tree.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
output=$(scripts/lint 2>&1)
ok "make lint has nothing to refuse" $?

# A page that quotes a file, in a tree of its own.
work=build/tmp/lint
rm -rf $work
mkdir -p $work/scripts
cp scripts/lint scripts/lint_commands scripts/packages scripts/rooms $work/scripts
echo 'DisableFormat: true' > $work/.clang-format
printf 'int a;\nint b;\n\nint c;\n' > $work/x.c
# quoting LINES: what lint says of a page that quotes them.
quoting() {
    printf '<!-- quoted from x.c -->\n```c\n%b```\n' "$1" > $work/page.md
    output=$(git -C $work init -q && $work/scripts/lint 2>&1)
}
quoting 'int b;\n\nint c;\n\nint a;\nint b;\n'
ok "a quote by paragraphs" $?
quoting 'int a;\nint c;\n'
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^page.md:5: is not what stands in x.c'
ok "a quote that is no more true" $?
quoting 'int a\n'
holds "nor half a line" [ $? = 1 ]

# The pages of a site.
# site NAME..: what lint says of a list with these pages, where docs has a.md and b/c.md.
mkdir -p $work/docs/b
echo '# A' | tee $work/docs/a.md > $work/docs/b/c.md
site() {
    { echo 'nav:' && printf '  - A page: %s\n' "$@"; } > $work/mkdocs.yml
    quoting ''
}
site a.md b/c.md
ok "a list of all pages" $?
site b/c.md
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^mkdocs.yml: does not list docs/a.md$'
ok "a page that the list lacks" $?
site a.md b/c.md a.md
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^mkdocs.yml:4: lists docs/a.md a second time$'
ok "one that it has twice" $?
site a.md b/c.md c.md
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^mkdocs.yml: lists docs/c.md, which is not there$'
ok "one that is not there" $?
rm -r $work/docs $work/mkdocs.yml

# Notes that are not in the repository are no source.
rm $work/page.md
printf '/* G = 0 (%s.md 1.3) */\n' papers > $work/x.c
output=$(git -C $work init -q && $work/scripts/lint 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^x.c:1: cites notes that are not here'
ok "a citation that nobody can look up" $?
printf 'void f(void)\n{\n    fputs("x", stderr);\n}\n' > $work/x.c
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^x.c:3: prints to stderr past the mask'
ok "what is printed for people passes the mask" $?
printf 'int a;\n' > $work/x.c
ln -s /nowhere $work/data
output=$(git -C $work init -q && $work/scripts/lint 2>&1)
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^data: is a link'
ok "a link that leads out of the tree" $?
rm $work/data

# Claims of shipped grids.
mkdir -p $work/experiments/evidence
for allowed in 'claims: [{undertrained: allow}]' '  - {text: t, "undertrained" : "allow"}'; do
    printf 'grid: g\n%s\n' "$allowed" > $work/experiments/evidence/g.yaml
    quoting ''
    [ $? = 1 ] && printf '%s\n' "$output" | grep -q '^experiments/evidence/g.yaml:2: undertrained is for grids of users'
    ok "no shipped claim allows short trainings: $allowed" $?
done
rm -r $work/experiments

# Commands that a script starts: at the start of a line, in quotes, in cases, behind keywords. Not: words
# that only look so, what the script itself has or asks for, what the listed packages have.
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
    number=$((number + 1))
    echo "ok $number - commands that no listed package has # SKIP a package of scripts/packages is not installed"
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
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^tests/cli/b.sh:1: build/tmp/one is the folder of'
ok "two scripts share no folder" $?
rm -r $work/tests
mkdir -p $work/results/store
printf 'void f(void)\n{\n    FILE *file = fopen("x", "r");\n}\n' > $work/results/store/x.c
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^results/store/x.c:3: may follow a link'
ok "what opens files of run folders follows no link" $?
rm -r $work/results $work/x.c
mkdir -p $work/core/base $work/core/config $work/results/stats $work/attention

# Files of a room.
# room FILE LINE..: a file that says its idea, and these lines.
room() {
    file=$work/$1
    shift
    printf '%s\n' '/* An idea. */' "$@" > "$file"
}
printf 'int a;\n' > $work/core/base/a.c
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/base/a.c:1: opens without its idea'
ok "a file that opens without its idea" $?
printf '/* One\n * two\n * three\n * four. */\n' > $work/core/base/a.c
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/base/a.c:3: opens with more than three lines'
ok "one that opens with more than three lines" $?
room core/base/a.c 'struct pair {' '    int a;' '};'
room core/config/b.h 'struct pair {' '    int b;' '};'
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/config/b.h:2: a second thing of the tag pair; .* core/base/a.c:2$'
ok "two structs of one tag" $?
rm $work/core/config/b.h
for include in '"core/config/b.h"' '<core/config/b.h>'; do
    room core/base/a.c "#include $include"
    quoting ''
    [ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/base/a.c:2: core/base includes core/config/b.h, but'
    ok "an include that climbs: $include" $?
done
room core/base/b.h
room core/base/a.c '#include "b.h"'
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -q '^core/base/a.c:2: includes "b.h" without its room'
ok "one whose room is not said" $?
room core/base/a.c '#include "core/base/b.h"'
room core/base/b.c '#include "core/base/a.h"'
room core/base/a.h
quoting ''
[ $? = 1 ] && printf '%s\n' "$output" | grep -Eq '^a circle of files: core/base/[ab] core/base/[ab]$'
ok "a circle of files" $?
room core/base/b.c
quoting ''
ok "the same arrows without the way back are none" $?
rm $work/core/base/*
# calling FILE LINE: what lint says of a line of code in that file.
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
