/* One op on a device, by its case (tests/support/op_*.c): `sanlab-ops DEVICE OP TRIALS
 * [PRECISION]`. Every trial is done twice, to the same bits. Prints ok, or ends at the first
 * difference with it. A process does one op, because after a fault a GPU refuses whatever its
 * process asks for. Without words: the names of all ops. */
#include <stdlib.h>
#include <string.h>

#include "core/model/device.h"
#include "tests/support/op_run.h"
#include "tests/support/test.h"

static const struct op_case *case_of(const char *name)
{
    for (int i = 0; i < op_case_count; i++)
        if (!strcmp(op_cases[i].name, name)) return &op_cases[i];
    die("there is no op \"%s\"", name);
}

int main(int count, char **word)
{
    static const char *const precisions[] = {"fp32", "tf32", "bf16", NULL};
    int precision = PRECISION_FP32;
    if (count != 4 && count != 5) {
        for (int i = 0; i < op_case_count; i++) puts(op_cases[i].name);
        return count == 1 ? 0 : 64;
    }
    const struct op_case *op = case_of(word[2]);
    while (count == 5 && precisions[precision] && strcmp(precisions[precision], word[4]) != 0)
        precision++;
    if (!precisions[precision]) die("there is no precision \"%s\"", word[4]);
    device_use(word[1], true);
    const struct ops *ops = device_table(device_used(), (enum precision)precision);
    const uint32_t trials = (uint32_t)strtoul(word[3], NULL, 10);
    for (uint32_t trial = 0; trial < trials; trial++) {
        struct op_run first = op_run_on_device(op, ops, trial);
        struct op_run second = op_run_on_device(op, ops, trial);
        op_run_same(&first, &second, "a second run");
        op_run_close(&first);
        op_run_close(&second);
    }
    puts("ok");
    return 0;
}
