#!/bin/sh
# scripts/packages on simulated systems: shell scripts replace apt-get, dpkg-query, sudo and id. Also the files of packaging/.
. "$(dirname "$0")/../support/cli.sh"
fresh packages
work=$PWD/$work
fake() { printf '#!/bin/sh\n%s\n' "$2" > "$work/$1" && chmod +x "$work/$1"; }
fake dpkg-query 'shift 3; for p in "$@"; do case " $ABSENT " in *" $p "*) ;; *) echo "ii  $p";; esac; done
[ "$ABSENT" = "" ]'
fake id 'echo $IS_USER'
fake sudo '[ "$HAS_SUDO" = yes ] || exit 1; [ "$1" = -n ] || exit 9; shift; exec "$@"'
fake apt-cache 'exit $LISTS_ABSENT'
fake apt-get 'echo "apt-get $*" >> "$LOG"; echo "$*" | grep -q update && rm -f "$LOG.stale"
! { echo "$*" | grep -q install && [ -e "$LOG.stale" ]; }'

# expect WHAT CODE TEXT LOG: compares the exit code, a text in the output, and the calls of apt-get
expect() {
    PATH=$work:$PATH LOG=$work/log run scripts/packages
    output="$output
apt-get: $(sed -e 's/-q -o [^ ]* //' -e 's/--no-install-recommends //' "$work/log" 2> /dev/null | tr '\n' ';')"
    rm -f "$work/log" "$work/log.stale"
    contains "$1" "$2" "$3"
    contains "$1: apt-get" "$2" "
apt-get: $4"
}
# is ID VERSION [LIKE]: the system
is() { printf 'ID=%s\nVERSION_ID="%s"\nID_LIKE="%s"\nPRETTY_NAME="%s %s"\n' "$1" "$2" "${3-}" "$1" "$2" > "$work/os-release"; }
export ABSENT= IS_USER=1000 HAS_SUDO=no LISTS_ABSENT=0 OS_RELEASE="$work/os-release"
is debian 12
expect "nothing is touched when all is there" 0 "" ""
ABSENT="libyaml-dev libcmocka-dev"
expect "without rights: the one line" 1 \
    "sudo apt-get update && sudo apt-get install --no-install-recommends libyaml-dev libcmocka-dev" ""
HAS_SUDO=yes
expect "with sudo: installs what is missing" 0 "libyaml-dev libcmocka-dev" \
    "apt-get install -y libyaml-dev libcmocka-dev;"
HAS_SUDO=no IS_USER=0
expect "as root" 0 "installing" "apt-get install -y libyaml-dev libcmocka-dev;"
LISTS_ABSENT=1
expect "updates when there are no lists" 0 "installing" \
    "apt-get update;apt-get install -y libyaml-dev libcmocka-dev;"
LISTS_ABSENT=0
touch "$work/log.stale"
expect "updates when the lists are stale" 0 "installing" "apt-get install -y libyaml-dev \
libcmocka-dev;apt-get update;apt-get install -y libyaml-dev libcmocka-dev;"
for system in "debian 13" "ubuntu 22.04 debian" "ubuntu 24.04 debian"; do
    is $system
    PATH=$work:$PATH LOG=$work/log run scripts/packages
    equals "on $system: without a remark" "packages: installing libyaml-dev libcmocka-dev" "$output"
done
is linuxmint 22 "ubuntu debian"
expect "on a relative, with a remark" 0 "packages: linuxmint 22 was not tried" \
    "apt-get install -y libyaml-dev libcmocka-dev;"
is rocky 9.5 "rhel centos fedora"
expect "elsewhere: where the names are" 0 "packages: rocky 9.5: not installed; docs/install.md lists the packages" ""

# The files of packaging/, which cannot be run here, agree with each other and with the project.
# listed FILE: the packages that it installs
listed() {
    sed -n '/no-install-recommends/,/rm -rf/p' "$1" | sed 's/.*recommends//; /rm -rf/d; s/&&//; s/\\//' | xargs
}
packages=$(listed packaging/Dockerfile)
equals "the Dockerfile and the Apptainer definition install the same packages" "$packages" "$(listed packaging/sanlab.def)"
output=$(for package in $packages; do grep -qE "(^|[ \"])$package([ \"]|$)" scripts/packages || echo "$package"; done)
equals "all but python3-venv are packages of the project" python3-venv "$output"
equals "the recipe for conda has the project's version" "  version: \"$(cat VERSION)\"" \
    "$(grep '^  version:' packaging/conda/meta.yaml)"
output=$(wc -l packaging/Dockerfile packaging/sanlab.def packaging/conda/meta.yaml | awk '$1 < 30 || $1 > 60 && $2 != "total"')
equals "each has 30 to 60 lines" "" "$output"
finish
