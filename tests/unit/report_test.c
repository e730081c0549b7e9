/* results/report: the page of a grid, what it cites, and drawings that are let in or not. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <unistd.h>

#include "core/base/file.h"
#include "results/collect.h"
#include "results/report.h"
#include "results/report_facts.h"
#include "results/report_svg.h"
#include "tests/support/runs.h"

static struct arena arena;

/* Two rows, two seeds, one corpus; the second row's training of seed 2 has not run. */
struct world {
    const char *runs;
    struct run corpus, train[2][2];
    struct summary_stage stage[2][2][2];
    struct summary_seed seed[2][2];
    struct summary_row row[2];
    struct summary_grid grid;
    struct sheet *sheet;
    struct report report;
};

static const char *const options[2] = {
    "{\"train\": {\"steps\": 100}, \"model\": {\"dropout\": 0.1}, \"seed\": 1}",
    "{\"train\": {\"steps\": 100}, \"model\": {\"dropout\": 0.1}, \"encoder\": {\"attention\": "
    "[{\"layers\": \"1-2\", \"branches\": [{\"window\": 1}], \"say\": \"a b\"}]}, \"seed\": 1}"};

static struct world *world_new(const char *name)
{
    static const char *const names[2] = {"Transformer", "</td><script>alert(1)</script>"};
    struct world *world = ARENA_NEW(&arena, struct world);
    world->runs = test_folder(name);
    world->corpus = run_new(world->runs, "corpus", "text", "{}", NULL, "g/a/1");
    run_done(&world->corpus, "done", "{}");
    for (int row = 0; row < 2; row++) {
        for (int i = 0; i < 2; i++) {
            const char *text = arena_print(&arena, "row %d seed %d", row, i);
            struct run *train = &world->train[row][i];
            *train = run_new(world->runs, "train", text, options[row], world->corpus.id, text);
            world->stage[row][i][0] =
                (struct summary_stage){.kind = "corpus", .id = world->corpus.id};
            world->stage[row][i][1] = (struct summary_stage){.kind = "train", .id = train->id};
            world->seed[row][i] = (struct summary_seed){i + 1, 2, world->stage[row][i]};
            if (row && i) continue;
            run_write(train, "environment.json",
                      i ? "{\"device\": \"cpu\", \"commit\": \"abc\", \"products\": \"1\"}"
                        : "{\"device\": \"cpu\", \"commit\": \"def\", \"products\": \"1\"}");
            run_done(train, "done", "{\"parameters\": 1000, \"signature\": \"a|b\"}");
        }
        world->row[row] =
            (struct summary_row){.name = names[row], .count = 2, .seed = world->seed[row]};
    }
    world->grid = (struct summary_grid){
        .grid = "demo", .title = "Far & near", .source = "Xu", .rows = 2, .row = world->row};
    world->sheet = sheet_new(&arena, 1, 1);
    world->sheet->column[0].header = "x";
    sheet_set(world->sheet, 0, 0, "y");
    world->report = (struct report){.grid = &world->grid,
                                    .arguments = "demo 'a.b=<c>'",
                                    .sheets = 1,
                                    .sheet = (const struct sheet *const *)&world->sheet};
    return world;
}

static struct store *collected(const struct world *world)
{
    struct store *store = store_open(world->runs);
    collect(store);
    return store;
}

static const char *page_of(const struct world *world)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct store *store = collected(world);
    report_print(store, &world->report, out);
    store_close(store);
    fclose(out);
    const char *copy = arena_text(&arena, text);
    free(text);
    return copy;
}

#define HAS(page, text) assert_non_null(strstr(page, text))
#define HAS_NOT(page, text) assert_null(strstr(page, text))

static void a_page_is_text_and_nothing_else(void **state)
{
    (void)state;
    struct world *world = world_new("report_page");
    const char *page = page_of(world);
    HAS(page, "<h1>Far &amp; near</h1>");
    HAS(page, "default-src 'none'; style-src 'unsafe-inline'; img-src data:\"");
    HAS(page, "&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    HAS_NOT(page, "<script");
    HAS(page, "./sanlab run    demo &#39;a.b=&lt;c&gt;&#39;");
    HAS(page, "seeds 1, 2");
    HAS(page, world->train[1][1].id); /* also of a stage that has not run */
    assert_string_equal(page, page_of(world));
}

/* "After" stands before the source once, whether the grid says it or not. */
static void a_source_is_named(void **state)
{
    (void)state;
    struct world *world = world_new("report_source");
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

static void facts_of_a_grid(void **state)
{
    (void)state;
    struct world *world = world_new("report_facts");
    struct store *store = collected(world);
    struct report_facts facts = report_facts(store, &world->grid, &arena);
    store_close(store);
    assert_int_equal(facts.stages, 5);
    assert_string_equal(facts.stage[0].users, "all rows");
    assert_string_equal(facts.stage[2].users, "Transformer (seed 2)");
    assert_string_equal(facts.seeds, "1, 2");
    assert_int_equal(facts.differences->columns, 2);
    assert_string_equal(facts.differences->column[1].header, "encoder.attention");
    cell_is(facts.differences, 0, 1, "–");
    cell_is(facts.differences, 1, 1, "[{layers: 1-2, branches: [{window: 1}], say: \"a b\"}]");
    assert_int_equal(facts.options->rows, 2); /* not the seed */
    assert_string_equal(facts.options->section[0], "model");
    cell_is(facts.options, 0, 0, "dropout");
    cell_is(facts.options, 0, 1, "0.1");
    assert_int_equal(facts.environments->rows, 4); /* two commits, one device, products */
    cell_is(facts.environments, 0, 0, "commit");
    cell_is(facts.environments, 0, 2,
            "2 of 3: Transformer (seed 1); </td><script>alert(1)</script> "
            "(seed 1)");
    cell_is(facts.environments, 1, 0, "");
    cell_is(facts.environments, 2, 0, "device");
    cell_is(facts.environments, 2, 2, "all");
    cell_is(facts.signatures, 0, 1, "a|b");
    assert_string_equal(report_time(&arena, 1763647740), "2025-11-20 14:09 UTC");
}

/* A journal may say any time; the page has no such day. */
static void a_report_of_no_known_time(void **state)
{
    (void)state;
    struct world *world = world_new("report_times");
    run_write(&world->train[0][0], "events.jsonl",
              "{\"event\":\"started\",\"time\":1e17,\"clock\":0,\"attempt\":1}\n"
              "{\"event\":\"done\",\"time\":1e17,\"clock\":5,\"attempt\":1}\n");
    HAS(page_of(world), "unknown");
    static const double never[] = {1e17, -1e17, 1e300};
    for (size_t i = 0; i < COUNT_OF(never); i++)
        assert_string_equal(report_time(&arena, never[i]), "unknown");
}

static void what_a_report_cites(void **state)
{
    (void)state;
    struct world *world = world_new("report_cited");
    const char **id, *record = arena_print(&arena, "%s/reports/demo.json", world->runs);
    assert_int_equal(report_cited(world->runs, &id, &arena), 0);
    const char *page = arena_print(&arena, "%s/reports/demo.html", world->runs);
    struct store *store = collected(world);
    struct summary_grid all = world->grid, first = all;
    first.rows = 1;
    world->report.grid = &first;
    report_write(store, &world->report, page);
    assert_true(file_exists(page));
    assert_int_equal(report_cited(world->runs, &id, &arena), 3); /* two trainings, their corpus */
    for (int i = 1; i < 3; i++) assert_true(strcmp(id[i - 1], id[i]) < 0);
    HAS(file_read(&arena, record, 0, NULL), "\"demo.html\": [");

    /* Another page of the same grid adds to it; the same page again replaces. */
    world->report.grid = &all;
    report_write(store, &world->report, arena_print(&arena, "%s/other.html", world->runs));
    assert_int_equal(report_cited(world->runs, &id, &arena), 5);
    first.rows = 0;
    world->report.grid = &first;
    report_write(store, &world->report, arena_print(&arena, "%s/other.html", world->runs));
    assert_int_equal(report_cited(world->runs, &id, &arena), 3);
    unlink(page); /* it may have been sent to someone */
    assert_int_equal(report_cited(world->runs, &id, &arena), 3);

    file_write(record, "{}", 2);
    EXPECT_DIE("is not the record of a report", report_cited(world->runs, &id, &arena));
    store_close(store);
}

/* Drawings. */

static const char head[] = "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 6 4\" "
                           "xmlns=\"http://www.w3.org/2000/svg\">\n<title>Gnuplot</title>";

static const char *clean(const char *body, const char **complaint)
{
    return report_svg(&arena, arena_print(&arena, "%s%s</svg>\n", head, body), "f1-", "A \"name\"",
                      complaint);
}

static void a_drawing_of_gnuplot(void **state)
{
    (void)state;
    const char *complaint, *drawing;
    drawing = clean("<defs><circle id='gpDot' r='0.5'/></defs>\n"
                    "<g fill = \"none\"><use xlink:href='#gpDot'/><title>curve</title>\n"
                    "<path style='fill: url(#gpPat)' d='M1,2 h3'/>"
                    "<text>5 &lt; 6 &#177;</text></g>",
                    &complaint);
    assert_null(complaint);
    assert_string_equal(
        drawing,
        "<svg role=\"img\" aria-label=\"A &quot;name&quot;\" viewBox=\"0 0 6 4\" "
        "xmlns=\"http://www.w3.org/2000/svg\">\n<defs><circle id=\"f1-gpDot\" r=\"0.5\"/></defs>\n"
        "<g fill=\"none\"><use xlink:href=\"#f1-gpDot\"/>\n"
        "<path style=\"fill: url(#f1-gpPat)\" d=\"M1,2 h3\"/>"
        "<text>5 &lt; 6 &#177;</text></g></svg>");
    drawing = clean("<image xlink:href='data:image/png;base64,iVBO=='/>", &complaint);
    HAS(drawing, "\"data:image/png;base64,iVBO==\"");
}

static void any_other_drawing_is_refused(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"<script>alert(1)</script>", "an element \"script\""},
        {"<g><SCRIPT/></g>", "an element \"SCRIPT\""},
        {"<foreignObject><p/></foreignObject>", "an element \"foreignObject\""},
        {"<style>*{}</style>", "an element \"style\""},
        {"<a xlink:href='#x'/>", "an element \"a\""},
        {"<title><script/></title>", "an element \"script\""},
        {"<g onload='alert(1)'/>", "an attribute \"onload\""},
        {"<text font-family='x' onclick=\"y\"/>", "an attribute \"onclick\""},
        {"<g fill=red/>", "without quotes"},
        {"<g fill/>", "without value"},
        {"<use xlink:href='http://x/y.svg#z'/>", "to the outside"},
        {"<image xlink:href='data:image/svg+xml;base64,AA'/>", "to the outside"},
        {"<image xlink:href='data:image/png;base64,A A'/>", "to the outside"},
        {"<g style='fill:URL( http://x)'/>", "to the outside"},
        {"<g style='fill:u&#114;l(x)'/>", "an attribute with"},
        {"<g style='fill:\\75rl(x)'/>", "an attribute with"},
        {"<g></svg>", "the end of something else"},
        {"<text>a & b</text>", "text with"},
        {"<![CDATA[<script>]]>", "an element"},
        {"<!DOCTYPE svg [<!ENTITY x 'y'>]>", "an element"},
        {"<?php ?>", "an element"},
        {"<svg/>", "out of its place"},
        {"</svg><script/><svg>", "an element \"script\""},
        {"</svg><g/><svg>", "out of its place"},
        {"<!-- <script> ", "no end"},
        {"<g fill='x", "without quotes"},
        {"</svg>text<svg>", "text outside"},
    };
    for (size_t i = 0; i < COUNT_OF(bodies); i++) {
        const char *complaint;
        assert_null(clean(bodies[i][0], &complaint));
        HAS(complaint, bodies[i][1]);
    }
    static const char *const whole[] = {
        "",     "text", "<svg>", "<svg style='position:fixed'/>", "<g/>", "<svg class='x'></svg>",
        "<svg", "<"};
    for (size_t i = 0; i < COUNT_OF(whole); i++) {
        const char *complaint;
        assert_null(report_svg(&arena, whole[i], "f1-", "x", &complaint));
        assert_non_null(complaint);
    }
}

static void figures_share_a_page(void **state)
{
    (void)state;
    struct world *world = world_new("report_figures");
    static const char *const caption[] = {"A <caption>.", "Another."};
    const struct report_figure figure[] = {
        {"One & two", 2, caption, NULL, "<svg><g id='gpDot'/></svg>"},
        {"Three", 0, NULL, NULL, "<svg><g id='gpDot'/></svg>"},
        {"Four", 0, NULL, NULL, "<svg><script/></svg>"},
        {"Five", 0, NULL, "there is no gnuplot", NULL},
    };
    world->report.figures = 4;
    world->report.figure = figure;
    const char *page = page_of(world);
    HAS(page, "<g id=\"figure1-gpDot\"/>");
    HAS(page, "<g id=\"figure2-gpDot\"/>");
    HAS(page, "<p>A &lt;caption&gt;.</p>\n<p>Another.</p>");
    HAS(page, "left out: there is no gnuplot");
    HAS(page, "<strong>Figure 1.</strong> One &amp; two");
    HAS(page, "left out: its drawing has an element &quot;script&quot;");
    HAS_NOT(page, "<script");
}

static void words_of_a_shell(void **state)
{
    (void)state;
    assert_string_equal(report_shell_word(&arena, "a.b=1,2"), "a.b=1,2");
    assert_string_equal(report_shell_word(&arena, "~a"), "'~a'");
    assert_string_equal(report_shell_word(&arena, "it's $x"), "'it'\\''s $x'");
    assert_string_equal(report_shell_word(&arena, ""), "''");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_text_and_nothing_else),
        cmocka_unit_test(a_source_is_named),
        cmocka_unit_test(facts_of_a_grid),
        cmocka_unit_test(a_report_of_no_known_time),
        cmocka_unit_test(what_a_report_cites),
        cmocka_unit_test(a_drawing_of_gnuplot),
        cmocka_unit_test(any_other_drawing_is_refused),
        cmocka_unit_test(figures_share_a_page),
        cmocka_unit_test(words_of_a_shell),
    };
    int failed = cmocka_run_group_tests_name("report", tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
