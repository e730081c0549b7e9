/* sanlab gc: disk space back. */
#include "experiments/keep/gc.h"

#include <string.h>
#include <unistd.h>

#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/sheet/number.h"
#include "results/store/collect.h"

static void print_list(struct arena *arena, const struct gc_list *list)
{
    static const char *const kinds[GC_KINDS] = {"stage", "optimizer", "leftover", "lock"};
    static const char *const header[] = {"what", "path", "bytes", "why"};
    struct sheet *sheet = sheet_headed(arena, list->count, COUNT_OF(header), header, 4);
    sheet->column[2].align = SHEET_RIGHT;
    for (int i = 0; i < list->count; i++) {
        const struct gc_item *item = &list->item[i];
        sheet_set(sheet, i, 0, kinds[item->kind]);
        sheet_set(sheet, i, 1, item->path);
        sheet_set(sheet, i, 2, number_scaled(arena, (double)item->bytes));
        sheet_set(sheet, i, 3, item->reason);
    }
    sheet_text(sheet, stdout);
}

static bool is_wanted(struct verb_call *call, const struct gc_list *list)
{
    char answer[16] = "";
    if (verb_switch(call, "--yes")) return true;
    if (!isatty(STDIN_FILENO)) {
        printf("nothing was removed: --yes does it\n");
        return false;
    }
    printf("remove these %d? [y/N] ", list->count);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static int run(struct verb_call *call)
{
    struct store *store = stage_argument_store(call);
    struct gc_list list = gc_find(store, &call->arena);
    if (list.count && !verb_switch(call, "--quiet")) print_list(&call->arena, &list);
    printf("%d things, %s bytes\n", list.count, number_scaled(&call->arena, (double)list.bytes));
    if (list.count && !verb_switch(call, "--dry-run") && is_wanted(call, &list)) {
        int64_t bytes = gc_remove(store->runs, &list);
        printf("%s bytes are free again\n", number_scaled(&call->arena, (double)bytes));
        collect_runs(store);
    }
    store_close(store);
    return 0;
}

const struct verb verb_gc = {
    .name = "gc",
    .usage = "",
    .help = "remove what no grid, report or tag wants, and what killed processes left",
    .run = run,
    .option = {VERB_SWITCH("--dry-run", "only say what may go"),
               VERB_SWITCH("--yes", "do not ask")},
};
