/* Reads the observations of BLEU by length: those of the score, which is the input of the stage,
 * and the length class of each sentence. */
#include <string.h>

#include "results/store/items.h"
#include "results/store/kept_file.h"
#include "results/store/value_cache.h"
#include "results/table/observations_read.h"

/* Returns the classes of the sentences. If they cannot be read, sets the problem and returns
 * NULL. */
static const struct item *read_classes(struct observations_job *job, int expected)
{
    struct observations *observations = job->observations;
    const char *digest = observations_word(job, job->outputs, OBSERVATIONS_LENGTHS),
               *path = arena_print(job->arena, "%s/%s", job->folder, OBSERVATIONS_LENGTHS);
    size_t bytes;
    int count;
    char *text = kept_read(job->arena, path, digest, &bytes, &observations->problem);
    const struct item *item =
        text ? tsv_read(job->arena, path, &items_form, text, bytes, &count, &observations->problem)
             : NULL;
    if (item && count != expected)
        observations->problem = arena_print(job->arena, "%s has %d lines, %d sentences were scored",
                                            path, count, expected);
    return observations->problem ? NULL : item;
}

/* Copies the sentences of the class. */
static void choose(struct observations_job *job, const struct observations *all,
                   const struct item *label)
{
    struct observations *to = job->observations;
    const size_t bytes = all->statistic.bytes;
    const void **item = ARENA_ARRAY(job->arena, const void *, all->sets);
    for (int set = 0; set < all->sets; set++) {
        char *chosen = arena_alloc(job->arena, bytes * (size_t)all->items);
        to->items = 0;
        for (int i = 0; i < all->items; i++)
            if (!to->class || !strcmp(label[i].class, to->class))
                memcpy(chosen + bytes * (size_t)to->items++,
                       (const char *)all->item[set] + bytes * (size_t)i, bytes);
        item[set] = chosen;
    }
    to->item = item;
    to->sets = all->sets;
    to->files = all->files;
    to->statistic = all->statistic;
    to->strata = (struct strata){1, &to->items};
}

/* Returns the value that the stage recorded for the class. */
static double recorded_value(const struct observations_job *job)
{
    const struct dimensions of = {.class = job->observations->class};
    if (!of.class) return json_number_value(json_object_get(job->summary, job->value));
    struct value_cache *cache = value_cache_open(job->store, &job->observations->id, 1, job->arena);
    return value_cache_metric(cache, value_cache_stage(cache, job->observations->id).number,
                              job->value, &of);
}

void observations_lengths(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const char *score = json_string_value(json_array_get(json_object_get(job->stage, "inputs"), 1)),
               *signature = observations_word(job, job->summary, "signature"),
               *class = observations->class;
    const char *kind;
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    observations->problem = arena_print(
        job->arena, "%s: its records are not those that this version writes", job->folder);
    if (!score || !signature) return;
    const struct observations *all = observations_read(
        job->store, kind, arena_text(job->arena, score), bleu->name, NULL, observations_bleu);
    observations->problem = all->problem;
    const struct item *label = all->problem ? NULL : read_classes(job, all->items);
    if (!label) return;
    observations->signature =
        class ? arena_print(job->arena, "%s|class:%s", signature, class) : signature;
    choose(job, all, label);
    if (!observations->items)
        observations->problem =
            arena_print(job->arena, "%s: no sentence has the length %s", observations->name, class);
    if (observations->problem) return;
    for (int set = 0; set < observations->sets; set++)
        observations->score += statistic_of(&observations->statistic, observations->strata,
                                            observations->item[set], NULL) /
                               observations->sets;
    observations_check(job, "hypotheses", recorded_value(job));
}
