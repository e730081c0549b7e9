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

const char *pair_score(struct sampler *sampler, int row, int seed)
{
    const struct summary_seed *from = &sampler->grid->row[row].seed[seed];
    const struct sample_stage *stage = sample_stages(sampler, row)[seed];
    for (int i = 0; i < from->count; i++)
        if (!strcmp(from->stage[i].kind, "score") && !strcmp(stage[i].status, "done"))
            return from->stage[i].id;
    return NULL;
}

/* Some score of this factor: what it was scored against. The baseline's, if it has one. */
static const struct evidence *any_score(struct pairing *pairing, int line, int factor)
{
    const struct layout *layout = pairing->layout;
    for (int i = -1; i < layout->lines; i++) {
        int row = layout->line[i < 0 ? pair_baseline(layout, line) : i].row[factor];
        for (int s = 0; row >= 0 && s < pairing->sampler->grid->row[row].count; s++) {
            const char *id = pair_score(pairing->sampler, row, s);
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
    const struct bleu_stats **sets = ARENA_ARRAY(arena, const struct bleu_stats *, 1);
    hyp->score = bleu_corpus(&hyp->bleu, lines.line, &hyp->reference, 1, expected, stats).score;
    sets[0] = stats;
    hyp->stats = sets;
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

/* One side of a comparison: evidence of some seeds. */
struct side {
    int count;
    const struct evidence **evidence; /* [count] */
};

static void side_add(struct side *side, const struct evidence *evidence)
{
    side->evidence[side->count++] = evidence;
}

/* In which of the numerics two seeds differ, or NULL. */
static const char *other_numerics(struct sampler *sampler, int row, int seed, int other_row,
                                  int other_seed)
{
    static const char *const keys[] = {"device", "table", "blas", "blas_core"};
    static const char *const kinds[] = {"train", "score"};
    const struct summary_seed *a = &sampler->grid->row[row].seed[seed],
                              *b = &sampler->grid->row[other_row].seed[other_seed];
    const struct sample_stage *at = sample_stages(sampler, row)[seed],
                              *bt = sample_stages(sampler, other_row)[other_seed];
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            for (size_t n = 0; n < COUNT_OF(kinds) * COUNT_OF(keys); n++) {
                const char *kind = kinds[n / COUNT_OF(keys)], *key = keys[n % COUNT_OF(keys)];
                if (strcmp(a->stage[i].kind, kind) || strcmp(b->stage[k].kind, kind)) continue;
                const char *ours = sample_environment(sampler, at[i].number, key),
                           *theirs = sample_environment(sampler, bt[k].number, key);
                if (!ours || !theirs || strcmp(ours, theirs) == 0) continue;
                return arena_print(sampler->arena, "other %s: %s, not %s",
                                   strcmp(key, "table") ? key : "instructions", ours, theirs);
            }
    return NULL;
}

/* Both sides of a cell; returns why they cannot be paired, or NULL. */
static const char *find_sides(struct pairing *pairing, int line, int factor, struct side *ours,
                              struct side *theirs)
{
    struct sampler *sampler = pairing->sampler;
    const struct layout *layout = pairing->layout;
    int base = pair_baseline(layout, line), row = layout->line[line].row[factor],
        base_row = layout->line[base].row[factor];
    const struct summary_row *a = row < 0 ? NULL : &sampler->grid->row[row],
                             *b = base_row < 0 ? NULL : &sampler->grid->row[base_row];
    int room = 1 + (a ? a->count : 0) + (b ? b->count : 0);
    ours->evidence = ARENA_ARRAY(pairing->arena, const struct evidence *, room);
    theirs->evidence = ARENA_ARRAY(pairing->arena, const struct evidence *, room);
    if (!a && pair_hypotheses(pairing, line, factor))
        side_add(ours, pair_hypotheses(pairing, line, factor));
    if (!b && pair_hypotheses(pairing, base, factor))
        side_add(theirs, pair_hypotheses(pairing, base, factor));
    for (int i = 0; a && i < a->count; i++) {
        const char *id = pair_score(sampler, row, i);
        if (id && !b) side_add(ours, evidence_stats(sampler->store, id));
        for (int k = 0; id && b && k < b->count; k++) {
            const char *other = pair_score(sampler, base_row, k);
            if (!other || a->seed[i].seed != b->seed[k].seed) continue;
            const char *problem = other_numerics(sampler, row, i, base_row, k);
            if (problem) return problem;
            side_add(ours, evidence_stats(sampler->store, id));
            side_add(theirs, evidence_stats(sampler->store, other));
        }
    }
    for (int k = 0; !a && b && k < b->count; k++) {
        const char *other = pair_score(sampler, base_row, k);
        if (other) side_add(theirs, evidence_stats(sampler->store, other));
    }
    return NULL;
}

/* Why the evidence of a side cannot be used with that of `first`, or NULL. */
static const char *check_side(const struct side *side, const struct evidence *first)
{
    for (int i = 0; i < side->count; i++) {
        const struct evidence *one = side->evidence[i];
        if (one->problem) return one->problem;
        if (strcmp(one->signature, first->signature) || one->sentences != first->sentences)
            return "another signature";
        if (one->sets != side->evidence[0]->sets) return "seeds with unequal sets of hypotheses";
    }
    return NULL;
}

static struct significance_system system_of(const struct side *side, struct arena *arena)
{
    int sets = side->evidence[0]->sets;
    const struct bleu_stats **stats =
        ARENA_ARRAY(arena, const struct bleu_stats *, side->count *sets);
    for (int i = 0; i < side->count; i++)
        for (int k = 0; k < sets; k++) stats[i * sets + k] = side->evidence[i]->stats[k];
    return (struct significance_system){side->count, sets, stats};
}

struct pair pair_compare(struct pairing *pairing, int line, int factor, bool randomize)
{
    const struct layout_test *test = &pairing->layout->test;
    struct significance_options options = test->options;
    struct side ours = {0}, theirs = {0};
    struct pair pair = {.p = (double)NAN};
    if (line == pair_baseline(pairing->layout, line)) return pair;
    pair.problem = find_sides(pairing, line, factor, &ours, &theirs);
    if (pair.problem || !ours.count || !theirs.count) return pair;
    pair.problem = check_side(&theirs, theirs.evidence[0]);
    if (!pair.problem) pair.problem = check_side(&ours, theirs.evidence[0]);
    if (pair.problem) return pair;
    if (!randomize) options.trials = 0;
    struct significance_system a = system_of(&theirs, pairing->arena),
                               b = system_of(&ours, pairing->arena);
    const struct evidence *first = theirs.evidence[0];
    pair.result = significance_compare(&first->bleu, &options, &a, &b, first->sentences);
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
    }
    if (layout->test.holm) significance_holm(p, cells, p);
    for (int i = 0; i < cells; i++) pairing->pair[i].p = p[i];
}
