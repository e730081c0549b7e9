/* Hypotheses of another system (`hyp:` of a row) go line by line with the sentences that the grid's
 * rows translate. The files are here before anything runs, so plan compares the counts. */
#include <string.h>

#include "experiments/plan/plan.h"
#include "experiments/stage/facts.h"
#include "results/store/offer.h"
#include "results/table/hypotheses_file.h"
#include "results/table/layout.h"
#include "results/table/observations.h"

/* Sentences of the split that a stage translates; 0: not known yet. */
static int64_t sentences_of(const struct stage *score, struct arena *arena)
{
    const struct evaluation *evaluation = score->kind->evaluation;
    const int split =
        *(const int *)section_field(evaluation->section, "split", SECTION_SPLITS,
                                    settings_evaluated(score->settings, evaluation)->fields);
    for (int i = 0; i < score->inputs; i++) {
        if (strcmp(score->input[i]->kind->name, "corpus") != 0) continue;
        const struct corpus_facts *facts = corpus_facts((struct stage *)score->input[i], arena);
        return facts->corpus || facts->counted ? facts->sentences[split] : 0;
    }
    return 0;
}

/* Sentences of the references of the rows at a heading of the table; 0: not known. */
static int64_t sentences_at(const struct plan *plan, int factor, struct arena *arena)
{
    const struct layout *layout = plan->grid->summary.layout;
    const char *kind;
    if (!offer_read_by(observations_bleu, &kind)) return 0;
    for (int i = 0; i < layout->lines; i++) {
        const int row = layout->line[i].row[factor];
        if (row < 0) continue;
        const struct plan_point *point = &plan->point[row * plan->grid->seeds];
        for (int k = 0; k < point->count; k++)
            if (!strcmp(point->task[k]->stage.kind->name, kind))
                return sentences_of(&point->task[k]->stage, arena);
    }
    return 0;
}

void plan_warn_hypotheses(struct arena *arena, const struct plan *plan)
{
    const struct layout *layout = plan->grid->summary.layout;
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const struct layout_file *file = &layout->line[i].hyp[f], *ref = &layout->line[i].ref;
            int lines, references = 0;
            if (!file->path || hypotheses_file_problem(file->path, &lines, arena)) continue;
            if (ref->path && hypotheses_file_problem(ref->path, &references, arena)) continue;
            const int64_t wanted = ref->path ? references : sentences_at(plan, f, arena);
            if (wanted && wanted != lines)
                warn_at(file->place, "hyp: %s has %d lines, %s has %lld sentences", file->path,
                        lines, ref->path ? ref->path : "the text of the other rows",
                        (long long)wanted);
        }
}
