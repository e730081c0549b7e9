#!/bin/sh
# scripts/witness: it finds a changed digit, caption and order, and applies a list of accepted
# differences. Shell scripts with fixed output replace the programs.
. "$(dirname "$0")/../support/cli.sh"
work=$PWD/build/tmp/witness
rm -rf "$work"
mkdir -p "$work"

# program NAME DIGIT CAPTION ROWS: writes a program with this output.
program() {
    cat > "$work/$1" << END
#!/bin/sh
case \$1 in
table) printf '%s\n' 'Model  BLEU' $4 'a  27.$2' '$3' ;;
export) [ "\$2" = csv ] || echo '{"row":"first"}' ;;
ls) [ "\$2" = --format ] || printf '%s\n' 'stage    status  time    age  names' '---' 'train-0  done     1 s  1 min  a' ;;
*) echo "\$*" ;;
esac
END
    chmod +x "$work/$1"
}

# witness PROGRAM: compares its output with that of the base.
witness() {
    output=$(WITNESS_BASE=$work/base SANLAB=$work/$1 WITNESS_FOLDER=$work/folder WITNESS_ACCEPTED=$work/accepted \
        scripts/witness tests/runs 2>&1)
    code=$?
}

program base 1 Caption "'b  3' 'c  4'"
program age 1 Caption "'b  3' 'c  4'"
sed -i 's/1 min/2 min/' "$work/age"
program digit 2 Caption "'b  3' 'c  4'"
program caption 1 'A caption' "'b  3' 'c  4'"
program order 1 Caption "'c  4' 'b  3'"
program digit_caption 2 'A caption' "'b  3' 'c  4'"
: > "$work/accepted"
witness base
says "a program is the same as itself" 0 "^[1-9][0-9]* outputs of 1 witnesses are the same, 0 differ as accepted, 0 differ$"
witness age
says "an age is no difference" 0 " 0 differ$"
for change in digit caption order; do
    witness $change
    says "a changed $change is found" 1 "^tests/runs: table_grid.yaml_--format_csv$"
done
witness digit
says "the first differing line of both is printed" 1 "^  base: a  27.1$"
printf '# comment\ntests/*\ttable*\ts/^Caption/A caption/\t-\tthe caption has an article\n' > "$work/accepted"
witness caption
says "an accepted change of a caption is counted" 0 "the same, [1-9][0-9]* differ as accepted, 0 differ$"
witness digit_caption
says "and hides no digit" 1 "^  this: a  27.2$"
printf 'tests/*\ttable*\t-\ts/^A caption/Caption/\n' > "$work/accepted"
witness caption
says "a line without a reason is refused" 1 "expected five fields"
WITNESS_FOLDER=$work/folder scripts/witness tests/run > "$work/said" 2>&1
code=$? output=$(cat "$work/said")
says "a witness that there is not is refused" 64 'there is no "tests/run"'
finish
