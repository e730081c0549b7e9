#!/bin/sh
# sanlab corpus get: files from file://, from a faulty server and from mirrors; refused requests;
# continuation after an interruption; files that a program makes.
. "$(dirname "$0")/../support/cli.sh"
if ! command -v curl > /dev/null || ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP needs curl and python3"
    exit 0
fi
work=$PWD/build/tmp/corpus_get_cli
rm -rf "$work"
origin=$work/origin
mkdir -p "$origin/o/n/c"
real=${SANLAB_DATA:-data}
SANLAB_DATA=$work/data
HOME=$work
export SANLAB_DATA HOME
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY

# Three files: 300 kB, 4 kB and empty.
awk 'BEGIN { srand(7); for (i = 0; i < 40000; i++) printf "%d\n", 100000 * rand() }' > "$origin/o/n/c/large.txt"
head -c 4000 "$origin/o/n/c/large.txt" | tac > "$origin/o/n/c/small.txt"
: > "$origin/o/n/c/empty.txt"

blob() { git hash-object --no-filters "$1"; }
# manifest NAME URL: writes a manifest with all three files from URL/o/n/c.
manifest() {
    cat > "$work/$1.yaml" << END
description: made-up numbers
license: none stated
warn: [none stated]
citation: Nobody 2020, Nothing
files:
  - {path: numbers/large, url: "$2/o/n/c/large.txt", blob: $(blob "$origin/o/n/c/large.txt"), bytes: $(wc -c < "$origin/o/n/c/large.txt")}
  - {path: numbers/deep/small, url: "$2/o/n/c/small.txt", sha256: $(sha256sum < "$origin/o/n/c/small.txt" | cut -c1-64)}
  - {path: empty, url: "$2/o/n/c/empty.txt", blob: $(blob "$origin/o/n/c/empty.txt"), fetched: false}
END
}
# get WORDS: runs corpus get with an empty data folder.
get() {
    rm -rf "$SANLAB_DATA"
    try corpus get "$@"
}
# arrived WHAT: passes if the last try succeeded and exactly the three files are present.
arrived() {
    [ "$code" = 0 ] && cmp "$origin/o/n/c/large.txt" "$SANLAB_DATA/numbers/large" &&
        cmp "$origin/o/n/c/small.txt" "$SANLAB_DATA/numbers/deep/small" &&
        cmp "$origin/o/n/c/empty.txt" "$SANLAB_DATA/empty" &&
        [ "$(find "$SANLAB_DATA" -type f | wc -l)" = 4 ] # three files and the lock
    ok "$1" $?
}
# refused WHAT PATTERN: passes with status 65, one line that matches, and no file under its final name.
refused() {
    lines=$(printf '%s\n' "$output" | grep -c '^sanlab: ')
    [ "$lines" = 1 ] && [ -z "$(find "$SANLAB_DATA" -type f -name large)" ]
    one=$?
    says "$1" 65 "$2"
    ok "$1: one line, and no file by that name" $one
}

manifest plain "file://$origin"
get "$work/plain.yaml"
arrived "files of file://"
says "the license stands out" 0 "^    !! license: none stated$"
says "the citation" 0 "^    cite: Nobody 2020, Nothing$"
says "a file that nobody had fetched" 0 "!! 1 of 3 never fetched when its entry was written"
touch -d '2 hours ago' "$SANLAB_DATA/numbers/large"
before=$(stat -c %y "$SANLAB_DATA/numbers/large")
rm "$SANLAB_DATA/numbers/deep/small"
try corpus get "$work/plain.yaml"
arrived "a file that went is fetched again"
holds "and no other" [ "$before" = "$(stat -c %y "$SANLAB_DATA/numbers/large")" ]
try corpus get "$work/plain.yaml" --quiet
holds "--quiet says nothing where all is here" [ "$code$output" = 0 ]
expect "all is here" 0 "^plain: already here, 3 files in " corpus get "$work/plain.yaml"

# ---- the list ----
rm "$SANLAB_DATA/empty"
try corpus get --list "$work/plain.yaml"
says "the list has sizes and what is here" 0 "^plain  .*MB \+ \?, here: 2 of 3, 1 of 3 never fetched$"
says "and licenses" 0 "^    !! license: none stated$"
try corpus get --list "$work/plain.yaml" --format csv
says "as a table" 0 "^plain,.*,2 of 3,no,1 of 3 never fetched,made-up numbers,none stated,none stated,\"?Nobody"
expect "the list of all sets" 0 "^multi30k " corpus get --list
for name in experiments/corpora/sets/*.yaml; do
    name=${name##*/}
    printf '%s\n' "$output" | grep -q "^${name%.yaml} " || echo "not listed: $name"
done > $work/unlisted
holds "which has each shipped set" [ ! -s $work/unlisted ]

# ---- a server ----
python3 tests/support/server.py "$origin" "$work/log" > "$work/port" &
server=$!
trap 'kill $server' EXIT
trap 'exit 1' TERM
wait_for test -s "$work/port"
url=http://127.0.0.1:$(cat "$work/port")

# from HOW: downloads to an empty folder, with a new log.
from() {
    manifest "$1" "$url/$1"
    : > "$work/log"
    get "$work/$1.yaml"
}
from ok
arrived "files of a server"
[ "$(cut -d' ' -f1 "$work/log" | sort -u | wc -l)" = 1 ] && [ "$(wc -l < "$work/log")" = 3 ]
ok "by one connection" $?
from broken
arrived "a transfer that breaks off goes on"
holds "from where it was" grep -q ' /broken/o/n/c/large.txt bytes=[1-9][0-9]*-$' "$work/log"
from busy
arrived "a server that is busy is asked again"
# python WORDS..: writes $work/bin/python3, which starts scripts/data/get with WORDS of the shell.
mkdir "$work/bin"
python() {
    printf '#!/bin/sh\n%s\n' "$1" > "$work/bin/python3"
    chmod +x "$work/bin/python3"
}
real_python=$(command -v python3)
python "exec $real_python \"\$@\" --seconds=1"
PATH=$work/bin:$PATH from stall
arrived "a transfer that stalls goes on"

# part HOW TEXT: like from, but part of the large file is already present.
part() {
    manifest "$1" "$url/$1"
    : > "$work/log"
    rm -rf "$SANLAB_DATA"
    mkdir -p "$SANLAB_DATA/numbers"
    printf '%s' "$2" > "$SANLAB_DATA/numbers/large.part"
    try corpus get "$work/$1.yaml"
}
part ok "$(head -c 1000 "$origin/o/n/c/large.txt")"
arrived "a part that was left is continued"
grep -q ' /ok/o/n/c/large.txt bytes=1000-$' "$work/log" ||
    grep -q ' /ok/o/n/c/large.txt bytes=999-$' "$work/log" # a newline at its end
ok "by its length" $?
part whole "$(head -c 1000 "$origin/o/n/c/large.txt")"
arrived "a server that ignores ranges sends all"
part ok "something else"
arrived "a part of something else is begun anew"
part ok "$(cat "$origin/o/n/c/large.txt" "$origin/o/n/c/large.txt")"
arrived "and one that is too long"
rm "$SANLAB_DATA/numbers/deep/small"
cat "$origin/o/n/c/small.txt" "$origin/o/n/c/small.txt" > "$SANLAB_DATA/numbers/deep/small.part"
try corpus get "$work/ok.yaml"
arrived "also where the manifest has no size"
holds "as the server said" grep -q ' /ok/o/n/c/small.txt bytes=8000-$' "$work/log"

# ---- refused requests ----
refusal=$SANLAB_DATA/numbers/large.refused
from short
refused "a truncated file" "expected blob [0-9a-f]{40} of [0-9]+ bytes, got [0-9a-f]{40} of [0-9]+ bytes: it is truncated; kept as "
holds "is kept" [ -s "$refusal" ]
from login
refused "a page for a login" "the server sent a page; does it need a login\?; kept as .*large.refused$"
holds "is kept, too" grep -q 'Sign in' "$refusal"
from ok
sed "s/blob: [0-9a-f]*, bytes/blob: $(blob "$origin/o/n/c/small.txt"), bytes/" "$work/ok.yaml" > "$work/wrong.yaml"
get "$work/wrong.yaml"
refused "a wrong digest" "wrong: numbers/large: expected blob $(blob "$origin/o/n/c/small.txt") .*, got $(blob "$origin/o/n/c/large.txt")"
from none
sed 's|n/c/large|n/c/larger|' "$work/ok.yaml" > "$work/absent.yaml"
get "$work/absent.yaml"
refused "404" "^sanlab: absent: $url/ok/o/n/c/larger.txt: HTTP 404, not found$"
from forbidden
refused "403" "HTTP 403, forbidden; does it need a login\?$"
from secret
refused "401" "HTTP 401, unauthorized; does it need a login\?$"
from file
refused "a redirect to a file" "^sanlab: file: http"
[ ! -e "$refusal" ] && [ ! -e "$SANLAB_DATA/numbers/large.part" ]
ok "which was not read" $?
manifest gone "http://127.0.0.1:1"
get "$work/gone.yaml"
refused "no connection" "^sanlab: gone: http://127.0.0.1:1/o/n/c/large.txt: .*fetch each file by hand"
says "with the URLs, and their places" 65 "^    http://127.0.0.1:1/o/n/c/small.txt  to  .*/data/numbers/deep/small$"
manifest lost "http://nowhere.invalid"
get "$work/lost.yaml"
refused "no such host" "^sanlab: lost: http://nowhere.invalid/.*fetch each file by hand"
manifest missing "file://$work/missing"
get "$work/missing.yaml"
refused "a file:// that is not there" "^sanlab: missing: file://.*large.txt: "

rm -rf "$SANLAB_DATA"
mkdir -p "$SANLAB_DATA/numbers"
echo mine > "$SANLAB_DATA/numbers/large"
try corpus get "$work/plain.yaml"
says "a file of the user's with that name" 65 "numbers/large exists with other content \(expected blob .*\); move the file first$"
holds "stays" grep -q mine "$SANLAB_DATA/numbers/large"
rm -rf "$SANLAB_DATA" "$work/elsewhere"
mkdir -p "$SANLAB_DATA" "$work/elsewhere"
ln -s "$work/elsewhere" "$SANLAB_DATA/numbers"
try corpus get "$work/plain.yaml"
says "a link out of the data folder" 65 "data/numbers resolves to .*/elsewhere, outside of the data folder"
holds "is not written through" [ -z "$(ls "$work/elsewhere")" ]
rm -rf "$SANLAB_DATA"
echo > "$SANLAB_DATA"
try corpus get "$work/plain.yaml"
says "a file as the data folder" 65 "data: is not a folder; expected a folder or a new path$|data: folder cannot be made"
rm -rf "$SANLAB_DATA"
output=$(ulimit -f 40; ./sanlab corpus get "$work/plain.yaml" 2>&1)
code=$?
says "a file that cannot grow" 65 "^sanlab: plain: .*large.part: cannot be written: File too large$"
if other_user; then
    rm -rf "$SANLAB_DATA"
    mkdir "$SANLAB_DATA"
    chmod 555 "$SANLAB_DATA"
    run $as ./sanlab corpus get "$work/plain.yaml"
    says "a folder that may not be written" 65 "data/numbers: folder cannot be made: Permission denied$|cannot be written: Permission denied$"
    holds "in one line" [ "$(printf '%s\n' "$output" | grep -c '^sanlab: ')" = 1 ]
    chmod 755 "$SANLAB_DATA"
fi
disk=$work/disk
mkdir "$disk"
if command -v mount > /dev/null && command -v umount > /dev/null &&
    mount -t tmpfs -o size=128k none "$disk" 2> /dev/null; then
    SANLAB_DATA=$disk try corpus get "$work/plain.yaml"
    says "a full disk" 65 "^sanlab: plain: .*large.part: cannot be written: No space left on device$"
    umount "$disk"
fi
mkdir "$work/none"
PATH=$work/none try corpus get "$work/plain.yaml"
says "no python3" 65 "^sanlab: plain: needs python3, which is not installed"
python 'exit 3'
PATH=$work/bin try corpus get "$work/plain.yaml"
says "a python3 that fails" 65 "^sanlab: plain: python3 .*scripts/data/get ended with status 3$"
ln -s "$(python3 -c "import sys; print(sys.executable)")" "$work/none/python3"
PATH=$work/none try corpus get "$work/plain.yaml"
says "no curl" 65 "^sanlab: plain: the program curl is not installed"
printf '#!/bin/sh\nexit 0\n' > "$work/none/curl"
chmod +x "$work/none/curl"
PATH=$work/none try corpus get "$work/plain.yaml"
says "a curl that does nothing" 65 "^sanlab: plain: curl ended before all files were fetched$"
printf '#!/bin/sh\necho  0 200\n' > "$work/none/curl"
PATH=$work/none try corpus get "$work/plain.yaml"
says "an old curl" 65 "^sanlab: plain: curl is too old; expected 7.75 or newer$"
rm "$work/none/curl"
get multi30
says "an unknown name" 65 "there is no data set \"multi30\"; nearest is \"multi30k\""
get
says "no name" 65 "usage: sanlab corpus get NAME"
get multi30k --seed 3
says "an option of others" 65 "[-][-]seed"
sed 's|numbers/large|../large|' "$work/plain.yaml" > "$work/out.yaml"
get "$work/out.yaml"
says "a path that leaves the folder" 65 "out.yaml:6:[0-9]+: ../large leaves the data folder"

# ---- mirrors ----
manifest far "http://nowhere.invalid"
get "$work/far.yaml" --mirror "$url/ok"
arrived "a URL as mirror"
get "$work/far.yaml" --mirror "http://me:p%20w@${url#http://}/secret"
arrived "a URL with a user and a password"
get "$work/far.yaml" --mirror "file://$origin/"
arrived "a file:// as mirror"
output=$(rm -rf "$SANLAB_DATA"; PATH=$work/none ./sanlab corpus get "$work/far.yaml" --mirror "$origin" 2>&1)
code=$?
arrived "a folder laid out as the URLs, without curl"
mkdir "$work/flat"
cp "$origin"/o/n/c/* "$work/flat"
get "$work/far.yaml" --mirror "$work/flat"
arrived "a folder of files by their names"
mv "$SANLAB_DATA" "$work/copy"
get "$work/far.yaml" --mirror "$work/copy"
arrived "another data folder"
echo more >> "$work/copy/numbers/large"
get "$work/far.yaml" --mirror "$work/copy"
refused "a mirror with another file" "copy lacks 1 of 3 files: no file with the digest of numbers/large \(tried o/n/c/large.txt, "
get "$work/far.yaml" --mirror "$work/copy/nothing"
says "a mirror that is not there" 65 "[-][-]mirror: .*nothing: is not a folder"
get "$work/far.yaml" --mirror "ftp://host/x"
says "a mirror of another kind" 65 "[-][-]mirror: url: ftp://host/x: expected https"

# ---- the environment of curl ----
echo 'proxy = "http://127.0.0.1:1"' > "$work/.curlrc"
from ok
arrived "the .curlrc of HOME is not read"
manifest far "http://nowhere.invalid/ok"
rm -rf "$SANLAB_DATA"
http_proxy=$url try corpus get "$work/far.yaml"
arrived "a proxy of the environment is used"

# ---- an interruption ----
manifest stall2 "$url/stall"
sed 's|stall/o|stall/o/|' "$work/stall2.yaml" > "$work/hang.yaml" # a path without earlier requests
rm -rf "$SANLAB_DATA"
: > "$work/log"
./sanlab corpus get "$work/hang.yaml" > "$work/said" 2>&1 &
getter=$!
wait_for test -s "$SANLAB_DATA/numbers/large.part"
child=$(ps -o pid= --ppid $getter)
kill -9 $getter
wait $getter 2> /dev/null
gone() { case $(ps -o stat= -p $child) in '' | Z*) ;; *) return 1 ;; esac; }
[ -n "$child" ] && wait_for gone
ok "the download ends with a process that is killed" $?
[ ! -e "$SANLAB_DATA/numbers/large" ] && [ -s "$SANLAB_DATA/numbers/large.part" ]
ok "which left a part, and no file" $?
try corpus get "$work/hang.yaml"
arrived "the next call goes on"
holds "from where it was" grep -q 'large.txt bytes=[1-9][0-9]*-$' "$work/log"

rm -rf "$SANLAB_DATA"
: > "$work/log"
killed='import os, runpy, sys
os.rename = lambda *_: os.kill(os.getpid(), 9)
sys.path.insert(0, os.path.dirname(sys.argv[1]))
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")'
python "exec $real_python -c '$killed' \"\$@\""
PATH=$work/bin:$PATH try corpus get "$work/ok.yaml"
says "a program that is killed" 65 "^sanlab: ok: python3 .*scripts/data/get .*signal"
[ ! -e "$SANLAB_DATA/numbers/large" ] && cmp "$origin/o/n/c/large.txt" "$SANLAB_DATA/numbers/large.part"
ok "killed before a file gets its name" $?
try corpus get "$work/ok.yaml"
arrived "the next call names it"
holds "without another download" [ "$(grep -c large "$work/log")" = 1 ]

rm -rf "$SANLAB_DATA"
: > "$work/log"
for i in 1 2 3 4; do
    ./sanlab corpus get "$work/ok.yaml" > "$work/said$i" 2>&1 || echo failed >> "$work/said$i" &
    getters="${getters-} $!"
done
wait $getters
output=$(cat "$work"/said[1-4])
code=0
arrived "four at a time"
! grep -q failed "$work"/said[1-4] && [ "$(wc -l < "$work/log")" = 3 ]
ok "each file was fetched once" $?

# ---- files that a program makes ----
cat > "$work/sort.py" << 'END'
import os, sys
raw, out = sys.argv[1:]
os.makedirs(out + "/made")
with open(raw + "/o/n/c/small.txt") as text, open(out + "/made/sorted", "w") as made:
    made.writelines(sorted(text))
print("sorted")
END
LC_ALL=C sort "$origin/o/n/c/small.txt" > "$work/sorted"
# maker PROGRAM: writes a manifest with a file that PROGRAM makes.
maker() {
    cat > "$work/made.yaml" << END
description: sorted numbers
license: CC BY 4.0
citation: Nobody 2020, Nothing
files:
  - {path: raw/o/n/c/small.txt, url: "$url/ok/o/n/c/small.txt", blob: $(blob "$origin/o/n/c/small.txt")}
make:
  program: $1
  files:
    - {path: made/sorted, blob: $(blob "$work/sorted")}
END
}
maker sort.py
get "$work/made.yaml"
[ "$code" = 0 ] && cmp "$work/sorted" "$SANLAB_DATA/made/sorted" && [ ! -e "$SANLAB_DATA/.made.making" ]
ok "a program makes a file" $?
says "and is named" 0 "^made: python3 .*sort.py .*raw "
rm -r "$SANLAB_DATA/raw"
expect "what it was made of is not fetched again" 0 "^made: already here, 1 files" corpus get "$work/made.yaml"
rm -r "$SANLAB_DATA"
maker absent.py
get "$work/made.yaml"
says "a program that is not there" 65 "^sanlab: made: make.program: file .*absent.py not found"
holds "nothing is fetched" [ ! -e "$SANLAB_DATA/raw" ]
echo 'import sys; sys.exit(3)' > "$work/fails.py"
maker fails.py
get "$work/made.yaml"
says "a program that fails" 65 "^sanlab: made: python3 .*fails.py ended with status 3$"
holds "leaves nothing" [ ! -e "$SANLAB_DATA/.made.making" ]
echo '' > "$work/idle.py"
maker idle.py
get "$work/made.yaml"
says "a program that makes no file" 65 "idle.py did not make made/sorted$"
sed 's/sorted(text)/text/' "$work/sort.py" > "$work/copies.py"
maker copies.py
get "$work/made.yaml"
says "a program that makes another file" 65 "^sanlab: made: made/sorted: expected blob .* kept as .*/made/sorted.refused$"
holds "which does not get the name" [ ! -e "$SANLAB_DATA/made/sorted" ]
echo 'import sys, time; open(sys.argv[2] + "/begun", "w"); time.sleep(600)' > "$work/sleeps.py"
maker sleeps.py
for signal in TERM KILL; do
    rm -rf "$SANLAB_DATA"
    ./sanlab corpus get "$work/made.yaml" > "$work/said" 2>&1 &
    getter=$!
    wait_for test -e "$SANLAB_DATA/.made.making/begun"
    child=$(ps -o pid= --ppid $getter)
    kill -$signal $getter
    wait $getter 2> /dev/null
    wait_for gone
    [ $signal = KILL ] || [ ! -e "$SANLAB_DATA/.made.making" ]
    ok "SIG$signal ends the program, too" $?
done
maker sort.py
try corpus get "$work/made.yaml"
[ "$code" = 0 ] && cmp "$work/sorted" "$SANLAB_DATA/made/sorted" && [ ! -e "$SANLAB_DATA/.made.making" ]
ok "the next call makes it" $?

printf 'description: x\nlicense: y\ncitation: z\nlogin: true\nsteps: |\n  Ask them.\n  Then wait.\n' > "$work/ask.yaml"
get "$work/ask.yaml"
says "steps in words" 0 "^  ?  ?!! its site needs a login$"
says "are printed" 0 "^Then wait.$"

# ---- the shipped sets, if SANLAB_DATA has their files ----
for manifest in experiments/corpora/sets/*.yaml; do
    name=${manifest##*/} mirror=$real
    name=${name%.yaml}
    grep -q '^steps:' $manifest && continue
    SANLAB_DATA=$real ./sanlab corpus get --list "$name" --format csv | grep -q "^$name,[^,]*,yes," || continue
    if grep -q '^make:' $manifest; then
        [ -f "$real/raw/pinned.tar.xz" ] || continue
        tar -xJf "$real/raw/pinned.tar.xz" -C "$origin"
        # A source that is missing from the archive is a file of another set.
        sed -n 's|^ *- {path: raw/\([^,]*\),.*|\1|p' $manifest | while read -r path; do
            [ -e "$origin/$path" ] && continue
            mkdir -p "$origin/${path%/*}"
            find "$real" -name "${path##*/}" -exec cp {} "$origin/$path" \;
        done
        mirror=$url/ok
    fi
    get "$name" --mirror "$mirror"
    [ "$code" = 0 ] && [ -z "$(find "$SANLAB_DATA" -name '*.part' -o -name '*.refused')" ] &&
        SANLAB_DATA=$work/data ./sanlab corpus get --list "$name" --format csv | grep -q "^$name,[^,]*,yes,"
    ok "$name from ${mirror##*/}" $?
    tested=yes
done
[ "${tested-}" ] || skipped "the shipped sets" "no folder of real data (SANLAB_DATA)"
finish
