/* Tests the layout of figures: every kind with 2, 11 and 30 rows, with short and long names. The
 * boxes of texts, computed from the widths of DejaVu Sans, do not overlap and do not leave the
 * page. They do not cover the data, and the data have at least half of the height. Each row has its
 * own text. If a name is cut, a caption has the whole name. Each style of names is drawn with some
 * numbers of rows. With FIGURES=all, it is drawn with all of them. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/base/journal.h"
#include "core/base/npy.h"
#include "core/config/tree_read.h"
#include "plots/figures.h"
#include "tests/support/world.h"

enum { KINDS = 5, TEXTS = 2000, FRAMES = 200 };

/* Widths of DejaVu Sans 2.37 in thousandths of the font size, for the characters from the blank to
 * ~. */
static const int widths[95] = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

static double width_of(const char *text)
{
    double width = 0;
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c >= 32 && c < 127) width += widths[c - 32] / 1000.0;
        if (c >= 0xc0) width += 1;
    }
    return width;
}

struct box {
    char text[400];
    double x[4], y[4];
};

struct frame {
    double left, right, top, bottom;
};

struct page {
    double width, height;
    struct frame data; /* the largest frame */
    int frames;        /* number of frames of this size */
    struct frame frame[FRAMES];
    int count;
    struct box box[TEXTS];
};

static double attribute(const char *from, const char *to, const char *name, double otherwise)
{
    const char *at = memmem(from, (size_t)(to - from), name, strlen(name));
    return at ? strtod(at + strlen(name), NULL) : otherwise;
}

static void take_text(struct box *box, const char *from, const char *end)
{
    size_t count = 0;
    bool tag = false;
    for (; from < end && count < sizeof box->text - 1; from++) {
        if (*from == '<') tag = true;
        if (!tag) box->text[count++] = *from;
        if (*from == '>') tag = false;
    }
    box->text[count] = 0;
}

/* Adds the box of a text, from an element <g transform="translate(x,y) rotate(a)" .. font-size=".."
 * text-anchor=".."> <text>..</text>. */
static void take_box(struct page *page, const char *group, const char *text)
{
    struct box *box = &page->box[page->count];
    double x, y;
    take_text(box, text + strlen("<text>"), strstr(text, "</text>"));
    if (strspn(box->text, " ") == strlen(box->text)) return;
    assert_true(page->count++ < TEXTS - 1);
    assert_int_equal(sscanf(group, "transform=\"translate(%lf,%lf)", &x, &y), 2);
    const double angle = attribute(group, text, "rotate(", 0) * acos(-1) / 180,
                 size = attribute(group, text, "font-size=\"", 0),
                 width = size * width_of(box->text);
    const char *anchor = memmem(group, (size_t)(text - group), "text-anchor=\"", 13);
    assert_non_null(anchor);
    const double from = anchor[13] == 's' ? 0 : anchor[13] == 'm' ? -width / 2 : -width;
    for (int i = 0; i < 4; i++) {
        const double along = from + (i == 1 || i == 2 ? width : 0),
                     up = i < 2 ? 0.2 * size : -0.73 * size;
        box->x[i] = x + along * cos(angle) - up * sin(angle);
        box->y[i] = y + along * sin(angle) + up * cos(angle);
    }
}

static double area(const struct frame *frame)
{
    return (frame->right - frame->left) * (frame->bottom - frame->top);
}

/* Finds frames, which are paths "Mx,y Lx,y Lx,y Lx,y Lx,y Z": the largest frame, or (`others`) all
 * frames of about the same size. */
static void find_frames(struct page *page, const char *svg, bool others)
{
    for (const char *at = svg; (at = strstr(at, " d='M")); at++) {
        double x[5], y[5];
        int bytes = 0;
        if (sscanf(at, " d='M%lf,%lf L%lf,%lf L%lf,%lf L%lf,%lf L%lf,%lf Z%n", &x[0], &y[0], &x[1],
                   &y[1], &x[2], &y[2], &x[3], &y[3], &x[4], &y[4], &bytes) != 10 ||
            !bytes)
            continue;
        const struct frame one = {fmin(x[0], x[2]), fmax(x[0], x[2]), fmin(y[0], y[2]),
                                  fmax(y[0], y[2])};
        if (!others && area(&one) > area(&page->data)) page->data = one;
        if (others && area(&one) > 0.95 * area(&page->data)) {
            int k = 0;
            while (k < page->frames && memcmp(&page->frame[k], &one, sizeof one) != 0) k++;
            assert_true(k < FRAMES);
            page->frame[k] = one;
            if (k == page->frames) page->frames++;
        }
    }
}

static struct page *read_page(const char *svg)
{
    struct page *page = ARENA_ARRAY(&arena, struct page, 1);
    const char *group = NULL;
    page->width = attribute(svg, svg + 500, "width=\"", 0);
    page->height = attribute(svg, svg + 500, "height=\"", 0);
    find_frames(page, svg, false);
    find_frames(page, svg, true);
    for (const char *at = svg; *at; at++) {
        if (!strncmp(at, "transform=\"translate", 20)) group = at;
        if (!strncmp(at, "<text>", 6)) take_box(page, group, at);
    }
    return page;
}

/* True if a line along a side of `a` separates the corners of both boxes. */
static bool apart(const struct box *a, const struct box *b)
{
    for (int i = 0; i < 4; i++) {
        const double nx = a->y[(i + 1) % 4] - a->y[i], ny = a->x[i] - a->x[(i + 1) % 4],
                     length = hypot(nx, ny);
        double most = -INFINITY, least = INFINITY;
        for (int k = 0; k < 4; k++) {
            most = fmax(most, (a->x[k] * nx + a->y[k] * ny) / length);
            least = fmin(least, (b->x[k] * nx + b->y[k] * ny) / length);
        }
        if (least >= most - 0.5) return true;
    }
    return false;
}

static void check_boxes(const struct page *page, const char *what)
{
    const struct frame *data = &page->data;
    double covered = 0;
    for (int i = 0; i < page->count; i++) {
        const struct box *one = &page->box[i];
        for (int k = 0; k < 4; k++)
            if (one->x[k] < 0 || one->x[k] > page->width || one->y[k] < 0 ||
                one->y[k] > page->height)
                fail_msg("%s: \"%s\" leaves the page of %g x %g: %g, %g", what, one->text,
                         page->width, page->height, one->x[k], one->y[k]);
        const bool cell =
            strstr(what, "heat") && (strchr(one->text, '.') || !strcmp(one->text, "–"));
        for (int k = 0; k < i + (cell ? 0 : page->frames); k++) {
            const struct frame *in = k < i ? data : &page->frame[k - i];
            const struct box inside = {"the data",
                                       {in->left, in->right, in->right, in->left},
                                       {in->bottom, in->bottom, in->top, in->top}};
            const struct box *other = k < i ? &page->box[k] : &inside;
            if (!apart(one, other) && !apart(other, one))
                fail_msg("%s: \"%s\" overlaps \"%s\"", what, one->text, other->text);
        }
    }
    for (int i = 0; i < page->frames; i++) covered += area(&page->frame[i]);
    if (page->frames > 1) { /* names of frames and of pieces lie between the frames */
        if (covered < 0.3 * page->width * page->height)
            fail_msg("%s: frames cover %g of %g", what, covered, page->width * page->height);
        return;
    }
    if (data->bottom - data->top < page->height / 2)
        fail_msg("%s: the data has %g of %g", what, data->bottom - data->top, page->height);
    if (data->right - data->left < 0.4 * page->width)
        fail_msg("%s: the data is %g of %g wide", what, data->right - data->left, page->width);
}

/* Checks that the name is in the figure, or that its number is in the figure and the name in a
 * caption. */
static void check_name(const struct page *page, const struct figure_drawing *drawing,
                       const char *drawn, const char *name, const char *what)
{
    const char *colon = NULL;
    if (strstr(drawn, name)) return;
    for (int i = 0; i < drawing->captions && !colon; i++)
        if (!strncmp(drawing->caption[i], "In full: ", 9)) {
            const char *at = strstr(drawing->caption[i], name);
            if (at && at > drawing->caption[i] + 3 && at[-2] == ':') colon = at - 2;
        }
    if (!colon) fail_msg("%s: \"%s\" is neither drawn nor in a caption: %s", what, name, drawn);
    while (colon[-1] >= '0' && colon[-1] <= '9') colon--;
    const char *number = arena_text_range(&arena, colon, strcspn(colon, " ") + 1);
    int found = 0;
    for (int i = 0; i < page->count; i++)
        found += !strncmp(page->box[i].text, number, strlen(number));
    if (found != 1) fail_msg("%s: %d texts begin with %s", what, found, number);
}

static const char *joined(const struct page *page)
{
    const char *all = "";
    for (int i = 0; i < page->count; i++)
        all = arena_print(&arena, "%s%s ", all, page->box[i].text);
    return all;
}

/* ---- the figures ---- */

enum { SHORT, LONG, LONGER, WIDE_LETTERS, NAMES };
static const char *const name_words[NAMES] = {"short", "60 letters", "100 letters", "wide letters"};

static const char *name_of(int style, int row)
{
    switch (style) {
    case SHORT:
        return arena_print(&arena, "row %02d", row);
    case LONG:
        return arena_print(&arena, "gate over global and local, layers 1-2, window %02d, width 512",
                           row);
    case LONGER:
        return arena_print(&arena,
                           "a name that begins as all the others do, number %02d, and goes on as "
                           "they do, until it has 100 letters",
                           row);
    default:
        return arena_print(&arena, "MMMMMM WWWWWWWWWWWWW @@@@@@@ MMMMMM%02d", row);
    }
}

static void metric(struct journal *journal, const char *name, double value, int64_t layer,
                   const char *class)
{
    journal_metric(journal, &(struct metric){.name = name,
                                             .step = JOURNAL_NONE,
                                             .value = value,
                                             .layer = layer,
                                             .head = JOURNAL_NONE,
                                             .set = JOURNAL_NONE,
                                             .class = class,
                                             .n = 40});
}

/* Writes a file of numbers, and done.json with its digest and `more` outputs. */
static void keep(const struct run *run, const char *name, const float *number, int rows,
                 int columns, const char *more)
{
    char digest[DIGEST_TEXT];
    const char *path = arena_print(&arena, "%s/%s", run->folder, name);
    npy_write(path, number, rows, columns);
    digest_file(path, digest);
    run_done(run, "done",
             arena_print(&arena, "{\"rows\": %d}, \"outputs\": {\"%s\": \"%s\"%s}", rows, name,
                         digest, more));
}

/* Writes centers and windows of six layers with two heads, for one sentence of five tokens. */
static void fill_localness(int r, const struct run *run)
{
    float number[6 * 2 * 5][7];
    int rows = 0;
    for (int l = 1; l <= 6; l++)
        for (int h = 1; h <= 2; h++)
            for (int t = 0; t < 5; t++, rows++) {
                const float one[] = {(float)l,
                                     (float)h,
                                     1,
                                     (float)t,
                                     5,
                                     (float)t * 0.8F,
                                     (float)(l + h) + 0.1F * (float)r};
                memcpy(number[rows], one, sizeof one);
            }
    keep(run, "localness.npy", &number[0][0], rows, 7, "");
}

/* Writes maps of four branches without names, for a sentence of six pieces. */
static void fill_maps(const struct run *run)
{
    static const char *const piece[] = {"a", "100%", "Rindfleischetikettierung@@"};
    float number[4 * 6 * 6][7];
    int rows = 0;
    for (int b = 1; b <= 4; b++)
        for (int i = 1; i <= 6; i++)
            for (int j = 1; j <= 6; j++, rows++) {
                const float one[] = {1, 6, (float)b, 0, (float)i, (float)j, i == j ? 0.5F : 0.1F};
                memcpy(number[rows], one, sizeof one);
            }
    const char *text = "sentence\tplace\tpiece\n";
    char digest[DIGEST_TEXT];
    for (int i = 1; i <= 6; i++) text = arena_print(&arena, "%s1\t%d\t%s\n", text, i, piece[i % 3]);
    run_write(run, "pieces.tsv", text);
    digest_bytes(text, strlen(text), digest);
    keep(run, "maps.npy", &number[0][0], rows, 7,
         arena_print(&arena, ", \"pieces.tsv\": \"%s\"", digest));
}

static void fill_row(int r, const struct run run[KINDS], const char *const *class)
{
    struct journal *train = journal_open(run[0].folder), *score = journal_open(run[1].folder),
                   *gates = journal_open(run[2].folder);
    for (int i = 1; i <= 3; i++) {
        static const int step[] = {0, 500, 20000, 200000};
        journal_value(train, step[i], "dev_loss", 4.0 / i + 0.01 * r);
        journal_value(train, step[i], "dev_bleu", 10 * i + 0.1 * r);
        metric(gates, "gate", 0.3 + 0.1 * i + 0.005 * r, i, NULL);
        metric(gates, "gate_start", 0.5 + 0.002 * r, i, NULL);
    }
    for (int c = 0; class[c]; c++)
        metric(score, "items", 0.2 + 0.1 * c + 0.005 * r, JOURNAL_NONE, class[c]);
    journal_close(train);
    journal_close(score);
    journal_close(gates);
    run_done(&run[0], "done", "{\"dev_loss\": 1.5}");
    run_done(&run[1], "done", arena_print(&arena, "{\"bleu\": %.17g}", 30 + 0.11 * r));
    run_done(&run[2], "done", arena_print(&arena, "{\"gate\": %.17g}", 0.5 + 0.01 * r));
    fill_localness(r, &run[3]);
    fill_maps(&run[4]);
}

/* Makes a grid whose first row is on no axis. The other rows form groups of three adjacent rows,
 * which differ in the axis. If names are short, the values of the axis are numbers, else words of
 * different lengths. */
static struct world *world_of(int style, int rows)
{
    static const char *const kind[KINDS] = {"train", "score", "gates", "localness", "maps"};
    static const char *const words[] = {"a narrow window", "one that is a little wider than that",
                                        "everything"};
    static const char *const numbers[] = {"1", "3", "31"};
    static const char *const classes[] = {"NOUN", "VERB", "polarity of affixes, deletion", NULL};
    struct world *world = world_new("figure_boxes");
    for (int r = 0; r < rows; r++) {
        world_add_row(world, name_of(style, r + 1), 1);
        for (int k = 0; k < KINDS; k++)
            world_add_stage(world, r, 0, kind[k],
                            run_new(world->runs, kind[k], arena_print(&arena, "%s %d", kind[k], r),
                                    "{}", NULL, "demo/x/1"));
        fill_row(r, world->run[r][0],
                 style == SHORT ? (const char *[]){"NOUN", "VERB", NULL} : classes);
        const int third = r ? (r - 1) % 3 : 0;
        struct grid_coordinate *coordinate = ARENA_NEW(&arena, struct grid_coordinate);
        const char *value = style == SHORT ? numbers[third] : words[third];
        *coordinate = (struct grid_coordinate){
            .key = "window", .value = value, .text = arena_print(&arena, "window %s", value)};
        world->row[r].line = r ? name_of(style, (r - 1) / 3 + 2) : NULL;
        world->row[r].coordinates = r > 0;
        world->row[r].coordinate = coordinate;
        world->row[r].options = tree_parse(&arena, "x", "{evaluate: {bleu: {split: dev}}}");
    }
    world->grid.title = "A title";
    layout_read(NULL, &world->grid, &arena);
    return world;
}

static const char *const figures[] = {
    "{kind: bars}",
    "{kind: bars, left: dev_loss, x: Width of the window, y: A label of many words that says much}",
    "{kind: bars, x: A label below the axis that has more than a line of words}",
    "{kind: window}",
    "{kind: window, x: A label below the axis that has more than a line of words}",
    "{kind: layers}",
    "{kind: classes, left: score.items}",
    "{kind: classes, left: score.items, x: Class of words}",
    "{kind: profile, left: score.items}",
    "{kind: profile, left: score.items, x: A label below the axis that has more than a line of "
    "words}",
    "{kind: scatter}",
    "{kind: scatter, left: localness.offset, x: A label below the axis}",
    "{kind: histogram}",
    "{kind: map}",
    "{kind: curve}",
    "{kind: curve, left: dev_loss, right: none}",
    "{kind: lines, axis: window}",
    "{kind: lines, axis: window, left: gates.gate, x: A label below the axis with more than a line "
    "of words}",
    "{kind: bars, frame: window}",
    "{kind: curve, frame: window}",
    "{kind: layers, frame: window}",
    "{kind: classes, left: score.items, frame: window}",
    "{kind: curve, right: none, frame: window, y: log}",
    "{kind: curve, x: log, frame: window}",
    "{kind: curve, x: log, y: log}",
    "{kind: lines, axis: window, x: Window, y: [log, A label of many words that says much]}",
    "{kind: heat, axis: window}",
    "{kind: heat, axis: layer, left: gates.gate}",
};

/* Checks that a line leads to the name of each row, and that these lines are not so steep that they
 * cover each other. */
static void check_leaders(const char *image, int rows)
{
    int leaders = 0;
    for (const char *at = image; (at = strstr(at, "d='M")); at++) {
        double x, y, to, end;
        if (sscanf(at, "d='M%lf,%lf L%lf,%lf  '/>", &x, &y, &to, &end) == 4)
            leaders += fabs(to - x - 12 - 2 * rows) < 0.1;
    }
    assert_int_equal(leaders, rows);
}

static void draw(struct world *world, struct store *store, const char *yaml, int style)
{
    const int rows = world->grid.rows;
    const char *what = arena_print(&arena, "%s, %d rows, names: %s", yaml, rows, name_words[style]);
    const struct figure_list list = figure_read(
        tree_parse(&arena, "grid.yaml", arena_print(&arena, "[%s]", yaml)), &world->grid, &arena);
    const struct figure_drawing drawing =
        figure_draw(store, &world->grid, &list.figure[0], GNUPLOT_SVG, &arena);
    if (drawing.failure) fail_msg("%s: %s", what, drawing.failure);
    const struct page *page = read_page(drawing.image);
    const bool panels = strstr(yaml, "scatter") || strstr(yaml, "histogram") ||
                        strstr(yaml, "map") || (strstr(yaml, "frame") && rows > 2);
    assert_true(panels == (page->frames > 1));
    check_boxes(page, what);
    if (rows > 8 && strstr(yaml, "right: none}")) check_leaders(drawing.image, rows);
    const char *drawn = joined(page);
    const bool window =
        strstr(yaml, "lines") || strstr(yaml, "frame") || strstr(yaml, "heat, axis: w");
    for (int r = strstr(yaml, "heat, axis: w") ? 1 : 0; r < rows; r++) {
        const char *name = world->row[r].line;
        check_name(page, &drawing, drawn, window && name ? name : world->row[r].name, what);
    }
}

enum { COUNTS = 3 };
static const int counts[COUNTS] = {2, 11, WORLD_ROWS};
/* Selects the numbers of rows that are drawn with each style of names. */
static const bool chosen[NAMES][COUNTS] = {
    [SHORT] = {true, false, true},
    [LONG] = {false, false, true},
    [LONGER] = {false, true, false},
    [WIDE_LETTERS] = {false, true, false},
};

TEST(no_text_covers_another)
{
    const bool all = getenv("FIGURES") != NULL;
    if (!gnuplot_find(&arena)) test_skip("gnuplot is not installed");
    for (int style = 0; style < NAMES; style++)
        for (int n = 0; n < COUNTS; n++) {
            if (!all && !chosen[style][n]) continue;
            struct world *world = world_of(style, counts[n]);
            struct store *store = world_collect(world);
            for (size_t i = 0; i < COUNT_OF(figures); i++) draw(world, store, figures[i], style);
            store_close(store);
        }
}
