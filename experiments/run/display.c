/* Prints the progress of a runner. Messages are permanent lines. The live part below them is erased
 * and drawn again. */
#include "experiments/run/display.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/base/fold.h"
#include "core/base/mask.h"
#include "core/base/mask_output.h"
#include "core/base/progress.h"

/* Columns of a stage's line. BAR: bar on a wide terminal. BAR_NARROW: bar on a narrow terminal.
 * REST: text after the bar. LABEL: least columns of the label. LINE: bytes of a line's buffer. */
enum { BAR = 20, BAR_NARROW = 8, REST = 52, LABEL = 16, LINE = 1024 };
static const double bar_interval = 0.2, plain_interval = 30;

const char *const display_forms[DISPLAY_FORMS + 1] = {"auto", "bar", "plain", "json"};

void display_open(struct display *display, enum display_form form, bool quiet, FILE *out)
{
    const char *terminal = getenv("TERM");
    const bool rewrites = mask_is_terminal(out) && terminal && strcmp(terminal, "dumb") != 0;
    if (form == DISPLAY_AUTO) form = rewrites ? DISPLAY_BAR : DISPLAY_PLAIN;
    *display = (struct display){.form = form, .quiet = quiet, .out = out, .last = clock_seconds()};
}

static void say_json(const struct display *display, json_t *event)
{
    json_auto_t *record = json_object();
    json_object_set_new(record, "time", json_real(floor(1000 * time_seconds()) / 1000));
    json_object_update(record, event);
    SCOPED(heap_free) char *text = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(15));
    CHECK(text, "an event that is not JSON");
    mask_line(display->out, "%s", text);
}

void display_clear(struct display *display)
{
    char sequence[32];
    snprintf(sequence, sizeof sequence, "\033[%dA\033[J", display->drawn);
    if (display->drawn) mask_pass(display->out, sequence);
    display->drawn = 0;
}

void display_say(struct display *display, bool important, json_t *event, const char *format, ...)
{
    bool silent = display->quiet && !important;
    if (!silent && display->form == DISPLAY_JSON) say_json(display, event);
    json_decref(event);
    if (silent || display->form == DISPLAY_JSON) return;
    char stamp[TIME_TEXT], line[MESSAGE_BYTES], whole[TIME_TEXT + MESSAGE_BYTES + 2];
    MESSAGE_TAKE(line, format);
    display_clear(display);
    time_print(stamp, "%H:%M:%S", time_seconds(), false);
    snprintf(whole, sizeof whole, "%s  %s", stamp, line);
    fold_line(display->out, mask_columns(display->out), (int)strlen(stamp) + 2, whole);
    display->last = 0;
}

bool display_due(struct display *display)
{
    double now = clock_seconds();
    if (!display->quiet && display->form != DISPLAY_BAR && !display->last)
        display->last = now; /* a line was just printed */
    return !display->quiet &&
           now - display->last >= (display->form == DISPLAY_BAR ? bar_interval : plain_interval);
}

/* Prints the label in `width` columns, padded with blanks. Of a label that is too wide, the end is
 * printed, because it has the seed. */
static void put_label(const char *label, int width, FILE *out)
{
    size_t bytes;
    const char *at = label;
    int columns;
    while ((columns = progress_columns(at, INT_MAX, &bytes) + 2 * (at > label)) > width)
        progress_columns(at, 1, &bytes), at += bytes;
    fprintf(out, "%s%s%*s", at > label ? ".." : "", at, width - columns, "");
}

static void put_stage(const struct display_line *line, int columns, int bar, FILE *out)
{
    put_label(line->label, columns, out);
    if (line->total > 0) {
        const double share = (double)line->done / (double)line->total;
        fputc(' ', out);
        progress_put_bar(share, bar, out);
        fprintf(out, " %3.0f%% %lld/%lld", 100 * share, (long long)line->done,
                (long long)line->total);
    }
    fprintf(out, " %s", line->text);
    progress_put_rate(line->rate, line->left, out);
}

void display_put_grid(const struct display_grid *grid, FILE *out)
{
    fprintf(out, "%d to do, %d running", grid->to_do, grid->running);
    if (grid->elsewhere) fprintf(out, ", %d elsewhere", grid->elsewhere);
    fprintf(out, ", %d done, %d failed", grid->done, grid->failed);
    if (grid->left >= 0) {
        char span[PROGRESS_SPAN];
        progress_span(grid->left, span);
        fprintf(out, "; about %s left", span);
    }
}

/* Returns the number, or JSON's null if the number is unknown. */
static json_t *number_json(bool known, double number)
{
    return known ? json_real(number) : json_null();
}

json_t *display_grid_json(const char *event, const struct display_grid *grid)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:o}", "event", event, "to_do", grid->to_do,
                     "running", grid->running, "elsewhere", grid->elsewhere, "done", grid->done,
                     "failed", grid->failed, "left",
                     number_json(grid->left >= 0, round(grid->left)));
}

static void draw_json(const struct display *display, const struct display_line *line, int count,
                      const struct display_grid *grid)
{
    for (int i = 0; i < count; i++) {
        json_auto_t *numbers =
            json_pack("{s:I, s:I, s:s, s:o, s:o}", "done", (json_int_t)line[i].done, "total",
                      (json_int_t)line[i].total, "text", line[i].text, "rate",
                      number_json(line[i].rate > 0, round(line[i].rate * 1000) / 1000), "left",
                      number_json(line[i].left >= 0, round(line[i].left)));
        json_object_update(line[i].about, numbers);
        say_json(display, line[i].about);
    }
    json_auto_t *event = display_grid_json("grid", grid);
    say_json(display, event);
}

/* Draws the lines of at most `most` stages and of the grid in one write, so that a terminal does
 * not flicker. Returns the number of lines. */
static int draw_lines(const struct display_line *line, int count, const struct display_grid *grid,
                      int width, int most, FILE *where)
{
    SCOPED(heap_free) char *text = NULL;
    size_t size = 0;
    FILE *screen = heap_stream(&text, &size);
    int bar = width < BAR + REST + LABEL ? BAR_NARROW : BAR, space = width - bar - REST;
    int shown = count > most ? most - 1 : count;
    const int most_label = space > LABEL ? space : LABEL;
    size_t bytes;
    int columns = 0;
    for (int i = 0; i < shown; i++) {
        const int label = progress_columns(line[i].label, most_label, &bytes);
        if (label > columns) columns = label;
    }
    for (int i = 0; i <= shown; i++) {
        char one[LINE] = "";
        FILE *out = fmemopen(one, sizeof one - 1, "w");
        if (i < shown)
            put_stage(&line[i], columns, bar, out);
        else
            display_put_grid(grid, out);
        fclose(out);
        if (i == shown && shown < count) fprintf(screen, ".. and %d more\n", count - shown);
        progress_cut(one, width - 1); /* so that the terminal does not wrap the line */
        mask_text(one);
        fprintf(screen, "%s\n", one);
    }
    fclose(screen);
    mask_pass(where, text);
    return shown + 1 + (shown < count);
}

void display_draw(struct display *display, const struct display_line *line, int count,
                  const struct display_grid *grid)
{
    display->last = clock_seconds();
    if (display->form == DISPLAY_JSON) {
        draw_json(display, line, count, grid);
        return;
    }
    bool bar = display->form == DISPLAY_BAR;
    const int file = display->out == stderr ? STDERR_FILENO : STDOUT_FILENO;
    struct winsize window = {0};
    if (!bar || ioctl(file, TIOCGWINSZ, &window) != 0 || !window.ws_col || window.ws_row < 4)
        window = (struct winsize){.ws_col = bar ? 100 : 160, .ws_row = 24};
    display_clear(display);
    const int most = bar ? window.ws_row - 2 : count;
    int lines = draw_lines(line, count, grid, window.ws_col, most, display->out);
    if (bar) display->drawn = lines;
}
