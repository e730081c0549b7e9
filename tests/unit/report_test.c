/* Tests results/report: the page of a grid, the stages that it cites, and figures that are embedded
 * as images. */
#include "tests/support/test.h"

#include <jansson.h>

#include "core/base/shell.h"
#include "core/config/tree_read.h"
#include "results/report/report.h"
#include "results/report/report_facts.h"
#include "tests/support/world.h"

static struct report report; /* report on the last world of two_rows, with one sheet */

static const char *const options[2] = {
    "{\"train\": {\"steps\": 100}, \"model\": {\"dropout\": 0.1}, \"seed\": 1}",
    "{\"train\": {\"steps\": 100}, \"model\": {\"dropout\": 0.1}, \"encoder\": {\"attention\": "
    "[{\"layers\": \"1-2\", \"branches\": [{\"window\": 1}], \"say\": \"a b\"}]}, \"seed\": 1}"};

/* Makes two rows with two seeds and one corpus. The second row's training of seed 2 has not run. */
static struct world *two_rows(const char *name)
{
    static const char *const names[2] = {"Transformer", "</td><script>alert(1)</script>"};
    static struct sheet *sheet;
    struct world *world = world_new(name);
    const struct run corpus = run_new(world->runs, "corpus", "text", "{}", NULL, "g/a/1");
    run_done(&corpus, "done", "{}");
    for (int row = 0; row < 2; row++) {
        world_add_row(world, names[row], 2);
        for (int i = 0; i < 2; i++) {
            const char *text = arena_print(&arena, "row %d seed %d", row, i);
            const struct run train =
                run_new(world->runs, "train", text, options[row], corpus.id, text);
            world_add_stage(world, row, i, "corpus", corpus);
            world_add_stage(world, row, i, "train", train);
            if (row && i) continue;
            run_write(&train, "environment.json",
                      i ? "{\"device\": \"cpu\", \"commit\": \"abc\", \"products\": \"1\"}"
                        : "{\"device\": \"cpu\", \"commit\": \"def\", \"products\": \"1\"}");
            run_done(&train, "done", "{\"parameters\": 1000, \"signature\": \"a|b\"}");
        }
    }
    world->grid.title = "Far & near";
    world->grid.source = "Xu";
    sheet = sheet_new(&arena, 1, 1);
    sheet->column[0].header = "x";
    sheet_set(sheet, 0, 0, "y");
    report = (struct report){.grid = &world->grid, .arguments = "demo 'a.b=<c>'", .table = sheet};
    return world;
}

static const char *page_of(const struct world *world)
{
    return PRINTED(struct store * store = world_collect(world); report_print(store, &report, out);
                   store_close(store));
}

#define HAS(page, text) assert_non_null(strstr(page, text))
#define HAS_NOT(page, text) assert_null(strstr(page, text))

TEST(a_page_is_text_and_nothing_else)
{
    struct world *world = two_rows("report_page");
    const char *page = page_of(world);
    HAS(page, "<h1>Far &amp; near</h1>");
    HAS(page, "default-src 'none'; style-src 'unsafe-inline'; img-src data:\"");
    HAS(page, "&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    HAS_NOT(page, "<script");
    HAS(page, "./sanlab run    demo &#39;a.b=&lt;c&gt;&#39;");
    HAS(page, "seeds 1, 2");
    const char *alike = strstr(page, "Options that all rows share");
    assert_non_null(alike);
    HAS(alike, "dropout");
    HAS(page, world->run[1][1][1].id); /* also the id of a stage that has not run */
    assert_string_equal(page, page_of(world));
}

/* The page prints "After" before the source, unless the grid's source already begins with this
 * word. */
TEST(a_source_is_named)
{
    struct world *world = two_rows("report_source");
    HAS(page_of(world), "<p class=\"lead\">After Xu</p>");
    world->grid.source = "after Xu";
    HAS(page_of(world), "<p class=\"lead\">After Xu</p>");
    world->grid.source = "Afternoon";
    HAS(page_of(world), "<p class=\"lead\">After Afternoon</p>");
}

static void cell_is(const struct sheet *sheet, int row, int column, const char *text)
{
    assert_string_equal(sheet_get(sheet, row, column), text);
}

TEST(facts_of_a_grid)
{
    struct world *world = two_rows("report_facts");
    struct store *store = world_collect(world);
    struct report_facts facts = report_facts(store, &world->grid, &arena);
    store_close(store);
    assert_int_equal(facts.stages, 5);
    cell_is(facts.list, 0, 1, "all rows");
    cell_is(facts.list, 2, 1, "Transformer/2");
    assert_string_equal(facts.seeds, "1, 2");
    assert_int_equal(facts.differences->columns, 2);
    assert_string_equal(facts.differences->column[1].header, "encoder.attention");
    cell_is(facts.differences, 0, 1, "–");
    cell_is(facts.differences, 1, 1, "[{layers: 1-2, branches: [{window: 1}], say: a b}]");
    assert_int_equal(facts.options->rows, 2); /* steps and dropout, without the seed */
    assert_string_equal(facts.options->section[0], "model");
    cell_is(facts.options, 0, 0, "dropout");
    cell_is(facts.options, 0, 1, "0.1");
    assert_int_equal(facts.environments->rows, 5); /* two commits, a device, products, signature */
    cell_is(facts.environments, 0, 0, "commit");
    cell_is(facts.environments, 0, 2, "2 of 3");
    cell_is(facts.environments, 1, 0, "commit");
    cell_is(facts.environments, 1, 2, "1 of 3");
    assert_string_equal(facts.commits, "def, abc");
    cell_is(facts.environments, 2, 0, "device");
    cell_is(facts.environments, 2, 2, "all");
    cell_is(facts.environments, 4, 0, "signature of train");
    cell_is(facts.environments, 4, 1, "a|b");
    assert_string_equal(report_time(&arena, 1763647740), "2025-11-20 14:09 UTC");
}

/* A row that does not set an option has its default. Two rows with the same value do not differ, if
 * one of them sets the value and the other has it as the default. */
TEST(options_have_defaults)
{
    struct world *world = two_rows("report_defaults");
    world->row[0].options = tree_parse(&arena, "test", "{model: {heads: 8, dropout: 0.1}}");
    world->row[1].options = tree_parse(&arena, "test", "{model: {}}");
    world->grid.words.defaults = tree_parse(&arena, "test", "{model: {heads: 4, dropout: 0.10}}");
    struct store *store = world_collect(world);
    const struct report_facts facts = report_facts(store, &world->grid, &arena);
    store_close(store);
    assert_int_equal(facts.differences->columns, 2);
    assert_string_equal(facts.differences->column[1].header, "model.heads");
    cell_is(facts.differences, 0, 1, "8");
    cell_is(facts.differences, 1, 1, "4 (default)");
    assert_int_equal(facts.options->rows, 1);
    cell_is(facts.options, 0, 0, "dropout");
}

/* The first row quotes values. The first row with runs has a stage that has not run. */
TEST(rows_that_differ_in_several_options)
{
    static const char *const names[] = {"Quoted", "A", "B"},
                             *const differing[] = {
                                 NULL, "{\"train\": {\"rate\": 0.5, \"steps\": 100}, \"seed\": 1}",
                                 "{\"train\": {\"rate\": 2, \"steps\": 300}, \"seed\": 1}"};
    struct world *world = world_new("report_options");
    for (int row = 0; row < 3; row++) {
        world_add_row(world, names[row], row ? 1 : 0);
        if (!row) continue;
        const struct run corpus = run_new(world->runs, "corpus",
                                          arena_print(&arena, "text of %s", names[row]), "{}", NULL,
                                          "g/a/1"),
                         train = run_new(world->runs, "train", names[row], differing[row], NULL,
                                         names[row]);
        world_add_stage(world, row, 0, "corpus", corpus); /* the corpus has not run */
        world_add_stage(world, row, 0, "train", train);
        run_write(&train, "events.jsonl",
                  arena_print(&arena,
                              "{\"event\":\"started\",\"time\":%d00,\"clock\":0,\"attempt\":1}\n"
                              "{\"event\":\"done\",\"time\":%d50,\"clock\":50,\"attempt\":1}\n",
                              row, row));
        run_done(&train, "done", "{}");
    }
    struct store *store = world_collect(world);
    const struct report_facts facts = report_facts(store, &world->grid, &arena);
    store_close(store);
    static const char *const cells[3][3] = {
        {"Quoted", "–", "–"}, {"A", "0.5", "100"}, {"B", "2", "300"}};
    assert_int_equal(facts.differences->rows, 3);
    assert_int_equal(facts.differences->columns, 3);
    assert_string_equal(facts.differences->column[1].header, "train.rate");
    assert_string_equal(facts.differences->column[2].header, "train.steps");
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3; k++) cell_is(facts.differences, row, k, cells[row][k]);
    assert_true(facts.started == 100 && facts.finished == 250);
    for (int i = 0; i < facts.stages; i++)
        if (!strncmp(sheet_get(facts.list, i, 0), "train", 5)) cell_is(facts.list, i, 4, "50.0 s");
}

/* A journal may contain any time. A time outside of the calendar is printed as unknown. */
TEST(a_report_of_no_known_time)
{
    struct world *world = two_rows("report_times");
    run_write(&world->run[0][0][1], "events.jsonl",
              "{\"event\":\"started\",\"time\":1e17,\"clock\":0,\"attempt\":1}\n"
              "{\"event\":\"done\",\"time\":1e17,\"clock\":5,\"attempt\":1}\n");
    HAS(page_of(world), "unknown");
    static const double never[] = {1e17, -1e17, 1e300};
    for (size_t i = 0; i < COUNT_OF(never); i++)
        assert_string_equal(report_time(&arena, never[i]), "unknown");
}

TEST(a_report_of_two_times)
{
    static const struct {
        int hours;
        const char *span;
    } cases[] = {{1, "2025-11-20 14:09 UTC to 2025-11-20 15:09 UTC"},
                 {24, "2025-11-20 14:09 UTC to 2025-11-21 14:09 UTC"}};
    struct world *world = two_rows("report_days");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        run_write(&world->run[0][0][1], "events.jsonl",
                  arena_print(&arena,
                              "{\"event\":\"started\",\"time\":1763647740,\"clock\":0,"
                              "\"attempt\":1}\n"
                              "{\"event\":\"done\",\"time\":%d,\"clock\":5,\"attempt\":1}\n",
                              1763647740 + 3600 * cases[i].hours));
        HAS(page_of(world), cases[i].span);
    }
}

/* Returns the number of different stages that the reports cite. */
static int cited(const struct world *world)
{
    json_auto_t *list = json_loads(report_cited(world->runs, &arena), 0, NULL),
                *set = json_object();
    json_t *id;
    size_t i;
    json_array_foreach(list, i, id) json_object_set_new(set, json_string_value(id), json_true());
    return (int)json_object_size(set);
}

TEST(what_a_report_cites)
{
    struct world *world = two_rows("report_cited");
    const char *record = arena_print(&arena, "%s/reports/demo.json", world->runs);
    assert_int_equal(cited(world), 0);
    const char *page = arena_print(&arena, "%s/reports/demo.html", world->runs);
    struct store *store = world_collect(world);
    struct grid all = world->grid, first = all;
    first.rows = 1;
    report.grid = &first;
    report_write(store, &report, page);
    assert_true(file_exists(page));
    assert_int_equal(cited(world), 3); /* two trainings, their corpus */
    json_auto_t *read = json_load_file(record, 0, NULL);
    const json_t *ids = json_object_get(json_object_get(read, "pages"), "demo.html");
    assert_int_equal(json_array_size(ids), 3);
    for (size_t i = 1; i < 3; i++)
        assert_true(strcmp(json_string_value(json_array_get(ids, i - 1)),
                           json_string_value(json_array_get(ids, i))) < 0);

    /* If another page of the same grid is written, the stages of both are cited. If a page is
     * written again, its new stages replace the old ones. */
    report.grid = &all;
    report_write(store, &report, arena_print(&arena, "%s/other.html", world->runs));
    assert_int_equal(cited(world), 5);
    first.rows = 0;
    report.grid = &first;
    report_write(store, &report, arena_print(&arena, "%s/other.html", world->runs));
    assert_int_equal(cited(world), 3);
    unlink(page); /* a deleted page may have been sent to someone */
    assert_int_equal(cited(world), 3);

    file_write(record, "{}", 2);
    EXPECT_DIE("is not the record of a report", report_cited(world->runs, &arena));
    store_close(store);
}

/* Every drawing of gnuplot is embedded as an image. The title and the captions of a figure are text
 * of the page. */
TEST(figures_are_images)
{
    struct world *world = two_rows("report_figures");
    static const char *const caption[] = {"A <caption>.", "Another."};
    const struct report_figure figure[] = {
        {"One & \"two\" onload=\"x", 2, caption, NULL, "<svg><g id='gpDot'/></svg>"},
        {"</figcaption><script>alert(1)</script>", 0, NULL, NULL, "\"><script>alert(1)</script>"},
        {"Three", 0, NULL, NULL, "<svg/>\n"},
        {"Four", 0, NULL, "there is no gnuplot", NULL},
    };
    report.figures = COUNT_OF(figure);
    report.figure = figure;
    const char *page = page_of(world);
    HAS(page, "<div class=\"plot\"><img alt=\"One &amp; &quot;two&quot; onload=&quot;x\nA "
              "&lt;caption&gt;.\nAnother.\" "
              "src=\"data:image/svg+xml;base64,PHN2Zz48ZyBpZD0nZ3BEb3QnLz48L3N2Zz4=\"></div>");
    HAS(page, "<img alt=\"&lt;/figcaption&gt;&lt;script&gt;alert(1)&lt;/script&gt;\" "
              "src=\"data:image/svg+xml;base64,Ij48c2NyaXB0PmFsZXJ0KDEpPC9zY3JpcHQ+\"></div>");
    HAS(page, "<div class=\"plot\"><img alt=\"Three\" "
              "src=\"data:image/svg+xml;base64,PHN2Zy8+Cg==\"></div>");
    HAS(page, "<p>A &lt;caption&gt;.</p>\n<p>Another.</p>");
    HAS(page, "left out: there is no gnuplot");
    HAS(page, "<strong>Figure 1.</strong> One &amp; &quot;two&quot; onload=&quot;x");
    HAS_NOT(page, "<script");
    HAS_NOT(page, "<svg");
}

TEST(words_of_a_shell)
{
    assert_string_equal(shell_word(&arena, "a.b=1,2"), "a.b=1,2");
    assert_string_equal(shell_word(&arena, "~a"), "'~a'");
    assert_string_equal(shell_word(&arena, "it's $x"), "'it'\\''s $x'");
    assert_string_equal(shell_word(&arena, ""), "''");
}
