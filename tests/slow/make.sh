#!/bin/sh
# make: its output, and the files that it rebuilds when flags change.
. "$(dirname "$0")/../support/cli.sh"
work=build/tmp/make_cli
rm -rf $work
# plain WORDS: runs make, independent of the flags of the surrounding make.
plain() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make "$@"
}
# made WHAT LINES WORDS...: passes if make prints exactly these lines.
made() {
    what=$1 expected=$2
    shift 2
    output=$(plain --no-print-directory BUILD=$work \
        $work/o/core/base/mask.o $work/f64/core/base/mask.o "$@" 2>&1 | grep -v 'up to date')
    holds "$what" [ "$output" = "$expected" ]
}
both='  CC  core/base/mask.c
  CC  core/base/mask.c (f64)'
made "a line per file" "$both"
made "nothing, when nothing has changed" ""
made "the same with another flag" "$both" EXTRA=-DOTHER
made "nothing, with the same flag" "" EXTRA=-DOTHER
made "what a flag does not touch stays" "  CC  core/base/mask.c (f64)" EXTRA=-DOTHER FLAGS.f64=-DREAL
made "nor does one of the linker" "" EXTRA=-DOTHER FLAGS.f64=-DREAL LDFLAGS=-s
made "and with -s it says nothing" "" -s EXTRA=-DTHIRD
rm $work/o/core/base/mask.o
output=$(plain BUILD=$work V=1 $work/o/core/base/mask.o)
matches "the command with V=1" '^gcc .* -c -o .*mask\.o'
for cc in gcc clang; do
    command -v $cc > /dev/null || continue
    equals "$cc finds the headers" "" "$(plain -s CC=$cc BUILD=$work/$cc $work/$cc/gen/headers 2>&1)"
    says=$(plain -s CC="$cc -nostdinc" BUILD=$work/none $work/none/gen/headers 2>&1 | grep -c yaml.h)
    equals "or names the missing package in one line" 1 "$says"
    rm -r $work/none
done
# A recipe line that starts another make needs the prefix +, which shares the jobs of -j.
equals "jobs are shared by all of it" "" "$(grep -n '^	@$(AGAIN)' Makefile mk/*.mk)"
# listed TARGET..: prints the targets that make help-all does not list.
listed() {
    list=$(plain help-all)
    for target in "$@"; do
        printf '%s\n' "$list" | grep -q "^  make $target " || echo "$target"
    done
}
output=$(plain help)
holds "make help has at most 20 lines" [ "$(printf '%s\n' "$output" | wc -l)" -le 20 ]
# Parts of other targets are not for users.
parts='always|help|help-all|program|test-all|cuda-tested|fuzz-programs|old-system'
targets=$(cat Makefile mk/*.mk | sed -n ':join; /\\$/ { N; s/\\\n//; b join }; s/^\.PHONY://p' |
    grep -oE '[a-z][a-z-]+' | grep -vxE "$parts")
equals "make help-all lists every target" "" "$(listed $targets)"
equals "and no other" nothing "$(listed nothing)"
output=$(plain -n install "PREFIX=$work/a b" 2>&1 | tail -1)
holds "a folder with a blank in its name is one" [ "$output" = "scripts/release/install \"$work/a b\"" ]
# hints WHAT LINES WORDS..: passes if this number of lines describes the next steps.
hints() {
    what=$1 lines=$2
    shift 2
    output=$(plain -n PROGRAM=$work/program "$@" 2>&1 | grep -A 2 '^next:')
    holds "$what" [ "$(printf '%s' "$output" | grep -c '/sanlab init\|make demo\|/sanlab --help')" = "$lines" ]
}
hints "make that links ends with what comes next" 3
hints "not where another target is asked for" 0 program
touch $work/program
hints "nor where nothing was linked" 0 -o $work/program
mkdir -p "$work/a b/lib/sanlab/python/sanlab"
touch "$work/a b/lib/sanlab/python/sanlab/older.py"
output=$(umask 077 && scripts/release/install "$work/a b" && find "$work/a b" ! -type l ! -perm -004)
holds "where everybody may read what is installed" [ "$output" = "$work/a b/bin/sanlab" ]
holds "and no module of an older version stays" [ ! -e "$work/a b/lib/sanlab/python/sanlab/older.py" ]
# Installed pages have the relative paths of the source, so that links between them work. Published
# results are not installed.
output=$(cd "$work/a b/share/doc/sanlab" && for page in *.md docs/*.md docs/*/*.md; do
    grep -o '](\([a-zA-Z0-9_/.-]*\)[#)]' "$page" | tr -d '](#)' | grep -v published | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
done)
holds "its pages find each other" [ -z "$output" ]
output=$(cd $work && "./a b/bin/sanlab" plan demo 2>&1)
matches "and it finds its grids" '^train-'
for machine in riscv64 'x86_64 without AVX2'; do
    output=$(plain "MACHINE=$machine" 2>&1)
    [ "$output" = "Makefile:15: *** sanlab is for aarch64, and for x86-64 processors with AVX2; this one is $machine.  Stop." ]
    ok "one line on another processor: $machine" $?
done
# The commit of a tree, with its date, in a repository and in an archive of it. git names the commit.
tree=$work/tree
mkdir -p $tree/scripts
cp -rp Makefile mk VERSION .gitattributes $tree
cp -p scripts/commit scripts/rooms $tree/scripts
# committed WHAT TEXT [FOLDER]: passes if scripts/commit prints the text in that folder.
committed() {
    equals "the commit $1" "$2" "$("${3:-$tree}/scripts/commit" 2>&1)"
}
in_tree() {
    GIT_COMMITTER_DATE=2020-02-03T04:05:06Z git -C $tree -c user.name=a -c user.email=a@b "$@"
}
committed "without a repository, below another one" unknown
in_tree init -q && in_tree add . && in_tree commit -q -m one && in_tree tag -a -m release v1
is=$(in_tree rev-parse --short=12 HEAD)
committed "of a release" "$is 2020-02-03"
mkdir $work/archive
in_tree archive HEAD | tar -C $work/archive -xf -
committed "in an archive" "$is 2020-02-03" $work/archive
echo >> $tree/VERSION
committed "with changes" "$is-dirty 2020-02-03"
output=$(plain -s -C $work/archive build/gen/commit.h 2>&1 &&
    cat $work/archive/build/gen/commit.h)
[ "$output" = "#define SANLAB_VERSION \"$(cat VERSION)\"
#define SANLAB_COMMIT \"$is\"
#define SANLAB_DATE \"2020-02-03\"" ]
ok "what a program of the archive prints" $?

# Plain make compiles no file of the emulator, the double build or sanlab-dev.
output=$(plain -n BUILD=$work/none PROGRAM=$work/none/sanlab 2>&1 |
    grep -E "^gcc .* -c " | grep -E " (core/(emu|simt)|dev)/|/(f64|emu|emu16)/")
holds "make compiles the program alone" [ -z "$output" ]

# Counts code without comments, blank lines and includes, of a revision and of the working tree.
mkdir -p $tree/core/base $tree/dev
cp -p scripts/count $tree/scripts
printf '/* An idea. */\n#include "none.h"\n\nint a; /* b */\n// c\nint d;\n' > $tree/core/base/x.c
in_tree add . && in_tree commit -q -m two
printf 'int a;\n' > $tree/dev/y.h
in_tree add .
output=$($tree/scripts/count HEAD && $tree/scripts/count)
[ "$(printf '%s\n' "$output" | tr -s ' ' | tr '\n' ,)" = " 2 6 1 core/base, 2 6 1 core/, 2 6 1 all,$(
    ) 2 6 1 core/base, 1 1 1 dev, 2 6 1 core/, 1 1 1 dev/, 3 7 2 all," ]
ok "lines of code are counted" $?
finish
