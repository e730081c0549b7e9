/* Caches observations. If the observations of a stage are not cached, calls the function that reads
 * them (observations_reader), and compares their score with the recorded value. Chooses those of a
 * class from those of all classes. */
#include "results/table/observations_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "results/sheet/number_format.h"
#include "results/store/kept_file.h"
#include "results/store/stage_folder.h"
#include "results/store/status.h"

/* The cache lives as long as the process, because many cells use the same stage. The key of the
 * observations of a stage has five lines: id, value, class, kind and folder of runs. The key of
 * observations that are computed from others has the name of the computation, and their
 * addresses. */
static struct hash_table *known; /* from the key to the index in `kept` */
static struct observations **kept;
static int keys;
static struct arena memory;

const char *observations_folder(const struct observations_job *job, const char *kind,
                                const char *id)
{
    return arena_print(job->arena, "%s/stages/" STAGE_FOLDER, job->store->runs, kind, id);
}

/* Computes the score, and sets the problem if it differs from the recorded value. */
static void check_score(struct observations_job *job)
{
    struct observations *of = job->observations;
    const struct dimensions dimensions = {.class = of->class};
    const double recorded =
        of->class ? value_cache_metric(job->cache, job->number, job->value, &dimensions)
                  : value_cache_value(job->cache, job->number, job->value);
    for (int set = 0; set < of->sets && of->statistic.of; set++)
        of->score += statistic_of(&of->statistic, of->strata, of->item[set], NULL) / of->sets;
    if (fabs(of->score - recorded) <= 1e-9 * fmax(1, fabs(recorded))) return;
    of->problem = arena_print(job->arena, "%s: its %s%s%s score %s, but %s was recorded", of->name,
                              of->statistic.items, of->class ? " of the class " : "",
                              of->class ? of->class : "", number_fixed(job->arena, of->score, 4),
                              isnan(recorded) ? "nothing" : number_fixed(job->arena, recorded, 4));
}

/* ---- the items of a class ---- */

void observations_choose(struct observations_job *job, const struct observations *from,
                         const struct item *label, const int *index, int count)
{
    struct observations *to = job->observations;
    struct item *own = ARENA_ARRAY(job->arena, struct item, count);
    int *line = ARENA_ARRAY(job->arena, int, count), *end = ARENA_ARRAY(job->arena, int, count);
    const void **item = ARENA_ARRAY(job->arena, const void *, from->sets);
    for (int i = 0; i < count; i++) {
        own[i] = label[index[i]];
        line[i] = from->line ? from->line[index[i]] : index[i];
        to->strata.count += !i || strcmp(own[i].stratum, own[i - 1].stratum) != 0;
        end[to->strata.count - 1] = i + 1;
    }
    const size_t bytes = from->statistic.bytes;
    for (int set = 0; set < from->sets; set++) {
        char *chosen = arena_alloc(job->arena, bytes * (size_t)count);
        const char *all = from->item[set];
        for (int i = 0; i < count; i++)
            memcpy(chosen + bytes * (size_t)i, all + bytes * (size_t)index[i], bytes);
        item[set] = chosen;
    }
    if (!count)
        to->problem = arena_print(job->arena, "%s: none of its %s is of the class %s", to->name,
                                  from->statistic.items, to->class);
    to->files = from->files;
    to->statistic = from->statistic;
    to->sets = from->sets;
    to->items = count;
    to->label = own;
    to->line = line;
    to->strata.end = end;
    to->item = item;
}

/* Selects the items of a class. The items of all classes are read only once. */
static void read_class(struct observations_job *job, observations_reader *read)
{
    struct observations *observations = job->observations;
    const struct observations *all = observations_read(job->store, job->cache, job->kind,
                                                       observations->id, job->value, NULL, read);
    observations->problem = all->problem;
    observations->absent = all->absent;
    if (all->problem) return;
    int *index = ARENA_ARRAY(job->arena, int, all->items), count = 0;
    for (int i = 0; i < all->items; i++)
        if (!strcmp(all->label[i].class, observations->class)) index[count++] = i;
    observations_choose(job, all, all->label, index, count);
}

/* Returns a text of the stage; NULL: the database has none. */
static const char *word_of(const struct observations_job *job, const char *name)
{
    const char *text = value_cache_word(job->cache, job->number, name);
    return text ? arena_text(job->arena, text) : NULL;
}

static void read_stage(struct observations *observations, struct store *store,
                       struct value_cache *cache, const char *kind, const char *id,
                       const char *value, const char *class, observations_reader *read)
{
    if (!cache || value_cache_stage(cache, id).number < 0)
        cache = value_cache_open(store, &id, 1, &memory);
    const struct value_cache_stage stage = value_cache_stage(cache, id);
    struct observations_job job = {observations, &memory,      store,         cache,
                                   stage.number, .kind = kind, .value = value};
    observations->id = arena_text(&memory, id);
    observations->class = class ? arena_text(&memory, class) : NULL;
    job.folder = observations_folder(&job, kind, id);
    observations->name = strrchr(job.folder, '/') + 1;
    observations->signature = word_of(&job, offer_signature(offer_measure(kind, value)));
    if (class && observations->signature)
        observations->signature =
            arena_print(&memory, "%s|class:%s", observations->signature, class);
    if (!status_is_final(stage.status))
        observations->problem = arena_print(&memory, "%s is not done", observations->name);
    else if (word_of(&job, STAGE_UNREACHED))
        observations->problem = arena_print(&memory, "%s was not reached", observations->name);
    else if (class)
        read_class(&job, read);
    else
        read(&job);
    if (!observations->problem && !observations->sets)
        observations->problem = arena_print(
            &memory, "%s: its records are not those that this version writes", job.folder);
    if (!observations->problem) check_score(&job);
}

/* Returns the cached observations of a key; *fresh is then NULL. If the cache has none, adds empty
 * observations, and *fresh is the arena for their contents. */
static struct observations *kept_of(const char *key, struct arena **fresh)
{
    if (!known) known = hash_table_new(&memory, 0);
    const int64_t at = hash_table_get(known, key, strlen(key));
    *fresh = at < 0 ? &memory : NULL;
    if (at >= 0) return kept[at];
    hash_table_put(known, arena_text(&memory, key), strlen(key), keys);
    return ARENA_ADD(&memory, kept, keys, ARENA_NEW(&memory, struct observations));
}

struct observations *observations_derived(const char *name, const struct observations *const *of,
                                          int count, struct arena **fresh)
{
    SCOPED(arena_free) struct arena scratch = {0};
    const char *key = name;
    int first = count - 1;
    for (int i = 0; i < count; i++) key = arena_print(&scratch, "%s %p", key, (const void *)of[i]);
    while (first > 0 && !of[first]->problem) first--;
    struct observations *derived = kept_of(key, fresh);
    if (*fresh) *derived = *of[first];
    return derived;
}

const struct observations *observations_read(struct store *store, struct value_cache *cache,
                                             const char *kind, const char *id, const char *value,
                                             const char *class, observations_reader *read)
{
    struct arena *fresh;
    char *key = heap_print("%s\n%s\n%s\n%s\n%s", id, value, class ? class : "", kind, store->runs);
    struct observations *one = kept_of(key, &fresh);
    free(key);
    if (fresh) read_stage(one, store, cache, kind, id, value, class, read);
    return one;
}

void observations_forget(void)
{
    known = NULL;
    kept = NULL;
    keys = 0;
    arena_free(&memory);
}

const char *observations_digest(const struct observations_job *job, const char *file)
{
    return word_of(job, arena_print(job->arena, "outputs.%s", file));
}

const char *observations_input(const struct observations_job *job, int index)
{
    int count;
    const struct value_cache_line *input =
        value_cache_texts(job->cache, job->number, VALUE_CACHE_INPUT, "", &count);
    return index < count ? arena_text(job->arena, input[index].text) : NULL;
}

const void *observations_table(struct observations_job *job, const char *path, const char *digest,
                               const struct tsv_form *form, int *count)
{
    const char **problem = &job->observations->problem;
    const int expected = *count;
    size_t bytes;
    char *text = kept_read(job->arena, path, digest, &bytes, problem);
    const void *rows = text ? tsv_read(job->arena, path, form, text, bytes, count, problem) : NULL;
    if (rows && expected && *count != expected)
        *problem =
            arena_print(job->arena, "%s has %d lines, %d were recorded", path, *count, expected);
    return *problem ? NULL : rows;
}

int observations_count(const struct observations_job *job, const char *name)
{
    const double count = value_cache_value(job->cache, job->number, name);
    return count >= 1 && count <= INT32_MAX ? (int)count : 0;
}
