/* Reads the observations of BLEU by length: those of the score, which is the input of the stage,
 * and the length class of each sentence. */
#include <string.h>

#include "results/store/items.h"
#include "results/store/kept_file.h"
#include "results/table/observations_read.h"

/* Returns the classes of the sentences. If they cannot be read, sets the problem and returns
 * NULL. */
static const struct item *read_classes(struct observations_job *job, int expected)
{
    struct observations *observations = job->observations;
    const char *digest = observations_digest(job, OBSERVATIONS_LENGTHS),
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

void observations_lengths(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const char *score = observations_input(job, 1), *class = observations->class, *kind;
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    if (!score || !observations->signature) return;
    const struct observations *all =
        observations_read(job->store, job->cache, kind, score, bleu->name, NULL, observations_bleu);
    observations->problem = all->problem;
    const struct item *label = all->problem ? NULL : read_classes(job, all->items);
    if (!label) return;
    int *index = ARENA_ARRAY(job->arena, int, all->items), count = 0;
    for (int i = 0; i < all->items; i++)
        if (!class || !strcmp(label[i].class, class)) index[count++] = i;
    observations_choose(job, all, index, count);
}
