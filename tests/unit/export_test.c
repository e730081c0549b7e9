/* Tests results/query/export_rows: exports in the formats of other programs. */
#include "tests/support/test.h"

#include "core/base/journal.h"
#include "results/query/query.h"
#include "results/sheet/cell.h"
#include "results/store/collector.h"
#include "tests/support/runs.h"

struct world {
    struct store *store;
    struct found_stage *stage;
    int count;
    struct run run;
};

/* Returns the stages of runs_fill, and one stage with hostile texts. */
static struct world world_new(const char *name)
{
    struct world world = {0};
    const char *runs = test_folder(name);
    world.run = runs_fill(runs);
    struct run run = run_new(runs, "probe", "p", "{\"note\": \"=1+1\", \"text\": \"a,\\\"b\\\"\"}",
                             NULL, "../../=cmd|' /C calc'!A0\n/x");
    struct journal *journal = journal_open(run.folder);
    journal_metric(journal, &(struct metric){"gate", 1, -0.5, 2, 3, 5, "@SUM(A1)", 4});
    journal_close(journal);
    world.store = runs_collect(runs);
    world.count = query_stages(world.store, NULL, &world.stage, &arena);
    return world;
}

static char *exported(struct world *world, enum query_form form, enum export_format format)
{
    return PRINTED(query_print(world->store, world->stage, world->count, form, format, out));
}

static void expect(const char *text, const char *const *expected)
{
    for (; *expected; expected++)
        if (!strstr(text, *expected)) fail_msg("not there: %s\nin: %.2000s", *expected, text);
}

/* Returns the number of fields, which must be equal in all lines. Quotes are those of RFC 4180. */
static int64_t count_fields(const char *text, int64_t *lines)
{
    int64_t fields = 0, here = 1;
    bool quoted = false;
    *lines = 0;
    for (; *text; text++) {
        if (*text == '"') quoted = !quoted;
        if (quoted) continue;
        here += *text == ',';
        if (*text != '\n') continue;
        if (*lines) assert_int_equal(here, fields);
        fields = here;
        here = 1;
        ++*lines;
    }
    assert_false(quoted);
    return fields;
}

TEST(csv_has_a_column_for_every_key)
{
    struct world world = world_new("export_csv");
    char *text = exported(&world, QUERY_WIDE, EXPORT_CSV);
    int64_t lines;
    assert_int_equal(count_fields(text, &lines), 10 + 6 + 2 + 1 + 4);
    assert_int_equal(lines, 1 + 3);
    expect(text, (const char *const[]){
                     "id,kind,folder,status,names,tags,attempts,wall,started,finished,option.beam,"
                     "option.note,option.seed,option.text,option.train.epochs,option.train.rate,"
                     "result.dev_loss,result.parameters,last.loss,environment.cpu.isa,"
                     "environment.host,environment.products,environment.threads\n",
                     ",,,1,,12,0.1,1.5,3681280,,v3,h,1,2\n", ",4,,,,,,,,,,,,\n",
                     ",,=1+1,,\"a,\"\"b\"\"\",,,,,,,,,\n", NULL});
    cell_spreadsheet = true; /* no text may begin a formula */
    text = exported(&world, QUERY_WIDE, EXPORT_CSV);
    expect(text, (const char *const[]){",,'=1+1,,\"a,", NULL});
    assert_null(strstr(text, ",="));
    cell_spreadsheet = false;
    text = exported(&world, QUERY_LONG, EXPORT_CSV);
    assert_int_equal(count_fields(text, &lines), 12);
    assert_int_equal(lines, 1 + 502 + 1);
    expect(text,
           (const char *const[]){"id,kind,name,seed,metric,step,layer,head,set,class,n,value\n",
                                 ",train,demo/Transformer/1,1,loss,2,,,,,,2.5\n",
                                 ",train,demo/Transformer/1,1,loss,501,,,,,,\n",
                                 ",gate,1,2,3,5,@SUM(A1),4,-0.5\n", NULL});
    store_close(world.store);
}

/* A stage has the seed of the trainings that it reads, directly or indirectly. If these trainings
 * have several seeds, the stage has no seed. */
TEST(long_lines_have_the_seed_of_their_training)
{
    struct world world = world_new("export_seed");
    const char *runs = world.store->runs;
    struct run other = run_new(runs, "train", "o", "{\"seed\": 2}", world.run.id, "demo/Other/2");
    const struct run *const read[] = {&world.run, &other};
    for (int i = 0; i < 2; i++) {
        struct run run = run_new(runs, "score", i ? "two" : "one", "{}", read[i]->id, "demo/Row/1");
        struct journal *journal = journal_open(run.folder);
        journal_value(journal, JOURNAL_NONE, i ? "of_two" : "of_one", 0.5);
        journal_close(journal);
    }
    collect_runs(world.store);
    world.count = query_stages(world.store, NULL, &world.stage, &arena);
    char *text = exported(&world, QUERY_LONG, EXPORT_CSV);
    expect(text, (const char *const[]){",score,demo/Row/1,1,of_one,,,,,,,0.5\n",
                                       ",score,demo/Row/1,,of_two,,,,,,,0.5\n", NULL});
    store_close(world.store);
}

TEST(every_line_of_jsonl_is_an_object)
{
    struct world world = world_new("export_jsonl");
    static const enum query_form form[] = {QUERY_WIDE, QUERY_LONG, QUERY_LIST};
    const int expected[] = {3, 503, 3};
    for (int i = 0; i < 3; i++) {
        char *text = exported(&world, form[i], EXPORT_JSONL), *next = text;
        int lines = 0;
        double sum = 0;
        for (char *end; (end = strchr(next, '\n')); next = end + 1, lines++) {
            json_t *json = json_loadb(next, (size_t)(end - next), JSON_REJECT_DUPLICATES, NULL);
            assert_non_null(json);
            sum += json_number_value(json_object_get(json, "value"));
            if (!strcmp(json_string_value(json_object_get(json, "kind")), "train") && i == 0) {
                json_t *results = json_object_get(json, "results");
                assert_true(json_number_value(json_object_get(results, "parameters")) == 3681280);
            }
            if (i == 1) {
                assert_int_equal(json_object_size(json), 12); /* CSV has as many columns */
                assert_true(json_is_integer(json_object_get(json, "seed")) ||
                            !strcmp(json_string_value(json_object_get(json, "kind")), "probe"));
            }
            json_decref(json);
        }
        assert_int_equal(lines, expected[i]);
        double harmonic = 0;
        for (int step = 1; step <= 500; step++) harmonic += 5. / step;
        if (i == 1) assert_true(fabs(sum - (harmonic + 0.25 - 0.5)) < 1e-9);
    }
    store_close(world.store);
}
