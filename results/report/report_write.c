/* Prints the page of a report: first the results, then the options, environments and stages from
 * which they come. */
#include "results/report/report.h"

#include <openssl/evp.h>
#include <string.h>

#include "results/report/report_facts.h"
#include "results/sheet/cell.h"
#include "results/sheet/escape.h"
#include "results/sheet/page.h"

static void put_heading(const char *id, const char *text, FILE *out)
{
    fprintf(out, "<h2 id=\"%s\">%s</h2>\n", id, text);
}

/* Prints <p class="lead">LABEL TEXT</p>. Prints nothing if the text is NULL. */
static void put_lead(const char *label, const char *text, FILE *out)
{
    if (!text) return;
    fprintf(out, "<p class=\"lead\">%s", label);
    page_put("", text, "</p>\n", out);
}

/* Prints a sheet with another title. */
static void put_sheet(const struct sheet *sheet, const char *title, FILE *out)
{
    if (!sheet) return;
    struct sheet other = *sheet;
    other.title = title;
    sheet_print(&other, SHEET_HTML, out);
}

static const char *time_span(const struct report_facts *facts, struct arena *arena)
{
    const char *from = report_time(arena, facts->started),
               *to = report_time(arena, facts->finished);
    if (!to) return "no stage has finished yet";
    return !from || !strcmp(from, to) ? to : arena_print(arena, "%s to %s", from, to);
}

static const char *title_of(const struct grid *grid)
{
    return grid->title ? grid->title : grid->name;
}

static void put_head(const struct report *report, const struct report_facts *facts,
                     struct arena *arena, FILE *out)
{
    const struct grid *grid = report->grid;
    /* The source may already begin with "after": "after Xu et al. 2019". */
    const bool said = grid->source && !strncasecmp(grid->source, "after ", 6);
    const char *source = said ? grid->source + 6 : grid->source;
    page_put("<header>\n<h1>", title_of(grid), "</h1>\n", out);
    put_lead("After ", source, out);
    const char *seeds = !facts->seeds               ? ""
                        : strchr(facts->seeds, ',') ? arena_print(arena, ", seeds %s", facts->seeds)
                                                    : arena_print(arena, ", seed %s", facts->seeds);
    put_lead(
        "",
        arena_print(arena, "Grid %s%s; computed %s", grid->name, seeds, time_span(facts, arena)),
        out);
    if (grid->tags.count)
        put_lead("Tags: ", arena_join(arena, grid->tags.text, grid->tags.count, ", "), out);
    if (grid->note) page_put("<p>", grid->note, "</p>\n", out);
    fputs("</header>\n", out);
}

/* Prints the drawing as an <img>. An SVG in an <img> cannot run scripts or load files. */
static void put_drawing(const struct report_figure *figure, struct arena *arena, FILE *out)
{
    const size_t bytes = strlen(figure->svg);
    unsigned char *base64 = arena_alloc(arena, bytes / 3 * 4 + 5);
    EVP_EncodeBlock(base64, (const unsigned char *)figure->svg, (int)bytes);
    fputs("<div class=\"plot\"><img alt=\"", out);
    escape_html(figure->title, out);
    for (int i = 0; i < figure->captions; i++) page_put("\n", figure->caption[i], "", out);
    fprintf(out, "\" src=\"data:image/svg+xml;base64,%s\"></div>\n", (char *)base64);
}

/* Prints a figure with its number (0: none) and captions. The title of the page is not printed
 * again. */
static void put_figure(const struct report *report, const struct report_figure *figure, int number,
                       struct arena *arena, FILE *out)
{
    const bool own = strcmp(figure->title, title_of(report->grid)) != 0;
    fprintf(out, "<figure id=\"figure%d\">\n", number);
    if (figure->failure) {
        if (!report->progress)
            warn("figure \"%s\" is left out of the report: %s", figure->title, figure->failure);
        put_lead("This figure is left out: ", figure->failure, out);
    } else {
        put_drawing(figure, arena, out);
    }
    fputs("<figcaption><p>", out);
    if (number) fprintf(out, "<strong>Figure %d.</strong> ", number);
    page_put("", own ? figure->title : "", "</p>\n", out);
    for (int i = 0; i < figure->captions; i++) page_put("<p>", figure->caption[i], "</p>\n", out);
    fputs("</figcaption>\n</figure>\n", out);
}

/* Prints the commands that reproduce the page. */
static void put_commands(const struct report *report, const struct report_facts *facts, FILE *out)
{
    static const char *const verb[] = {"plan", "run", "table", "report"};
    static const char *const what[] = {"what it needs and what would run",
                                       "computes what is missing", "the table", "this page"};
    fputs("<pre tabindex=\"0\">", out);
    if (facts->commits) page_put("# sanlab at commit ", facts->commits, "\n", out);
    if (facts->commits && strstr(facts->commits, "-dirty"))
        fputs("# -dirty: the program had uncommitted changes; these commands alone do not "
              "reproduce the results\n",
              out);
    for (size_t i = 0; i < COUNT_OF(verb); i++) {
        fprintf(out, "./sanlab %-6s ", verb[i]);
        escape_html(report->arguments, out);
        fprintf(out, "  # %s\n", what[i]);
    }
    fputs("</pre>\n", out);
}

void report_print(struct store *store, const struct report *report, FILE *out)
{
    struct arena arena = {0};
    const struct grid *grid = report->grid;
    struct report_facts facts = report_facts(store, grid, &arena);
    page_begin(title_of(grid), report->progress ? REPORT_REFRESH : 0, out);
    put_head(report, &facts, &arena, out);
    if (report->progress) {
        put_heading("running", "Running", out);
        put_lead("", report->progress, out);
        put_sheet(report->running, NULL, out);
        if (report->curves) put_figure(report, report->curves, 0, &arena, out);
    }
    put_heading("results", "Results", out);
    put_sheet(report->table, NULL, out);
    if (report->figures) put_heading("figures", report->figures > 1 ? "Figures" : "Figure", out);
    for (int i = 0; i < report->figures; i++)
        put_figure(report, &report->figure[i], i + 1, &arena, out);
    if (report->claims) {
        put_heading("claims", "Claims", out);
        put_sheet(report->claims, NULL, out);
    }
    if (facts.differences || facts.options) put_heading("options", "Options", out);
    put_sheet(facts.differences, "Options that differ between rows", out);
    put_sheet(facts.options, facts.differences ? "Options that all rows share" : NULL, out);
    if (facts.environments) put_heading("environment", "How it was computed", out);
    put_sheet(facts.environments, "Environment and signatures of the metrics", out);
    if (facts.stages) {
        put_heading("stages", "Stages", out);
        put_sheet(facts.list, NULL, out);
        fputs("<details>\n"
              "<summary>Complete ids</summary>\n"
              "<ul class=\"ids\">\n",
              out);
        for (int i = 0; i < facts.stages; i++)
            page_put("<li><code>", facts.id[i], "</code></li>\n", out);
        fputs("</ul>\n</details>\n", out);
    }
    put_heading("again", "Commands that reproduce this page", out);
    put_commands(report, &facts, out);
    page_end(out);
    arena_free(&arena);
}
