/* Prints each finding about text once, also where several corpora of a sweep have it. */
#include "experiments/plan/plan_text.h"

#include <string.h>

#include "core/base/table.h"
#include "experiments/stage/facts.h"

/* A text about a corpus, and how many corpora of the plan it is about. */
struct remark {
    const char *text;
    const struct stage *first;
    int corpora;
};
struct remarks {
    int count;
    struct remark *remark; /* [count] */
};

/* The remarks on all corpora of a plan; `text` returns NULL where there is nothing to say. */
static struct remarks remarks_of(const struct plan *plan, struct arena *arena,
                                 const char *(*text)(struct stage *corpus, struct arena *arena))
{
    struct remarks remarks = {0};
    struct table *known = table_new(arena, 0);
    for (int i = 0; i < plan->count; i++) {
        struct stage *stage = &plan->task[i]->stage;
        const bool estimated = strcmp(stage->kind->name, "corpus") == 0 && stage->facts;
        const char *one = estimated ? text(stage, arena) : NULL;
        if (!one) continue;
        const int64_t at = *table_at(known, one, strlen(one), remarks.count);
        if (at == remarks.count) {
            ARENA_MORE(arena, remarks.remark, remarks.count);
            remarks.remark[remarks.count++] = (struct remark){one, stage, 0};
        }
        remarks.remark[at].corpora++;
    }
    return remarks;
}

static const char *more_text(const struct remark *remark, struct arena *arena)
{
    return remark->corpora == 1 ? "" : arena_print(arena, " (and %d more)", remark->corpora - 1);
}

static const char *pieces_text(struct stage *corpus, struct arena *arena)
{
    const struct text_findings *findings = corpus_findings(corpus, arena);
    return findings ? text_findings_pieces(findings, arena) : NULL;
}

void plan_warn_pieces(struct arena *arena, const struct plan *plan)
{
    const struct remarks remarks = remarks_of(plan, arena, pieces_text);
    for (int i = 0; i < remarks.count; i++) {
        const struct remark *remark = &remarks.remark[i];
        warn("%s%s: its text is in pieces already, as \"ein@@ es\" (%s of train): scores would "
             "count pieces as words; expected words (sed 's/@@ //g' joins pieces)",
             remark->first->name, more_text(remark, arena), remark->text);
    }
}

static const char *overlap_text(struct stage *corpus, struct arena *arena)
{
    const struct text_findings *findings = corpus_findings(corpus, arena);
    const char *text = NULL;
    if (!findings) return corpus->facts->corpus ? "not recorded by the version that made it" : NULL;
    for (int split = SPLIT_DEV; split < SPLITS; split++)
        if (findings->sentences[split])
            text = arena_print(arena, "%s%s%s %.1f%% of the sources, %.1f%% of the targets",
                               text ? text : "", text ? "; " : "", split_names[split],
                               text_findings_shared(findings, (enum split_name)split, SIDE_SOURCE),
                               text_findings_shared(findings, (enum split_name)split, SIDE_TARGET));
    return text;
}

void plan_print_overlap(struct arena *arena, const struct plan *plan, FILE *out)
{
    const struct remarks remarks = remarks_of(plan, arena, overlap_text);
    for (int i = 0; i < remarks.count; i++) {
        const struct remark *remark = &remarks.remark[i];
        fprintf(out, "overlap with train, lower-cased");
        if (remarks.count > 1)
            fprintf(out, " (%s%s)", remark->first->name, more_text(remark, arena));
        fprintf(out, ": %s\n", remark->text);
    }
}
