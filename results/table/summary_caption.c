/* The captions: everything that a reader must know to use the numbers. */
#include <math.h>
#include <string.h>

#include "results/store/offer.h"
#include "results/table/summary_make.h"

const char *maker_list(struct maker *maker, struct maker_names *names, const char *name)
{
    enum { MOST = 12 };
    if (!name && names->count > MOST)
        return arena_print(maker->arena, "%s and %d more", names->text, names->count - MOST);
    if (!name) return names->text;
    /* Names of a sweep's rows have commas of their own: "Base, beam=1; Base, beam=4". */
    names->commas |= strchr(name, ',') != NULL;
    const char *mark = names->commas ? ";" : ",";
    if (names->count < MOST)
        names->text =
            names->count ? arena_print(maker->arena, "%s%s %s", names->text, mark, name) : name;
    names->count++;
    return names->text;
}

static void caption_seeds(struct maker *maker)
{
    const struct summary_grid *grid = maker->grid;
    const struct summary_row *longest = NULL;
    struct maker_names seeds = {0};
    for (int row = 0; row < grid->rows; row++)
        if (grid->row[row].count > (longest ? longest->count : 0)) longest = &grid->row[row];
    if (!longest) return;
    for (int i = 0; i < longest->count; i++)
        maker_list(maker, &seeds,
                   arena_print(maker->arena, "%lld", (long long)longest->seed[i].seed));
    if (longest->count == 1)
        sheet_caption(maker->arena, maker->sheet, "One seed (%s).", seeds.text);
    else
        sheet_caption(maker->arena, maker->sheet,
                      "Mean ± sample standard deviation (number of seeds); seeds %s.",
                      maker_list(maker, &seeds, NULL));
    if (maker->sampler.partial)
        sheet_caption(maker->arena, maker->sheet,
                      "(k/n): only k of n seeds have a value yet; the others say why.");
}

/* Why values of a row are missing, by the column that misses most; NULL: none are. */
static const char *row_state(struct maker *maker, int line, int factor)
{
    const struct layout *layout = maker->layout;
    const struct sample *worst = NULL;
    for (int c = 0; c < layout->columns; c++) {
        const struct sample *sample = maker_sample(maker, line, factor, c);
        if (layout->column[c].source > COLUMN_MEAN || sample->count == sample->total) continue;
        if (sample_why(&maker->sampler, sample) && (!worst || sample->count < worst->count))
            worst = sample;
    }
    if (!worst || !worst->count) return worst ? sample_why(&maker->sampler, worst) : NULL;
    return arena_print(maker->arena, "%d of %d seeds: %s", worst->total - worst->count,
                       worst->total, sample_why(&maker->sampler, worst));
}

static void caption_states(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    struct maker_names rows = {0};
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            int row = layout->line[i].row[f];
            const char *why = row < 0 ? NULL : row_state(maker, i, f);
            if (why)
                maker_list(maker, &rows,
                           arena_print(maker->arena, "%s (%s)", maker->grid->row[row].name, why));
        }
    if (rows.count)
        sheet_caption(maker->arena, maker->sheet, "Not done: %s.", maker_list(maker, &rows, NULL));
}

int maker_kind(struct maker *maker, struct maker_kinds *kinds, const char *text, const char *row)
{
    int i = 0;
    while (i < kinds->count && strcmp(kinds->kind[i].text, text) != 0) i++;
    if (i == kinds->room) {
        struct maker_rows *more = ARENA_ARRAY(maker->arena, struct maker_rows, 2 * i + 4);
        for (int k = 0; k < i; k++) more[k] = kinds->kind[k];
        kinds->kind = more;
        kinds->room = 2 * i + 4;
    }
    struct maker_rows *kind = &kinds->kind[i];
    if (i == kinds->count) {
        kinds->count++;
        kind->text = text;
    }
    if (kind->last != row) maker_list(maker, &kind->rows, row);
    kind->last = row;
    return i;
}

/* What a speed in a cell is, where its rounds are known. */
static void caption_spread(struct maker *maker, int index)
{
    const struct layout *layout = maker->layout;
    bool some = false;
    for (int i = 0; i < layout->lines * layout->factors; i++) {
        const struct sample *sample =
            maker_sample(maker, i / layout->factors, i % layout->factors, index);
        some |= sample->count && sample->spread > 0;
    }
    if (some)
        sheet_caption(maker->arena, maker->sheet,
                      "%s: the median of the rounds; in brackets what lies between the fastest and "
                      "the slowest, in percent of it.",
                      layout->column[index].header);
}

/* ": SIGNATURE" of a column, or " of ROWS: SIGNATURE" of each that it has; NULL-terminated. */
static const char **signatures_of(struct maker *maker, int index)
{
    const struct layout *layout = maker->layout;
    struct maker_kinds kinds = {0};
    for (int i = 0; i < layout->lines; i++)
        for (int f = 0; f < layout->factors; f++) {
            const struct sample *sample = maker_sample(maker, i, f, index);
            int row = layout->line[i].row[f];
            const char *name = row < 0 ? layout->line[i].name : maker->grid->row[row].name;
            if (!sample->count || !sample->signature) continue;
            maker_kind(maker, &kinds,
                       sample->mixed
                           ? arena_print(maker->arena, "%s, and others", sample->signature)
                           : sample->signature,
                       name);
        }
    const char **text = ARENA_ARRAY(maker->arena, const char *, kinds.count + 1);
    for (int i = 0; i < kinds.count; i++)
        text[i] = kinds.count == 1 ? arena_print(maker->arena, ": %s", kinds.kind[0].text)
                                   : arena_print(maker->arena, " of %s: %s",
                                                 maker_list(maker, &kinds.kind[i].rows, NULL),
                                                 kinds.kind[i].text);
    return text;
}

static bool same_texts(const char *const *a, const char *const *b)
{
    while (*a && *b && !strcmp(*a, *b)) a++, b++;
    return !*a && !*b;
}

/* The signatures of a column, together with those behind it that have the same. */
static void caption_signatures(struct maker *maker, const char **const *text, int index)
{
    const struct layout *layout = maker->layout;
    struct maker_names headers = {0};
    for (int i = 0; i < layout->columns; i++) {
        const bool same = text[i] && same_texts(text[i], text[index]);
        if (same && i < index) return; /* was said */
        if (same) maker_list(maker, &headers, layout->column[i].header);
    }
    for (int i = 0; text[index][i]; i++)
        sheet_caption(maker->arena, maker->sheet, "%s%s", maker_list(maker, &headers, NULL),
                      text[index][i]);
}

static void caption_columns(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    const char ***text = ARENA_ARRAY(maker->arena, const char **, layout->columns);
    for (int i = 0; i < layout->columns; i++)
        if (!layout->column[i].delta && layout->column[i].source <= COLUMN_MEAN)
            text[i] = signatures_of(maker, i);
    for (int i = 0; i < layout->columns; i++) {
        if (!text[i]) continue;
        caption_spread(maker, i);
        caption_signatures(maker, text, i);
    }
}

/* How the values of a kind came about, where the table shows or compares some. */
static void caption_offer(struct maker *maker, const struct offer *offer)
{
    const struct layout *layout = maker->layout;
    struct maker_kinds kinds = {0};
    bool wanted = false;
    for (int i = 0; i < layout->test.families; i++)
        wanted |= !strcmp(layout->test.family[i].kind, offer->kind);
    for (int i = 0; i < layout->columns; i++)
        wanted |= layout->column[i].kind && strcmp(layout->column[i].kind, offer->kind) == 0;
    for (int row = 0; wanted && row < maker->grid->rows; row++) {
        const char *text = sample_caption(&maker->sampler, offer, row);
        if (text) maker_kind(maker, &kinds, text, maker->grid->row[row].name);
    }
    for (int i = 0; i < kinds.count; i++)
        sheet_caption(maker->arena, maker->sheet, "%s%s%s: %s.", offer->caption,
                      kinds.count > 1 ? " of " : "",
                      kinds.count > 1 ? maker_list(maker, &kinds.kind[i].rows, NULL) : "",
                      kinds.kind[i].text);
}

/* Rows of which some training had its best validation at the very end. */
static void caption_undertrained(struct maker *maker, const struct offer *offer)
{
    const struct summary_grid *grid = maker->grid;
    sqlite3_stmt *ask =
        store_prepare(maker->store, "SELECT step, value FROM metric WHERE stage = ? AND name = ? "
                                    "AND value IS NOT NULL AND " STORE_PLAIN " ORDER BY step");
    struct maker_names rows = {0};
    for (int row = 0; row < grid->rows; row++) {
        bool falling = false;
        struct sample_stage *const *stage = sample_stages(&maker->sampler, row);
        for (int i = 0; i < grid->row[row].count; i++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                if (strcmp(grid->row[row].seed[i].stage[k].kind, offer->kind) != 0) continue;
                if (strcmp(stage[i][k].status, "done") != 0) continue;
                double best = INFINITY;
                int count = 0;
                bool last = false;
                store_bind(ask, "is", stage[i][k].number, offer->validation);
                while (store_next(ask)) {
                    last = store_real(ask, 1) < best;
                    if (last) best = store_real(ask, 1);
                    count++;
                }
                falling |= last && count > 1;
            }
        if (falling) maker_list(maker, &rows, grid->row[row].name);
    }
    store_finish(ask);
    if (rows.count)
        sheet_caption(maker->arena, maker->sheet,
                      "Undertrained (lowest dev loss at the last validation): %s.",
                      maker_list(maker, &rows, NULL));
}

/* Rows computed on different devices must not look alike. */
static void caption_environment(struct maker *maker, const char *key)
{
    const struct summary_grid *grid = maker->grid;
    struct maker_kinds kinds = {0};
    struct maker_names list = {0};
    for (int row = 0; row < grid->rows; row++) {
        struct sample_stage *const *stage = sample_stages(&maker->sampler, row);
        for (int i = 0; i < grid->row[row].count; i++)
            for (int k = 0; k < grid->row[row].seed[i].count; k++) {
                const char *kind = grid->row[row].seed[i].stage[k].kind, *value;
                const struct offer *offer = offer_of(kind);
                if (!offer || !offer->numeric) continue;
                value = sample_environment(&maker->sampler, stage[i][k].number, key);
                if (value) maker_kind(maker, &kinds, value, grid->row[row].name);
            }
    }
    for (int i = 0; i < kinds.count; i++)
        maker_list(maker, &list,
                   arena_print(maker->arena, "%s (%s)", kinds.kind[i].text,
                               maker_list(maker, &kinds.kind[i].rows, NULL)));
    if (kinds.count > 1)
        sheet_caption(maker->arena, maker->sheet, "The rows mix values of \"%s\": %s.", key,
                      maker_list(maker, &list, NULL));
}

static void caption_paper(struct maker *maker)
{
    const struct layout_paper *paper = &maker->layout->paper;
    const char *source = maker->grid->source, *data = paper->data;
    if (!paper->columns) return;
    sheet_caption(maker->arena, maker->sheet, "Paper%s%s: %s%s%s.%s", source ? ", " : "",
                  source ? source : "", paper->metric, data ? "; " : "", data ? data : "",
                  paper->comparable ? ""
                                    : " Its data and metric are its own: no difference is "
                                      "taken.");
    if (paper->left_out)
        sheet_caption(maker->arena, maker->sheet,
                      "%d of the paper's values are left out: a sweep has changed their rows.",
                      paper->left_out);
}

static const char *quote_letter(struct maker *maker, int source)
{
    char letter = (char)('a' + source % 26);
    if (source < 26) return arena_print(maker->arena, "%c", letter);
    return arena_print(maker->arena, "%c%d", letter, source / 26);
}

/* What a quoted line says about its values. */
static const char *quote_text(struct maker *maker, const struct tree *quote)
{
    const struct tree *source = tree_get(quote, "source"), *metric = tree_get(quote, "metric"),
                      *data = tree_get(quote, "data");
    return arena_print(maker->arena, "%s%s%s%s%s", source ? source->text : "", source ? ": " : "",
                       metric ? metric->text : maker->layout->paper.metric, data ? "; " : "",
                       data ? data->text : "");
}

void maker_quotes(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    struct maker_kinds sources = {0};
    maker->quote = ARENA_ARRAY(maker->arena, const char *, layout->lines);
    maker->source = ARENA_ARRAY(maker->arena, const char *, layout->lines);
    for (int i = 0; i < layout->lines; i++) {
        if (!layout->line[i].quote) continue;
        const char *text = quote_text(maker, layout->line[i].quote);
        int source = maker_kind(maker, &sources, text, layout->line[i].name);
        maker->quote[i] = quote_letter(maker, source);
        maker->source[source] = text;
    }
    maker->sources = sources.count;
}

static void caption_quotes(struct maker *maker)
{
    for (int i = 0; i < maker->sources; i++)
        sheet_caption(maker->arena, maker->sheet, "%s: quoted, not run here; %s.",
                      quote_letter(maker, i), maker->source[i]);
}

static void caption_files(struct maker *maker)
{
    struct maker_names names = {0};
    for (int i = 0; i < maker->layout->lines; i++)
        for (int f = 0; f < maker->layout->factors; f++)
            if (maker->layout->line[i].hyp[f].path) {
                maker_list(maker, &names, maker->layout->line[i].name);
                break;
            }
    if (names.count)
        sheet_caption(maker->arena, maker->sheet, "%s: hypotheses from a file, not run here.",
                      maker_list(maker, &names, NULL));
}

void maker_caption(struct maker *maker)
{
    const struct layout *layout = maker->layout;
    caption_seeds(maker);
    caption_states(maker);
    caption_columns(maker);
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->caption) caption_offer(maker, *offer);
    maker_steps(maker);
    if (maker->sampler.incomparable)
        sheet_caption(maker->arena, maker->sheet,
                      "n/c: not comparable, computed with another signature.");
    if (layout->test.wanted) marks_caption(maker);
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if ((*offer)->validation) caption_undertrained(maker, *offer);
    for (int i = 0; party_numeric[i]; i++) caption_environment(maker, party_numeric[i]);
    caption_paper(maker);
    caption_quotes(maker);
    caption_files(maker);
    for (int i = 0; i < layout->captions.count; i++)
        sheet_caption(maker->arena, maker->sheet, "%s", layout->captions.text[i]);
}
