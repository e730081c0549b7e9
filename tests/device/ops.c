/* sanlab-ops DEVICE TRIALS PRECISION OP..: tests ops on a device, by their cases
 * (tests/support/op_*.c). TRIALS is the number of trials of each op, or a list of trials (0,12).
 * Every trial is done twice, to the same bits. Prints `ok OP SECONDS` after each op. Ends with a
 * message at the first difference, because after a fault a GPU refuses every further request of the
 * process. An op has 20 seconds, times TEST_SLOW; then a signal ends the process. Without words:
 * prints the names of all ops. */

#include "core/model/device_choice.h"
#include "tests/support/op_run.h"
#include "tests/support/test.h"

static const struct op_case *case_of(const char *name)
{
    for (int i = 0; i < op_case_count; i++)
        if (!strcmp(op_cases[i].name, name)) return &op_cases[i];
    die("there is no op \"%s\"", name);
}

static void try_once(const struct op_case *op, const struct ops *ops, uint32_t trial)
{
    struct op_run first = op_run_on_device(op, ops, trial);
    struct op_run second = op_run_on_device(op, ops, trial);
    op_run_same(&first, &second, "a second run");
    op_run_close(&first);
    op_run_close(&second);
}

static void try_op(const struct op_case *op, const struct ops *ops, const char *trials)
{
    const char *comma = strchr(trials, ',');
    const uint32_t number = (uint32_t)strtoul(trials, NULL, 10);
    for (uint32_t trial = 0; !comma && trial < number; trial++) try_once(op, ops, trial);
    if (comma) try_once(op, ops, number);
    for (; comma; comma = strchr(comma + 1, ','))
        try_once(op, ops, (uint32_t)strtoul(comma + 1, NULL, 10));
}

int main(int count, char **word)
{
    enum { SECONDS = 20, OPS = 4 };
    static const char *const precisions[] = {"fp32", "tf32", "bf16", NULL};
    int precision = PRECISION_FP32;
    const char *slow = getenv("TEST_SLOW");
    if (count <= OPS) {
        for (int i = 0; i < op_case_count; i++) puts(op_cases[i].name);
        return count == 1 ? 0 : 64;
    }
    for (int i = OPS; i < count; i++) case_of(word[i]);
    while (precisions[precision] && strcmp(precisions[precision], word[3]) != 0) precision++;
    if (!precisions[precision]) die("there is no precision \"%s\"", word[3]);
    device_use(word[1], true);
    const struct ops *ops = device_table(device_used(), (enum precision)precision);
    for (int i = OPS; i < count; i++) {
        const double begin = clock_seconds();
        alarm(SECONDS * (slow ? (unsigned)atoi(slow) : 1));
        try_op(case_of(word[i]), ops, word[2]);
        printf("ok %s %.2f\n", word[i], clock_seconds() - begin);
        fflush(stdout); /* before what others write to the same file */
    }
    return 0;
}
