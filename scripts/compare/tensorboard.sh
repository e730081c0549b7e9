#!/bin/sh
# Reads the files of `sanlab export tensorboard` with TensorBoard's reader, and compares every value with
# `sanlab export csv --long`.
#
#   scripts/compare/tensorboard.sh RUNS [PYTHON]     a Python that has tensorboard (default python3)
#
# The last line counts equal values. Exits with 1 unless all values are equal, with 77 (skipped) without
# TensorBoard.
set -eu
cd "$(dirname "$0")/../.."
runs=$1 python=${2:-python3}
"$python" -c 'import tensorboard' 2> /dev/null || {
    echo "scripts/compare/tensorboard.sh: skipped: $python has no tensorboard" >&2
    exit 77
}
work=build/tmp/compare_tensorboard
rm -rf $work
mkdir -p $work
./sanlab export tensorboard --runs "$runs" --out $work/events
./sanlab export csv --long --runs "$runs" --out $work/long.csv
"$python" - $work <<'END'
import csv, glob, math, os, struct, sys
from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader

work = sys.argv[1]
single = lambda text: struct.unpack("f", struct.pack("f", float(text or "nan")))[0]
ours = {}
for row in csv.DictReader(open(work + "/long.csv", newline="")):
    if row["step"] == "":
        continue
    label = row["metric"] + "".join(
        "/" + word + row[key].removeprefix("'")
        for key, word in (("layer", "layer "), ("head", "head "), ("set", "set "), ("class", "")) if row[key])
    ours.setdefault((row["id"][:12], label, int(row["step"])), []).append(single(row["value"]))
equal = wrong = 0
for path in glob.glob(work + "/events/*/events.out.tfevents.*"):
    stage = os.path.basename(os.path.dirname(path))[-12:]
    for event in LegacyEventFileLoader(path).Load():
        for value in event.summary.value:
            expected = ours.get((stage, value.tag, event.step), [])
            match = [x for x in expected
                     if x == value.simple_value or (math.isnan(x) and math.isnan(value.simple_value))]
            if match:
                expected.remove(match[0])
                equal += 1
            else:
                wrong += 1
                print("differs:", path, value.tag, event.step, value.simple_value)
missing = sum(len(values) for values in ours.values())
print(f"{equal} values equal, {wrong} differ, {missing} missing")
sys.exit(wrong > 0 or missing > 0 or equal == 0)
END
