/* Reads the observations of BLEU by length: those of the score, which is the input of the stage,
 * and the length class of each sentence. */
#include <string.h>

#include "results/store/items.h"
#include "results/table/observations_read.h"

void observations_lengths(struct observations_job *job)
{
    struct observations *observations = job->observations;
    const char *score = observations_input(job, 1), *class = observations->class, *kind;
    const struct measure *bleu = offer_read_by(observations_bleu, &kind);
    if (!score || !observations->signature) return;
    const struct observations *all =
        observations_read(job->store, job->cache, kind, score, bleu->name, NULL, observations_bleu);
    observations->problem = all->problem;
    if (all->problem) return;
    int *index = ARENA_ARRAY(job->arena, int, all->items), count = all->items;
    const struct item *label =
        observations_table(job, arena_print(job->arena, "%s/%s", job->folder, OBSERVATIONS_LENGTHS),
                           observations_digest(job, OBSERVATIONS_LENGTHS), &items_form, &count);
    if (!label) return;
    count = 0;
    for (int i = 0; i < all->items; i++)
        if (!class || !strcmp(label[i].class, class)) index[count++] = i;
    observations_choose(job, all, index, count);
}
