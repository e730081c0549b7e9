/* sanlab ls: the stages that there are. */
#include <string.h>

#include "experiments/cli/stage_argument.h"
#include "experiments/cli/verbs.h"
#include "results/query/query.h"

/* "a,b" as a list that NULL ends; NULL for NULL. */
static const char *const *split(struct arena *arena, const char *words)
{
    int count = 0, room = 2;
    for (const char *at = words; at && *at; at++) room += *at == ',';
    const char **word = ARENA_ARRAY(arena, const char *, room);
    for (const char *at = words; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ",");
        if (length) word[count++] = arena_text_range(arena, at, length);
        at += length;
    }
    return count ? word : NULL;
}

static int run(struct verb_call *call)
{
    static const char *const formats[] = {"text", "csv", "json", NULL};
    const char *columns = verb_value(call, "--columns");
    const char *filter = call->words ? call->word[0] : NULL;
    for (int i = 1; i < call->words; i++)
        filter = arena_print(&call->arena, "%s %s", filter, call->word[i]);
    int format = verb_choice(call, "--format", formats);
    if (format && columns) die("ls: --columns is for text; `sanlab export csv` has every key");
    struct store *store = stage_argument_store(call);
    if (format)
        query_print(store, filter, format == 1 ? QUERY_CSV : QUERY_JSON, stdout);
    else
        sheet_text(query_list(store, filter, split(&call->arena, columns), &call->arena), stdout);
    store_close(store);
    return 0;
}

static const struct verb_option options[] = {
    {.name = "--columns", .value = "KEYS", .help = "more columns: dropout,dev_bleu,products"},
    {.name = "--format", .value = "WORD", .fallback = "text", .help = "text, csv or json"},
};

const struct verb verb_ls = {
    .name = "ls",
    .usage = "['FILTER']",
    .help = "the stages that there are, newest first; FILTER: 'kind=train and dev_loss<2'",
    .run = run,
    .option = options,
    .options = COUNT_OF(options),
    .words_most = VERB_WORDS,
};
