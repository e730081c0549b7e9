/* The files of a stage folder: journals and records, collected into the store, listed and shown. */
#include <string.h>

#include "core/base/file.h"
#include "results/query/query.h"
#include "results/store/collector.h"
#include "tests/fuzz/support/fuzz.h"

static const char *const file[] = {"metrics.jsonl", "events.jsonl", "done.json",
                                   "environment.json"};
static const char id[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const char stage[] = "stages/train-0123456789ab";
static struct store *store;
static FILE *nowhere;

static void look(void *context)
{
    struct found_stage *found;
    collect_runs(store);
    const int count = query_stages(store, NULL, &found, &arena);
    query_show(store, id, NULL, nowhere);
    query_print(store, found, count, QUERY_LIST, EXPORT_JSON, nowhere);
    arena_free(&arena);
}

void fuzz_prepare(void)
{
    char text[300];
    char *folder = heap_print("%s/%s", fuzz_folder(), stage);
    file_make_folder(folder);
    snprintf(text, sizeof text,
             "{\"id\": \"%s\", \"kind\": \"train\", \"canonical\": \"c\", \"options\": {}, "
             "\"inputs\": [], \"names\": [\"g/a/1\"]}",
             id);
    char *path = heap_print("%s/stage.json", stage);
    fuzz_put(path, text, strlen(text));
    nowhere = fopen("/dev/null", "w");
    store = store_open(fuzz_folder());
    look(NULL);
}

/* Input: the files, separated by NUL; an empty part means that the file is absent. The database
 * stays open, so a die() leaks its memory; no input should reach die(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_bytes input = {(char *)(uintptr_t)data, size};
    for (size_t i = 0; i < COUNT_OF(file); i++) {
        const struct fuzz_bytes part = fuzz_next(&input);
        const char *path =
            fuzz_put(arena_print(&arena, "%s/%s", stage, file[i]), part.text, part.size);
        if (!part.size) remove(path);
    }
    look(NULL);
    return 0;
}
