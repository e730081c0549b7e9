/* The text of a probing task, and its audit by simple guesses. */
#include "probes/task_audit.h"
#include "tests/fuzz/support/fuzz.h"

#include <string.h>

static void run(void *context)
{
    const struct task_data data = task_data_read(&arena, context);
    for (int i = 0; i < data.items; i++) {
        const struct task_item *item = &data.item[i];
        int tokens = 1;
        for (const char *at = item->text; (at = strchr(at, ' ')); at++) tokens++;
        CHECK(tokens == item->tokens, "%d tokens, not %d: %s", tokens, item->tokens, item->text);
        CHECK(item->label >= 0 && item->label < data.labels, "label %d", item->label);
    }
    const struct task_audit audit = task_audit(&data);
    CHECK(audit.majority <= 100 && audit.length <= 100 && audit.words <= 100, "more than all");
}

FUZZ_FILE(run, "task.txt");
