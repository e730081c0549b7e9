/* A file of hypotheses of another system, scored as the rows of its column in the table are, or
 * against references of its own. */
#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/decode/score.h"
#include "results/table/paired_tests.h"

/* Some score of this factor: what it was scored against. The baseline's, if it has one. */
static const struct observations *any_score(struct paired_tests *tests, int line, int factor)
{
    const struct layout *layout = tests->layout;
    struct column bleu;
    const char *nearest;
    if (!column_find(COLUMN_MAIN, &bleu, &nearest, tests->arena)) return NULL;
    for (int i = -1; i < layout->lines; i++) {
        int row = layout->line[i < 0 ? paired_tests_baseline(layout, line) : i].row[factor];
        for (int s = 0; row >= 0 && s < tests->sampler->grid->row[row].count; s++) {
            const struct observations *one = replicates_seed(tests->sampler, &bleu, row, s);
            if (one && one->text && !one->problem) return one;
        }
    }
    return NULL;
}

static void score_hypotheses(struct paired_tests *tests, const struct layout_line *line, int factor,
                             struct observations *hyp)
{
    struct arena *arena = tests->arena;
    const char *path = line->hyp[factor].path;
    if (!file_exists(path)) die_at(line->hyp[factor].place, "hyp: there is no file %s", path);
    const struct score_lines lines = score_lines_read(arena, path);
    const struct bleu_options *bleu = &hyp->text->bleu;
    const char *const *const *reference = hyp->text->every_reference;
    int count = hyp->text->references;
    const char *against = "the test set";
    if (line->ref.path) {
        char digest[DIGEST_TEXT], metric[BLEU_SIGNATURE_TEXT];
        against = line->ref.path;
        if (!file_exists(against)) die_at(line->ref.place, "ref: there is no file %s", against);
        const struct score_lines references = score_lines_read(arena, against);
        const char *const **own = ARENA_ARRAY(arena, const char *const *, 1);
        own[0] = references.line;
        reference = own;
        count = 1;
        hyp->items = references.count;
        digest_file(against, digest);
        bleu_signature(bleu, 1, metric);
        hyp->signature =
            arena_print(arena, "%s|refs:%.8s|sentences:%d", metric, digest, hyp->items);
    }
    if (lines.count != hyp->items)
        die_at(line->hyp[factor].place, "hyp: %s has %d lines, %s has %d sentences", path,
               lines.count, against, hyp->items);
    struct bleu_stats *stats = ARENA_ARRAY(arena, struct bleu_stats, hyp->items);
    struct bleu_item *counts = ARENA_ARRAY(arena, struct bleu_item, hyp->items);
    const void **item = ARENA_ARRAY(arena, const void *, 1);
    hyp->score = bleu_corpus(bleu, lines.line, reference, count, hyp->items, stats).score;
    statistic_bleu_items(stats, hyp->items, counts);
    item[0] = counts;
    hyp->item = item;
    hyp->strata.end = &hyp->items;
    hyp->sets = 1;
    hyp->name = path;
    hyp->id = NULL;
}

const struct observations *paired_tests_hypotheses(struct paired_tests *tests, int line, int factor)
{
    const struct layout_line *from = &tests->layout->line[line];
    const struct observations **known = &tests->hyp[line * tests->layout->factors + factor];
    if (*known || !from->hyp[factor].path) return *known;
    struct observations *hyp = ARENA_NEW(tests->arena, struct observations);
    const struct observations *like = any_score(tests, line, factor);
    if (like) {
        *hyp = *like;
        score_hypotheses(tests, from, factor, hyp);
    } else {
        hyp->problem = "no row is scored yet";
    }
    return *known = hyp;
}
