#!/bin/sh
# scripts/check/fuzz before it builds anything: refused requests and missing tools.
. "$(dirname "$0")/../support/cli.sh"
fresh fuzz_cli
mkdir $work/bin

for word in 0 "" -3 1h; do
    output=$(scripts/check/fuzz "$word" 2>&1)
    [ $? = 65 ] && [ "${output#*expected seconds}" != "$output" ]
    ok "\"$word\" is no number of seconds" $?
done
# A machine without clang, and a machine whose clang has no runtime.
for tool in /usr/bin/* /bin/*; do ln -sf "$tool" "$work/bin/${tool##*/}"; done
rm -f $work/bin/clang*
output=$(PATH=$PWD/$work/bin scripts/check/fuzz 1 2>&1)
[ $? = 0 ] && [ "$output" = "skipped: make fuzz needs clang with libFuzzer and the sanitizers: there is \
no clang (apt-get install clang)" ]
ok "without clang it says so" $?
printf '#!/bin/sh\necho "cannot find libclang_rt.fuzzer" >&2\nexit 1\n' > $work/bin/clang
chmod +x $work/bin/clang
output=$(PATH=$PWD/$work/bin scripts/check/fuzz 1 2>&1)
[ $? = 0 ] && [ "${output%libclang-rt-14-dev)}" != "$output" ]
ok "without its runtime, too" $?
finish
