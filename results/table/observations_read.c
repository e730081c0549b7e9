/* Caches observations. If the observations of a stage are not cached, reads the JSON records of the
 * stage and calls the function that computes the observations (observations_reader). */
#include "results/table/observations_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json_file.h"
#include "results/sheet/number_format.h"
#include "results/store/stage_folder.h"

/* The cache lives as long as the process, because many cells use the same stage. */
struct known_observations {
    struct known_observations *next;
    const char *key; /* for observations of a stage, five lines: id, value, class, kind and folder
                        of runs. For observations that are computed from others: "join" or "less",
                        and their addresses */
    struct observations observations;
};
static struct known_observations *known;
static struct arena memory;

const char *observations_folder(const struct observations_job *job, const char *kind,
                                const char *id)
{
    return arena_print(job->arena, "%s/stages/" STAGE_FOLDER, job->store->runs, kind, id);
}

static void read_stage(struct observations *observations, struct store *store, const char *kind,
                       const char *id, const char *value, const char *class,
                       observations_reader *read)
{
    struct observations_job job = {observations, &memory, store, .kind = kind, .value = value};
    observations->id = arena_text(&memory, id);
    observations->class = class ? arena_text(&memory, class) : NULL;
    job.folder = observations_folder(&job, kind, id);
    observations->name = strrchr(job.folder, '/') + 1;
    const char *bad, *worse;
    json_t *stage =
               json_file_try(&memory, arena_print(&memory, "%s/" STAGE_RECORD, job.folder), &bad),
           *done = stage_folder_done(&memory, job.folder, &worse),
           *summary = stage_folder_summary(job.folder, kind, done);
    job.stage = stage;
    job.summary = summary;
    job.outputs = json_object_get(done, "outputs");
    if (bad || worse)
        observations->problem = bad ? bad : worse;
    else if (!done)
        observations->problem = arena_print(&memory, "%s is not done", observations->name);
    else if (json_object_get(stage_folder_texts(done), STAGE_UNREACHED))
        observations->problem = arena_print(&memory, "%s was not reached", observations->name);
    else
        read(&job);
    json_decref(stage);
    json_decref(summary);
    json_decref(done);
}

struct observations *observations_kept(const char *key, struct arena **fresh)
{
    struct known_observations *one = known;
    while (one && strcmp(one->key, key) != 0) one = one->next;
    *fresh = one ? NULL : &memory;
    if (one) return &one->observations;
    one = ARENA_NEW(&memory, struct known_observations);
    one->next = known;
    one->key = arena_text(&memory, key);
    known = one;
    return &one->observations;
}

const struct observations *observations_read(struct store *store, const char *kind, const char *id,
                                             const char *value, const char *class,
                                             observations_reader *read)
{
    struct arena *fresh;
    char *key = heap_print("%s\n%s\n%s\n%s\n%s", id, value, class ? class : "", kind, store->runs);
    struct observations *one = observations_kept(key, &fresh);
    free(key);
    if (fresh) read_stage(one, store, kind, id, value, class, read);
    return one;
}

void observations_forget(void)
{
    known = NULL;
    arena_free(&memory);
}

const char *observations_word(struct observations_job *job, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_text(job->arena, text) : NULL;
}

void observations_check(struct observations_job *job, const char *what, double recorded)
{
    struct observations *observations = job->observations;
    if (fabs(observations->score - recorded) <= 1e-9 * fmax(1, fabs(recorded))) return;
    observations->problem =
        arena_print(job->arena, "%s: its %s score %s, but %s was recorded", observations->name,
                    what, number_fixed(job->arena, observations->score, 4),
                    isnan(recorded) ? "nothing" : number_fixed(job->arena, recorded, 4));
}
