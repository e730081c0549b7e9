# Beginning of the command line tests: goes to the root of the project.
cd "$(dirname "$0")/../.." || exit 1
. tests/support/tap.sh
