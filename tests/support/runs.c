#include "tests/support/runs.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"

void run_write(const struct run *run, const char *name, const char *text)
{
    char *path = heap_print("%s/%s", run->folder, name);
    file_write(path, text, strlen(text));
    free(path);
}

void run_append(const struct run *run, const char *name, const char *text)
{
    char *path = heap_print("%s/%s", run->folder, name);
    FILE *file = fopen(path, "ab");
    CHECK(file, "%s", path);
    fputs(text, file);
    fclose(file);
    free(path);
}

struct run run_new(const char *runs, const char *kind, const char *text, const char *options,
                   const char *input, const char *name)
{
    struct run run;
    digest_bytes(text, strlen(text), run.id);
    snprintf(run.folder, sizeof run.folder, "%s/stages/%s-%.12s", runs, kind, run.id);
    file_make_folder(run.folder);
    json_t *stage =
        json_pack("{s:s, s:s, s:s, s:o, s:[s*], s:[s]}", "id", run.id, "kind", kind, "canonical",
                  text, "options", json_loads(options, 0, NULL), "inputs", input, "names", name);
    CHECK(stage, "stage.json of %s", text);
    char *json = json_dumps(stage, 0);
    run_write(&run, "stage.json", json);
    free(json);
    json_decref(stage);
    return run;
}

void run_done(const struct run *run, const char *status, const char *summary)
{
    char *text = heap_print("{\"status\": \"%s\", \"summary\": %s}", status, summary);
    run_write(run, "done.json", text);
    free(text);
}
