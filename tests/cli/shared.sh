#!/bin/sh
# A shared runs folder: a database that another program keeps locked, and two users of one group.
. "$(dirname "$0")/../support/cli.sh"
task shared_cli 60
export OMP_NUM_THREADS=1
runs=$work/runs
tool=${BUILD:-build}/tests/tool

# grid NAME STEPS: writes $work/NAME.yaml, a grid of three stages.
grid() {
    cat > "$work/$1.yaml" << END
grid: $1
corpus: {source: a, target: b, train: train, dev: dev, merges: 20}
model: {preset: tiny}
encoder.layers: 1
train: {steps: $2, batch_tokens: 256, warmup: 3, validate_every: 3}
evaluate: {bleu: {split: dev, beam: 1}}
END
}
grid first 3
grid second 4
rows() { echo 'SELECT count(*) AS n FROM stage' | "$tool/sql" "$runs/sanlab.db" | tail -n 1; }

# ---- a locked database ----

said='sanlab.db: another program has kept it locked for 2 s'
# beside STATEMENTS VERB: runs run, collect and a reading verb while another program holds a lock.
beside() {
    lock=$1 verb=$2
    rm -rf $runs
    ./sanlab run $work/first.yaml --runs $runs --quiet
    holds "a run leaves its stages in the database" [ "$(rows)" = 3 ]
    : > $work/held
    "$tool/hold" $runs/sanlab.db "$lock" > $work/held 2>&1 &
    holder=$!
    wait_for grep -q held $work/held
    expect "$lock: a run ends well" 0 '3 of 3 stages done' run $work/second.yaml --runs $runs
    holds "and says once that the database is locked" [ "$(printf '%s\n' "$output" | grep -c "$said")" = 1 ]
    expect "collect cannot do it now" 75 "$said" collect --runs $runs
    # shellcheck disable=SC2086
    expect "$verb works all the same" 0 "$said" $verb --runs $runs
    holds "and prints what there is" [ "$(printf '%s\n' "$output" | wc -l)" -gt 1 ]
    kill $holder
    wait $holder 2> /dev/null
    expect "the next collect does what was left" 0 '^5 stages; ' collect --runs $runs
    holds "into the database" [ "$(rows)" = 5 ]
}
beside 'BEGIN IMMEDIATE' "table $work/first.yaml"
beside 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM tag' "ls kind=train"

# A lock that ends during the run has no effect. The worker is stopped until then.
rm -rf $runs
./sanlab run $work/first.yaml --runs $runs --quiet
"$tool/hold" $runs/sanlab.db 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM tag' > $work/held 2>&1 &
holder=$!
wait_for grep -q held $work/held
freeze step:1 1 run $work/second.yaml --runs $runs -j 1
kill $holder
wait $holder 2> /dev/null
# shellcheck disable=SC2046
kill -CONT $(pgrep -P $runner)
ended
grep -q "$said" $work/log && [ "$(rows)" = 5 ]
ok "a run whose database was locked at its start writes into it at its end" $?

# Rebuilds the database while a runner with a stopped worker keeps it open.
rm -rf $runs
freeze step:1 1 run $work/first.yaml --runs $runs -j 1
try collect --runs $runs --rebuild
says "collect --rebuild waits 2 s for a runner, and ends as beside any lock" 75 \
    'sanlab.db: another sanlab has kept it open for 2 s; it is not built anew'
# shellcheck disable=SC2046
kill -CONT $(pgrep -P $runner)
wait $runner
expect "afterwards it builds it" 0 '^3 stages; ' collect --runs $runs --rebuild

# ---- two users ----

ann=12001 ben=12002 group=12100
as() {
    user=$1
    shift
    (cd "$shared" && umask 002 && setpriv --reuid "$user" --regid "$user" --groups $group "$@")
}
shared=$(mktemp -d) || exit 1
trap 'rm -rf "$shared"' EXIT
chmod 755 "$shared"
cp -L ./sanlab "$shared"
output=$(as $ann ./sanlab help 2>&1)
if [ $? != 0 ]; then
    skipped "two users" "only root can be two users, by setpriv: $(echo "$output" | head -n 1)"
    finish
    exit
fi
cp -r experiments grids "$work/data" "$shared"
sed 's/^grid: .*/grid: third/' $work/first.yaml > "$shared/third.yaml"
cp "$shared/data/dev.a" "$shared/data/new.a"
cp "$shared/data/dev.b" "$shared/data/new.b"
sed 's/dev: dev/dev: new/' "$shared/third.yaml" > "$shared/fourth.yaml"
mkdir "$shared/runs"
chgrp $group "$shared/runs"
chmod 775 "$shared/runs"
sql() { echo "$1" | "$tool/sql" "$shared/runs/sanlab.db" | tail -n 1; }
# try_as USER WORDS..: like try, as that user.
try_as() {
    user=$1
    shift
    run as "$user" env SANLAB_DATA=data ./sanlab "$@"
}
# stage DIGIT: makes a stage's folder with many metrics; its id is one digit 64 times.
stage() {
    folder=$shared/runs/stages/train-$(printf "%12s" '' | tr ' ' "$1")
    mkdir -p "$folder"
    printf '{"id": "%s", "kind": "train", "canonical": "c", "options": {}, "inputs": [], "names": ["g"]}' \
        "$(printf "%64s" '' | tr ' ' "$1")" > "$folder/stage.json"
    seq 3000 | sed 's/.*/{"name":"loss","step":&,"value":&.5}/' > "$folder/metrics.jsonl"
}
# shared_file NAME: passes if the file has the folder's group and is writable for its members.
is_shared() {
    output=$(stat -c '%g %a' "$shared/runs/$1" 2>&1)
    [ "$output" = "$group 664" ]
}
shared_file() {
    holds "$1 belongs to the group" wait_for is_shared "$1"
}

for digit in 1 2 3 4 5 6; do
    stage $digit
    for user in $ann $ben; do
        as $user ./sanlab collect > "$work/$user" 2>&1 &
    done
    wait
    cat $work/$ann $work/$ben > $work/both
    output=$(cat $work/both)
    [ "$(grep -c "^$digit stages; " $work/both)" = 2 ] && [ "$(wc -l < $work/both)" = 2 ] &&
        [ "$(sql 'SELECT count(*) AS n FROM metric')" = $((3000 * digit)) ]
    ok "both collect, and the database has $digit stages" $?
done
shared_file sanlab.db
shared_file sanlab.lock

# A verb that is still printing keeps the database open.
mkfifo $work/pipe
as $ann ./sanlab export csv --long > $work/pipe 2> /dev/null &
exec 3< $work/pipe
read -r _ <&3
shared_file sanlab.db-wal
shared_file sanlab.db-shm
stage 7
try_as $ben collect
says "while one reads the other one writes" 0 '^7 stages; 3000 metrics'
holds "into the database" [ "$(sql 'SELECT count(*) AS n FROM metric')" = 21000 ]
cat <&3 > /dev/null
exec 3<&-
wait

sleep 5 # the list of digests omits files that changed in the last four seconds
try_as $ann plan third.yaml
says "a plan" 0 .
shared_file digests
first=$(wc -l < "$shared/runs/digests")
try_as $ben plan fourth.yaml
holds "to whose digests the other one adds" [ "$(wc -l < "$shared/runs/digests")" = $((first + 2)) ]
shared_file digests
chmod 600 "$shared/runs/digests" # of the user who made it
try_as $ben plan fourth.yaml
says "a list that only one may read" 0 'runs/digests: cannot be read: Permission denied'

# The modes of older programs.
chown $ann "$shared/runs/sanlab.db" "$shared/runs/sanlab.lock"
chmod 644 "$shared/runs/sanlab.db" "$shared/runs/sanlab.lock"
stage 8
try_as $ben collect
says "a database of another user is named" 1 'runs/sanlab.db: cannot be written: Permission denied'
lacks "and nothing is said to be added" 'stages;'
try_as $ben ls
says "a reader has it all" 0 '^train-888888888888 '
says "and says so" 0 'runs/sanlab.db: cannot be written: Permission denied'
chmod 600 "$shared/runs/sanlab.db"
try_as $ben ls
says "also where it may not even be read" 0 '^train-888888888888 '
try_as $ben collect --rebuild
says "the lock keeps it from being built anew" 65 'sanlab.lock: cannot be written: .* remove the file while no sanlab uses the folder'
as $ben rm -f runs/sanlab.lock
try_as $ben collect --rebuild
says "building it anew without it" 0 '^8 stages; '
shared_file sanlab.lock
shared_file sanlab.db
stage 9
try_as $ann collect
says "lets both write again" 0 '^9 stages; 3000 metrics'
chmod 755 "$shared/runs"
stage a
try_as $ben collect
says "a folder that cannot be written" 1 'runs: cannot be written: Permission denied'
finish
