#include "results/summary_pair.h"

#include <math.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/decode/score.h"

struct pairing pair_open(struct sampler *sampler)
{
    const struct layout *layout = sampler->grid->layout;
    int cells = layout->lines * layout->factors;
    return (struct pairing){.sampler = sampler,
                            .layout = layout,
                            .arena = sampler->arena,
                            .hyp = ARENA_ARRAY(sampler->arena, const struct evidence *, cells),
                            .pair = ARENA_ARRAY(sampler->arena, struct pair, cells)};
}

static int cell_at(const struct layout *layout, int line, int factor)
{
    return line * layout->factors + factor;
}

const struct pair *pair_at(const struct pairing *pairing, int line, int factor)
{
    return &pairing->pair[cell_at(pairing->layout, line, factor)];
}

int pair_baseline(const struct layout *layout, int line)
{
    return layout->test.against >= 0 ? layout->test.against : layout->line[line].baseline;
}

/* Some score of this factor: what it was scored against. The baseline's, if it has one. */
static const struct evidence *any_score(struct pairing *pairing, int line, int factor)
{
    const struct layout *layout = pairing->layout;
    for (int i = -1; i < layout->lines; i++) {
        int row = layout->line[i < 0 ? pair_baseline(layout, line) : i].row[factor];
        for (int s = 0; row >= 0 && s < pairing->sampler->grid->row[row].count; s++) {
            const char *id = party_score(pairing->sampler, row, s);
            const struct evidence *one = id ? evidence_stats(pairing->sampler->store, id) : NULL;
            if (one && !one->problem) return one;
        }
    }
    return NULL;
}

static void score_hypotheses(struct pairing *pairing, const struct layout_line *line, int factor,
                             struct evidence *hyp)
{
    struct arena *arena = pairing->arena;
    const char *path = line->hyp[factor].path;
    if (!file_exists(path)) die_at(line->hyp[factor].place, "hyp: there is no file %s", path);
    const struct score_lines lines = score_lines_read(arena, path);
    int expected = hyp->sentences;
    const char *against = "the test set";
    if (line->ref.path) {
        char digest[DIGEST_TEXT], metric[BLEU_SIGNATURE_TEXT];
        against = line->ref.path;
        if (!file_exists(against)) die_at(line->ref.place, "ref: there is no file %s", against);
        const struct score_lines references = score_lines_read(arena, against);
        hyp->reference = references.line;
        hyp->sentences = expected = references.count;
        digest_file(against, digest);
        bleu_signature(&hyp->bleu, 1, metric);
        hyp->signature = arena_print(arena, "%s|refs:%.8s|sentences:%d", metric, digest, expected);
    }
    if (lines.count != expected)
        die_at(line->hyp[factor].place, "hyp: %s has %d lines, %s has %d sentences", path,
               lines.count, against, expected);
    struct bleu_stats *stats = ARENA_ARRAY(arena, struct bleu_stats, expected);
    struct bleu_item *counts = ARENA_ARRAY(arena, struct bleu_item, expected);
    const void **item = ARENA_ARRAY(arena, const void *, 1);
    hyp->score = bleu_corpus(&hyp->bleu, lines.line, &hyp->reference, 1, expected, stats).score;
    statistic_bleu_items(stats, expected, counts);
    item[0] = counts;
    hyp->item = item;
    hyp->strata.end = &hyp->sentences;
    hyp->sets = 1;
    hyp->name = path;
    hyp->id = NULL;
}

const struct evidence *pair_hypotheses(struct pairing *pairing, int line, int factor)
{
    const struct layout_line *from = &pairing->layout->line[line];
    const struct evidence **known = &pairing->hyp[cell_at(pairing->layout, line, factor)];
    if (*known || !from->hyp[factor].path) return *known;
    struct evidence *hyp = ARENA_NEW(pairing->arena, struct evidence);
    const struct evidence *like = any_score(pairing, line, factor);
    if (like) {
        *hyp = *like;
        score_hypotheses(pairing, from, factor, hyp);
    } else {
        hyp->problem = "no row is scored yet";
    }
    return *known = hyp;
}

/* Both sides of a cell; returns why they cannot be paired, or NULL. */
static const char *find_sides(struct pairing *pairing, int line, int factor, struct party *ours,
                              struct party *theirs)
{
    struct sampler *sampler = pairing->sampler;
    const struct layout *layout = pairing->layout;
    int base = pair_baseline(layout, line), row = layout->line[line].row[factor],
        base_row = layout->line[base].row[factor];
    const struct summary_row *a = row < 0 ? NULL : &sampler->grid->row[row],
                             *b = base_row < 0 ? NULL : &sampler->grid->row[base_row];
    *ours = party_new(1 + (a ? a->count : 0), pairing->arena);
    *theirs = party_new(1 + (b ? b->count : 0), pairing->arena);
    if (!a && pair_hypotheses(pairing, line, factor))
        party_add(ours, pair_hypotheses(pairing, line, factor));
    if (!b && pair_hypotheses(pairing, base, factor))
        party_add(theirs, pair_hypotheses(pairing, base, factor));
    if (a && b) return party_rows(sampler, row, base_row, ours, theirs);
    for (int i = 0; a && i < a->count; i++) {
        const char *id = party_score(sampler, row, i);
        if (id) party_add(ours, evidence_stats(sampler->store, id));
    }
    for (int k = 0; !a && b && k < b->count; k++) {
        const char *other = party_score(sampler, base_row, k);
        if (other) party_add(theirs, evidence_stats(sampler->store, other));
    }
    return NULL;
}

struct pair pair_compare(struct pairing *pairing, int line, int factor, bool randomize)
{
    const struct layout_test *test = &pairing->layout->test;
    struct significance_options options = test->options;
    struct party ours = {0}, theirs = {0};
    struct pair pair = {.p = (double)NAN};
    if (line == pair_baseline(pairing->layout, line)) return pair;
    pair.problem = find_sides(pairing, line, factor, &ours, &theirs);
    if (pair.problem || !ours.count || !theirs.count) return pair;
    pair.problem = party_check(&theirs, theirs.evidence[0]);
    if (!pair.problem) pair.problem = party_check(&ours, theirs.evidence[0]);
    if (pair.problem) return pair;
    if (!randomize) options.trials = 0;
    struct significance_system a = party_system(&theirs, pairing->arena),
                               b = party_system(&ours, pairing->arena);
    const struct evidence *first = theirs.evidence[0];
    pair.result = significance_compare(&first->statistic, first->strata, &options, &a, &b);
    pair.seeds = ours.count < theirs.count ? ours.count : theirs.count;
    pair.compared = true;
    pair.p = test->p == COLUMN_CENTERED  ? pair.result.centered
             : test->p == COLUMN_SWAPPED ? pair.result.swapped
                                         : pair.result.koehn;
    return pair;
}

void pair_all(struct pairing *pairing, bool randomize)
{
    const struct layout *layout = pairing->layout;
    int cells = layout->lines * layout->factors;
    double *p = ARENA_ARRAY(pairing->arena, double, cells);
    for (int i = 0; i < cells; i++) {
        pairing->pair[i] =
            pair_compare(pairing, i / layout->factors, i % layout->factors, randomize);
        pairing->comparisons += pairing->pair[i].compared;
        p[i] = pairing->pair[i].p;
        /* None of n samples is less than 1 of n, and that is what Holm multiplies. */
        if (layout->test.holm && p[i] == 0) p[i] = 1. / layout->test.options.samples;
    }
    if (layout->test.holm) significance_holm(p, cells, p);
    for (int i = 0; i < cells; i++) pairing->pair[i].p = p[i];
}
