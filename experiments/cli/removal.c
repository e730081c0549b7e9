/* Removes stages after a confirmation. Removes only items that were listed before. */
#include "experiments/cli/removal.h"

#include <unistd.h>

#include "results/sheet/number_format.h"
#include "results/sheet/sheet.h"
#include "results/store/collector.h"

static void print(struct verb_call *call, const struct gc_list *list)
{
    struct arena *arena = &call->arena;
    static const char *const kinds[GC_KINDS] = {"stage", "optimizer", "leftover"};
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
    if (list->count && !verb_switch(call, "--quiet")) sheet_text(sheet, stdout);
    printf("%d items, %s bytes\n", list->count, number_scaled(arena, (double)list->bytes));
}

static bool is_wanted(struct verb_call *call, int count)
{
    char answer[16] = "";
    if (verb_switch(call, "--yes")) return true;
    if (!isatty(STDIN_FILENO)) {
        printf("nothing was removed; --yes removes them\n");
        return false;
    }
    printf("remove these %d? [y/N] ", count);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* The list is made a second time after the confirmation, because RUNS may have changed. */
static struct gc_list find(struct verb_call *call, struct store *store,
                           const struct gc_named *named, bool again)
{
    const char **stays;
    int count;
    if (!named) return gc_find(store, verb_number(call, "--keep-optimizers"), &call->arena);
    const struct gc_list list = gc_find_named(store, named, &stays, &count, &call->arena);
    for (int i = 0; i < count && !again; i++) puts(stays[i]);
    return list;
}

int removal(struct verb_call *call, struct store *store, const struct gc_named *named)
{
    const struct gc_list list = find(call, store, named, false);
    print(call, &list);
    if (list.count && !verb_switch(call, "--dry-run") && is_wanted(call, list.count)) {
        collect_runs(store);
        const struct gc_list now = find(call, store, named, true);
        printf("%s bytes are free again\n",
               number_scaled(&call->arena, (double)gc_remove(store->runs, &list, &now)));
        collect_runs(store);
    }
    return list.count;
}
