#!/bin/sh
# scripts/check/docs on pages with cheap commands: a right page, a stale number, a command that fails, masks, files, text.
. "$(dirname "$0")/../support/cli.sh"
work=$PWD/build/tmp/docs_cli
rm -rf "$work"
mkdir -p "$work/data/small"
echo 1 > "$work/data/small/train"
export SANLAB_DATA="$work/data"
page=$work/docs_cli.md

# checks WORDS..: runs the script with this environment; leaves $output and $code.
checks() {
    run env "$@" scripts/check/docs "$page"
}

cat > "$page" << 'END'
Text.
<!-- text data/small -->
```console
$ false
written
```
<!-- file g.yaml -->
```yaml
seeds: [1]
rows:
  - {name: A}
```
Then
<!-- keys of g.yaml -->
```yaml
title: T
rows:
  - {name: B}
```
```console
$ cat g.yaml data/small/train
seeds: [1]
rows:
..
1
$ cd data
$ echo "BLEU 12.5  in 3.2 s, 4 MB, 12:10:01, 2 threads, commit 0a1b2c3d, /a/b"; sleep 0
BLEU 12.5 in 1 min 4 s, 5.0 GB, 13:10:01, 16 threads, commit 77777777, /c
$ pwd | sed 's|.*/||'; seq 3
data
1
2
3
```
END
cp "$page" "$work/right"
checks
says "a right page" 0 'docs_cli.md: 4 commands were run$'
[ "$(paste -s -d ' ' build/tmp/docs/docs_cli/folder/g.yaml)" = 'seeds: [1] rows:   - {name: B} title: T' ]
ok "keys replace keys or are added" $?
sed -i 's/^BLEU 12.5/BLEU 12.6/; s/^3$/4/' "$page"
checks
says "a stale number" 1 'docs_cli.md:28: echo .*: expected "BLEU 12.6 in .*", got "BLEU 12.5  in 3.2 s'
holds "and another one" [ "$(printf '%s\n' "$output" | grep -c 'docs_cli.md:33: pwd .*: expected "4", got "3"$')" = 1 ]
checks WRITE=1
sed 's/^BLEU.*/BLEU 12.5  in 3.2 s, 4 MB, 12:10:01, 2 threads, commit 0a1b2c3d, \/a\/b/' "$work/right" > "$work/written"
holds "WRITE=1 writes what differs, and nothing else" cmp -s "$page" "$work/written"
sed 's/^3$/3\n5/' "$work/right" > "$page"
checks
says "a line too many" 1 'docs_cli.md:34: pwd .*: expected "5", got no more$'
sed '/^3$/d' "$work/right" > "$page"
checks
says "a line too few" 1 'docs_cli.md:32: pwd .*: expected no more, got "3"$'
sed 's/^\$ cd data/$ .\/none/' "$work/right" > "$page"
checks
says "a command that fails" 1 'docs_cli.md:26: ./none: expected success, got status 127: .*none'
sed 's/small/other/g' "$work/right" > "$page"
checks
says "text that cannot be made" 0 'docs_cli.md: skipped: its text cannot be made: false'
# shellcheck disable=SC2016 # of the page
printf '```console\n$ sh -c "trap \\"exit 75\\" INT; echo 5 steps, ..; while sleep 0.1; do :; done"   # Ctrl-C\n5 steps, ..\n```\n' > "$page"
checks
says "Ctrl-C" 0 '1 commands were run$'
# shellcheck disable=SC2016 # of the page
printf '<!-- needs nogrid -->\n```console\n$ echo 1\n1\n```\n' > "$page"
checks
says "a grid that has not run" 0 'docs_cli.md: skipped: grid nogrid is not done in runs/'
finish
