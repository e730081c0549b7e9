/* Exports results to SQLite. Copies the database, deletes the stages that are not wanted, and adds
 * tables. They have data of the stages' folders, and the significance tests of a grid. */
#include "results/report/export_sqlite.h"

#include <math.h>
#include <string.h>

#include "core/base/file.h"
#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/kept_file.h"
#include "results/store/status.h"
#include "results/store/tsv.h"
#include "results/table/table_maker.h"

struct exporting {
    struct store *store, *to;
    const struct export_parts *parts;
    struct value_cache *cache; /* values of the store */
    struct arena arena;
};

/* keep_stages deletes the stages that are not in `wanted`. Of each grid it keeps only the newest
 * record, and only if a stage of this record remains. If `named` has a grid, the records of all
 * other grids are deleted. */
static const char begin_tables[] =
    "CREATE TEMPORARY TABLE wanted (number INTEGER PRIMARY KEY);"
    "CREATE TEMPORARY TABLE named (grid TEXT);"
    "CREATE TEMPORARY TABLE preset (kind TEXT, list TEXT);"
    "CREATE TABLE setting (stage INTEGER NOT NULL, key TEXT NOT NULL, value TEXT, given INTEGER "
    "NOT NULL, PRIMARY KEY (stage, key)) WITHOUT ROWID;"
    "CREATE VIEW place AS SELECT grid.grid, position, row, seed, member.kind, (SELECT value FROM "
    "option WHERE option.stage = stage.number AND key = 'part') AS part, stage.number AS stage "
    "FROM member JOIN grid ON grid.number = member.grid JOIN stage ON id = member.stage;";
static const char keep_stages[] =
    "DELETE FROM stage WHERE number NOT IN (SELECT number FROM wanted);"
    "DELETE FROM grid WHERE grid NOT IN (SELECT coalesce(named.grid, grid.grid) FROM named) OR "
    "number NOT IN (SELECT grid FROM member JOIN stage ON id = member.stage) OR number <> (SELECT "
    "number FROM grid AS other WHERE other.grid = grid.grid ORDER BY modified DESC, number DESC "
    "LIMIT 1);"
    "DROP TABLE file;"
    "INSERT INTO setting SELECT stage, key, value, 1 FROM option;"
    "INSERT OR IGNORE INTO setting SELECT number, json_extract(one.value, '$[0]'), "
    "json_extract(one.value, iif(EXISTS (SELECT 1 FROM option WHERE option.stage = number AND "
    "option.key = json_extract(one.value, '$[2]')), '$[3]', '$[1]')), 0 FROM preset JOIN stage "
    "USING (kind) JOIN json_each(list) AS one;";
static const char item_tables[] =
    "CREATE TABLE item (stage INTEGER, name TEXT, \"set\" INTEGER, line INTEGER, class TEXT, "
    "stratum TEXT, weight REAL, value REAL);"
    "CREATE TABLE cluster (stage INTEGER, name TEXT, cluster INTEGER, layer INTEGER, class TEXT, "
    "count REAL, sum REAL);"
    "CREATE TABLE prediction (stage INTEGER, line INTEGER, label TEXT, seed INTEGER, told TEXT);"
    "CREATE TABLE confusion (stage INTEGER, class TEXT, label TEXT, told TEXT, count INTEGER);";
static const char hypothesis_tables[] =
    "CREATE TABLE hypothesis (stage INTEGER, \"set\" INTEGER, line INTEGER, hypothesis TEXT, "
    "reference TEXT, bleu REAL, words INTEGER, reference_words INTEGER);"
    "CREATE TABLE ngram (stage INTEGER, \"set\" INTEGER, line INTEGER, \"order\" INTEGER, "
    "matched INTEGER, total INTEGER);";
static const char test_table[] =
    "CREATE TABLE test (grid TEXT, row TEXT, against TEXT, \"column\" TEXT, seeds INTEGER, "
    "paired INTEGER, difference REAL, low REAL, high REAL, p REAL, mark TEXT, student REAL, koehn "
    "REAL, centered REAL, swapped REAL, mcnemar REAL, detectable REAL, resampled TEXT, problem "
    "TEXT);";
static const char end_tables[] =
    "INSERT INTO confusion SELECT stage, NULL, label, told, count(*) FROM prediction GROUP BY "
    "stage, label, told;";

static void add_stages(struct exporting *exporting, const struct found_stage *stage, int count)
{
    struct store *to = exporting->to;
    const char **kind = ARENA_ARRAY(&exporting->arena, const char *, count + 1);
    store_script(to, begin_tables);
    store_insert(to, "named", "s", exporting->parts->grid);
    for (int i = 0, kinds = 0; i < count; i++) {
        store_insert(to, "wanted", "i", stage[i].number);
        if (word_known(stage[i].kind, kind)) continue;
        kind[kinds++] = stage[i].kind;
        store_insert(to, "preset", "ss", stage[i].kind,
                     exporting->parts->defaults(&exporting->arena, stage[i].kind));
    }
    store_script(to, keep_stages);
}

/* ---- items and hypotheses ---- */

static void add_hypotheses(struct exporting *exporting, int64_t stage,
                           const struct observations *observations, int set)
{
    struct store *to = exporting->to;
    const struct observations_text *text = observations->text;
    for (int i = 0; i < observations->items; i++) {
        const struct bleu_stats *stats = &text->stats[set][i];
        store_insert(to, "hypothesis", "iiissdii", stage, (int64_t)(set + 1), (int64_t)(i + 1),
                     text->hypothesis[set][i], text->reference ? text->reference[i] : NULL,
                     bleu_sentence(stats), stats->hyp_len, stats->ref_len);
        for (int n = 0; n < BLEU_ORDER; n++)
            store_insert(to, "ngram", "iiiiii", stage, (int64_t)(set + 1), (int64_t)(i + 1),
                         (int64_t)(n + 1), stats->match[n], stats->total[n]);
    }
}

static void add_items(struct exporting *exporting, int64_t stage, const char *name,
                      const struct observations *observations, int set)
{
    const struct statistic *statistic = &observations->statistic;
    const int one = 1;
    for (int i = 0; i < observations->items; i++) {
        const struct item *label = observations->label ? &observations->label[i] : NULL;
        const char *item = (const char *)observations->item[set] + statistic->bytes * (size_t)i;
        const double value = observations->text
                                 ? bleu_sentence(&observations->text->stats[set][i])
                                 : statistic_of(statistic, (struct strata){1, &one}, item, NULL);
        store_insert(exporting->to, "item", "isiissdd", stage, name, (int64_t)(set + 1),
                     (int64_t)(observations->line ? observations->line[i] : i) + 1,
                     label && *label->class ? label->class : NULL,
                     label && *label->stratum ? label->stratum : NULL,
                     label && label->weight > 0 ? label->weight : (double)NAN, value);
    }
}

/* Adds the items of one measure of a stage. */
static void add_measure(struct exporting *exporting, const struct found_stage *stage,
                        const struct measure *measure)
{
    const struct export_parts *parts = exporting->parts;
    const struct observations *observations =
        observations_read(exporting->store, exporting->cache, stage->kind, stage->id, measure->name,
                          NULL, measure->observations);
    if (observations->absent) return;
    if (observations->problem) {
        warn("%s of %s has no items in the file: %s", measure->name, stage->folder,
             observations->problem);
        return;
    }
    for (int i = 0; i < observations->sums && parts->items; i++)
        store_insert(exporting->to, "cluster", "isinsdd", stage->number, measure->name,
                     (int64_t)observations->sum[i].cluster,
                     observations->sum[i].layer ? (int64_t)observations->sum[i].layer : (int64_t)-1,
                     *observations->sum[i].class ? observations->sum[i].class : NULL,
                     observations->sum[i].count, observations->sum[i].sum);
    for (int set = 0; set < observations->sets && observations->item; set++) {
        if (parts->items) add_items(exporting, stage->number, measure->name, observations, set);
        if (parts->hypotheses && observations->text)
            add_hypotheses(exporting, stage->number, observations, set);
    }
}

/* Returns the *count lines of an output file that some stages have. Warns if the stage has it, but
 * it cannot be read. */
static char **read_lines(struct exporting *exporting, const struct found_stage *stage,
                         const char *file, int *count)
{
    struct arena *arena = &exporting->arena;
    const char *problem = NULL, *output = arena_print(arena, "outputs.%s", file);
    const bool has = value_cache_word(exporting->cache, stage->number, output);
    const char *path =
        has ? kept_file(exporting->store, stage->kind, stage->id, file, &problem, arena) : NULL;
    size_t bytes;
    *count = 0;
    if (has && !path) warn("%s; it is not in the file", problem);
    if (!path) return NULL;
    char *text = file_read(arena, path, 0, &bytes);
    return (char **)file_cut_lines(arena, text, bytes, count);
}

static void add_predictions(struct exporting *exporting, const struct found_stage *stage)
{
    enum { LINE, LABEL, TOLD, SEEDS = 1000 };
    const char *column[TOLD + SEEDS];
    int count;
    char **line = read_lines(exporting, stage, "predictions.tsv", &count);
    for (int i = 0; i < count; i++) {
        const int columns = file_cut_columns(line[i], column, TOLD + SEEDS);
        for (int k = TOLD; k < columns && k < TOLD + SEEDS; k++)
            store_insert(exporting->to, "prediction", "issis", stage->number, column[LINE],
                         column[LABEL], (int64_t)(k - TOLD + 1), column[k]);
    }
    line = read_lines(exporting, stage, "confusion.tsv", &count);
    for (int i = 1; i < count; i++) /* skips the header */
        if (file_cut_columns(line[i], column, 4) == 4)
            store_insert(exporting->to, "confusion", "issss", stage->number, column[0], column[1],
                         column[2], column[3]);
}

/* ---- tests and claims ---- */

/* Adds a row for each cell of the tested columns that was compared, or that has a reason why it was
 * not compared. */
static void add_tests(struct exporting *exporting)
{
    struct arena *arena = &exporting->arena;
    struct table_maker maker;
    table_maker_open(&maker, exporting->store, exporting->parts->summary, arena);
    const struct layout *layout = maker.layout;
    maker.tests.comparing.resamples.options.trials = layout->test.options.trials;
    if (layout->test.wanted) paired_tests_run(&maker.tests);
    for (int k = 0; k < maker.tests.tested && layout->test.wanted; k++)
        for (struct layout_cell at = {0}; layout_next(layout, &at); at.coordinate++) {
            const struct column *column = &maker.tests.column[k];
            const struct paired_test *test = paired_tests_at(&maker.tests, k, at);
            const struct significance *result = &test->result;
            const char *against =
                column->function == COLUMN_MARGIN
                    ? arena_print(arena, "its control %s", column->word)
                    : layout_cell_name(layout, maker.grid, paired_tests_baseline(layout, at));
            if (!test->compared && !test->problem) continue;
            store_insert(exporting->to, "test", "ssssiiddddsddddddss", maker.grid->name,
                         layout_cell_name(layout, maker.grid, at), against, column->name,
                         (int64_t)test->seeds, (int64_t)test->paired, result->difference,
                         result->low, result->high, test->p, summary_mark(&maker, column, at),
                         result->p, result->koehn, result->centered, result->swapped,
                         result->mcnemar, result->detectable, test->items, test->problem);
        }
}

void export_sqlite(struct store *store, const struct found_stage *stage, int count,
                   const struct export_parts *parts, const char *path)
{
    struct exporting exporting = {.store = store, .to = store_export(store, path), .parts = parts};
    struct store *to = exporting.to;
    exporting.cache = value_cache_open(store, NULL, 0, &exporting.arena);
    add_stages(&exporting, stage, count);
    if (parts->verdicts) {
        store_script(to, test_table);
        add_tests(&exporting);
        claims_export(store, parts->summary, parts->claims, to);
    }
    if (parts->items) store_script(to, item_tables);
    if (parts->hypotheses) store_script(to, hypothesis_tables);
    for (int i = 0; i < count && (parts->items || parts->hypotheses); i++) {
        if (strcmp(stage[i].status, STATUS_DONE) != 0) continue;
        const struct measure *measure = offer_measures(offer_of(stage[i].kind));
        for (; measure->name; measure++)
            if (measure->observations) add_measure(&exporting, &stage[i], measure);
        observations_forget(); /* the stage's observations are not used again */
        if (parts->items) add_predictions(&exporting, &stage[i]);
    }
    if (parts->items) store_script(to, end_tables);
    store_script(to, "COMMIT; VACUUM;");
    store_close(to);
    arena_free(&exporting.arena);
}
