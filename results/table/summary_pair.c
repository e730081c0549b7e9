#include "results/table/summary_pair.h"

#include <math.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/decode/score.h"
#include "results/store/offer.h"

/* The family: of every class that the table shows where it says so. */
static void list_tested(struct pairing *pairing)
{
    const struct layout *layout = pairing->layout;
    const struct layout_test *test = &layout->test;
    pairing->column =
        ARENA_ARRAY(pairing->arena, struct column, test->families * (layout->columns + 1));
    for (int i = 0; i < test->families; i++) {
        struct column column = test->family[i];
        for (int c = 0; column.of.every && c < layout->columns; c++) {
            struct column any = layout->column[c];
            const char *class = any.of.class;
            any.of = column.of;
            if (!class || !column_is_same(&any, &column)) continue;
            any = column;
            any.of.every = false;
            any.of.class = class;
            if (pair_tested(pairing, &any) < 0) pairing->column[pairing->tested++] = any;
        }
        if (!column.of.every && pair_tested(pairing, &column) < 0)
            pairing->column[pairing->tested++] = column;
    }
}

struct pairing pair_open(struct sampler *sampler)
{
    const struct layout *layout = sampler->grid->layout;
    int cells = layout->lines * layout->factors;
    struct pairing pairing = {.sampler = sampler,
                              .layout = layout,
                              .arena = sampler->arena,
                              .hyp = ARENA_ARRAY(sampler->arena, const struct evidence *, cells)};
    list_tested(&pairing);
    pairing.pair = ARENA_ARRAY(sampler->arena, struct pair, cells * pairing.tested);
    return pairing;
}

int pair_tested(const struct pairing *pairing, const struct column *column)
{
    for (int i = 0; i < pairing->tested; i++)
        if (column_is_same(&pairing->column[i], column)) return i;
    return -1;
}

static int cell_at(const struct layout *layout, int line, int factor)
{
    return line * layout->factors + factor;
}

const struct pair *pair_at(const struct pairing *pairing, int tested, int line, int factor)
{
    const struct layout *layout = pairing->layout;
    return &pairing->pair[tested * layout->lines * layout->factors + cell_at(layout, line, factor)];
}

int pair_baseline(const struct layout *layout, int line)
{
    return layout->test.against >= 0 ? layout->test.against : layout->line[line].baseline;
}

/* Some score of this factor: what it was scored against. The baseline's, if it has one. */
static const struct evidence *any_score(struct pairing *pairing, int line, int factor)
{
    const struct layout *layout = pairing->layout;
    struct column bleu;
    const char *nearest;
    if (!column_find(COLUMN_MAIN, &bleu, &nearest, pairing->arena)) return NULL;
    for (int i = -1; i < layout->lines; i++) {
        int row = layout->line[i < 0 ? pair_baseline(layout, line) : i].row[factor];
        for (int s = 0; row >= 0 && s < pairing->sampler->grid->row[row].count; s++) {
            const struct evidence *one = party_evidence(pairing->sampler, &bleu, row, s);
            if (one && one->text && !one->problem) return one;
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
    const struct bleu_options *bleu = &hyp->text->bleu;
    const char *const *reference = hyp->text->reference;
    const char *against = "the test set";
    if (line->ref.path) {
        char digest[DIGEST_TEXT], metric[BLEU_SIGNATURE_TEXT];
        against = line->ref.path;
        if (!file_exists(against)) die_at(line->ref.place, "ref: there is no file %s", against);
        const struct score_lines references = score_lines_read(arena, against);
        reference = references.line;
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
    hyp->score = bleu_corpus(bleu, lines.line, &reference, 1, hyp->items, stats).score;
    statistic_bleu_items(stats, hyp->items, counts);
    item[0] = counts;
    hyp->item = item;
    hyp->strata.end = &hyp->items;
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

/* What a side of a cell has: its row's seeds, or its file of hypotheses. */
static struct party side_of(struct pairing *pairing, const struct column *column, int line,
                            int factor)
{
    struct sampler *sampler = pairing->sampler;
    const int row = pairing->layout->line[line].row[factor];
    const int seeds = row < 0 ? 0 : sampler->grid->row[row].count;
    struct party party = party_new(seeds + 1, pairing->arena);
    for (int i = 0; i < seeds; i++) {
        const struct evidence *one = party_evidence(sampler, column, row, i);
        if (one) party_add(&party, one);
    }
    if (row >= 0 || column_evidence(column) != evidence_bleu) return party;
    const struct evidence *hyp = pair_hypotheses(pairing, line, factor);
    if (hyp) party_add(&party, hyp);
    return party;
}

/* Both sides of a cell; returns why they cannot be paired, or NULL. */
static const char *find_sides(struct pairing *pairing, const struct column *column, int line,
                              int factor, struct party *ours, struct party *theirs)
{
    const struct layout *layout = pairing->layout;
    const int base = pair_baseline(layout, line), row = layout->line[line].row[factor],
              base_row = layout->line[base].row[factor];
    *ours = side_of(pairing, column, line, factor);
    *theirs = side_of(pairing, column, base, factor);
    if (row < 0 || base_row < 0) return NULL;
    ours->count = theirs->count = 0; /* only seeds that both have */
    return party_rows(pairing->sampler, column, row, base_row, ours, theirs);
}

struct pair pair_compare(struct pairing *pairing, const struct column *column, int line, int factor,
                         bool randomize)
{
    const struct layout_test *test = &pairing->layout->test;
    struct significance_options options = test->options;
    struct party ours = {0}, theirs = {0};
    struct pair pair = {.p = (double)NAN};
    if (line == pair_baseline(pairing->layout, line)) return pair;
    pair.problem = find_sides(pairing, column, line, factor, &ours, &theirs);
    if (pair.problem || !ours.count || !theirs.count) return pair;
    const struct evidence *first = theirs.evidence[0];
    pair.problem = party_check(&theirs, first, pairing->arena);
    if (!pair.problem) pair.problem = party_check(&ours, first, pairing->arena);
    if (pair.problem) return pair;
    if (!randomize) options.trials = 0;
    struct significance_system a = party_system(&theirs, pairing->arena),
                               b = party_system(&ours, pairing->arena);
    pair.result = significance_compare(&first->statistic, first->strata, &options, &a, &b);
    pair.items = first->statistic.items;
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
    const int cells = layout->lines * layout->factors, all = cells * pairing->tested;
    double *p = ARENA_ARRAY(pairing->arena, double, all);
    for (int i = 0; i < all; i++) {
        const int cell = i % cells;
        pairing->pair[i] = pair_compare(pairing, &pairing->column[i / cells],
                                        cell / layout->factors, cell % layout->factors, randomize);
        pairing->comparisons += pairing->pair[i].compared;
        p[i] = pairing->pair[i].p;
        /* None of n samples is less than 1 of n, and that is what Holm multiplies. */
        if (layout->test.holm && p[i] == 0) p[i] = 1. / layout->test.options.samples;
    }
    if (layout->test.holm) significance_holm(p, all, p);
    for (int i = 0; i < all; i++) pairing->pair[i].p = p[i];
}
