/* Writes the files of a figure. Numbers are written to the head of the script and to data.dat.
 * Texts are written only to text.dat, because gnuplot executes the script but not the data.
 * Mathematics in a text becomes plain text. */
#include "plots/canvas.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mask.h"
#include "core/base/number.h"
#include "core/text/fonts.h"
#include "results/sheet/cell.h"

static const struct {
    const char *name, *text;
} templates[] = {
#define TEMPLATE(name, text) {#name, text},
#include "template.def"
#undef TEMPLATE
};

static const char *find_template(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(templates); i++)
        if (!strcmp(templates[i].name, name)) return templates[i].text;
    CHECK(false, "there is no template %s", name);
    return NULL;
}

struct canvas *canvas_open(struct arena *arena, const char *template_name)
{
    struct canvas *canvas = ARENA_NEW(arena, struct canvas);
    *canvas = (struct canvas){.arena = arena, .template_name = template_name};
    arena_stream_open(&canvas->head);
    arena_stream_open(&canvas->data);
    arena_stream_open(&canvas->text);
    arena_stream_open(&canvas->table);
    fputs("row\tgroup\taxis\tplace\tcolumn\tseed\tvalue\tmean\tlow\thigh\n", canvas->table.out);
    return canvas;
}

static const char *number(double value, char text[REAL_TEXT])
{
    if (!isfinite(value)) return "NaN";
    real_print(value, text);
    return text;
}

void canvas_number(struct canvas *canvas, const char *name, double value)
{
    char text[REAL_TEXT];
    fprintf(canvas->head.out, "%s = %s\n", name, number(value, text));
}

/* Returns the text as one line, with question marks for control characters. */
static char *plain(const struct canvas *canvas, const char *text)
{
    char *copy = arena_text(canvas->arena, text);
    for (char *at = copy; *at; at++)
        if (*at == '\n' || *at == '\t') *at = ' ';
    mask_text(copy);
    return copy;
}

/* Writes a text so that gnuplot reads the same text. gnuplot's function stringcolumn decodes octal
 * escapes. An escape that begins with 0 has four digits. Exception: a question mark replaces the
 * end of "]]>", which is invalid in the text of an SVG. */
static void put_text(struct canvas *canvas, const char *text, double x)
{
    char place[REAL_TEXT];
    FILE *out = canvas->text.out;
    char *shown = plain(canvas, text);
    for (char *at = shown; (at = strstr(at, "]]>"));) at[2] = '?';
    for (const char *at = shown; *at; at++) {
        const bool edge = *at == ' ' && (at == shown || !at[1]);
        if (*at == '"' || *at == '\\' || edge)
            fprintf(out, "\\0%03o", (unsigned)*at);
        else
            fputc(*at, out);
    }
    if (!*shown) fputs("\\0040", out); /* a blank, because gnuplot skips empty columns */
    fprintf(out, "\t%s\n", number(x, place));
    canvas->texts++;
}

/* Returns the end of the longest prefix of a text that fits into `width` times the font size and
 * has at most about `bytes` bytes. Widths of characters are estimated as in style.gp. */
static const char *reach(const char *text, double width, int bytes)
{
    const char *at = text;
    while (*at && at - text < bytes) {
        const unsigned char c = (unsigned char)*at;
        const bool slim = strchr(" ijlfrtI.,:;'|!()[]{}/-", c),
                   broad = c > 126 || strchr("mwMW@%&", c);
        width -= slim ? 0.42 : broad ? 1 : isupper(c) ? 0.79 : 0.64;
        if (width < 0) break;
        do at++;
        while (((unsigned char)*at & 0xc0) == 0x80);
    }
    return at;
}

void canvas_text(struct canvas *canvas, const char *name, const char *text)
{
    if (strlen(text) > CANVAS_TEXT_MOST)
        text = arena_print(canvas->arena, "%.*s…",
                           (int)(reach(text, INFINITY, CANVAS_TEXT_MOST - 3) - text), text);
    if (name) canvas_number(canvas, name, canvas->texts + 1);
    put_text(canvas, text, 0);
}

void canvas_names(struct canvas *canvas, const char *name, const char *const *text, const double *x,
                  int count, double width)
{
    const char *full = NULL;
    canvas_number(canvas, name, canvas->texts + 1);
    for (int i = 0; i < count; i++) {
        const char *shown = text[i];
        canvas->names++;
        if (*reach(shown, width, CANVAS_TEXT_MOST)) {
            full = arena_append(canvas->arena, full, "; ",
                                arena_print(canvas->arena, "%d: %s", canvas->names, text[i]));
            shown =
                arena_print(canvas->arena, "%d: %.*s…", canvas->names,
                            (int)(reach(shown, width - 3, CANVAS_TEXT_MOST / 2) - shown), shown);
        }
        put_text(canvas, shown, x ? x[i] : i + 1);
    }
    if (full) canvas_caption(canvas, "In full: %s.", full);
}

void canvas_block(struct canvas *canvas)
{
    if (canvas->blocks++) fputs("\n\n", canvas->data.out);
}

void canvas_row(struct canvas *canvas, const double *value, int count)
{
    char text[REAL_TEXT];
    for (int i = 0; i < count; i++)
        fprintf(canvas->data.out, "%s%s", i ? "\t" : "", number(value[i], text));
    fputc('\n', canvas->data.out);
}

void canvas_record(struct canvas *canvas, const char *const word[CANVAS_WORDS],
                   const double value[CANVAS_VALUES])
{
    FILE *out = canvas->table.out;
    char digits[REAL_TEXT];
    for (int i = 0; i < CANVAS_WORDS; i++)
        fprintf(out, "%s\t", word[i] ? plain(canvas, word[i]) : "");
    for (int i = 0; i < CANVAS_VALUES; i++)
        fprintf(out, "%s%s", isfinite(value[i]) ? number(value[i], digits) : "",
                i + 1 < CANVAS_VALUES ? "\t" : "\n");
}

const char *canvas_place(struct canvas *canvas, double value)
{
    char digits[REAL_TEXT];
    return arena_text(canvas->arena, number(value, digits));
}

double canvas_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    static const double step[] = {1, 2, 5, 10};
    for (size_t i = 0; i < COUNT_OF(step); i++)
        if (step[i] * power >= least * (1 - 1e-9)) return step[i] * power;
    return 10 * power;
}

static void put_range(struct canvas *canvas, const char *name, double low, double high, double step)
{
    const char *what[] = {"low", "high", "step"};
    const double value[] = {low, high, step};
    for (size_t i = 0; i < COUNT_OF(what); i++)
        canvas_number(canvas, arena_print(canvas->arena, "%s_%s", name, what[i]), value[i]);
}

bool canvas_axis(struct canvas *canvas, const char *name, double low, double high, double below,
                 double above)
{
    double span = high - low;
    if (!(span > 0)) span = fabs(high) > 0 ? fabs(high) / 10 : 1;
    const double from = low >= 0 ? fmax(0, low - below * span) : low - below * span;
    const double to = high + above * span, step = canvas_step((to - from) / 6);
    const double first = floor(from / step + 1e-9), last = ceil(to / step - 1e-9);
    /* Divides integers, because a product of tic number and step would be written as
     * 0.7000000000000001. */
    const double scale = step < 1 ? round(1 / step) : 1;
    const double unit = step < 1 ? 1 : step;
    put_range(canvas, name, first * unit / scale, last * unit / scale, step);
    return first <= 0 && last >= 0;
}

double canvas_log(struct canvas *canvas, const char *name, double low, double high)
{
    const double from = 1 / canvas_step(1 / low), to = canvas_step(high);
    put_range(canvas, name, from, to > from ? to : 2 * to, to);
    return from;
}

void canvas_caption(struct canvas *canvas, const char *format, ...)
{
    va_list list;
    ARENA_MORE(canvas->arena, canvas->caption, canvas->captions);
    va_start(list, format);
    canvas->caption[canvas->captions++] = arena_print_list(canvas->arena, format, list);
    va_end(list);
}

struct gnuplot_file *canvas_close(struct canvas *canvas, enum gnuplot_format format)
{
    struct arena *arena = canvas->arena;
    struct gnuplot_file *file = ARENA_ARRAY(arena, struct gnuplot_file, CANVAS_FILES);
    const char *missing = NULL;
    canvas_number(canvas, "texts", canvas->texts);
    const char *script = arena_print(
        arena, "# %s\nformat = '%s'\n%s\n%s\n%s}\nif (panels) { unset multiplot }\n",
        "sanlab's data and script: change what follows, then run `gnuplot -d script.gp`",
        gnuplot_format_names[format], arena_stream_close(arena, &canvas->head),
        find_template("style"), find_template(canvas->template_name));
    file[0] = (struct gnuplot_file){"script.gp", script, 0};
    file[1] = (struct gnuplot_file){"data.dat", arena_stream_close(arena, &canvas->data), 0};
    file[2] = (struct gnuplot_file){"text.dat", arena_stream_close(arena, &canvas->text), 0};
    file[3] = (struct gnuplot_file){"data.tsv", arena_stream_close(arena, &canvas->table), 0};
    for (int i = 0; i < CANVAS_FILES; i++) file[i].count = strlen(file[i].bytes);
    if (format != GNUPLOT_SVG) /* the program that shows an SVG chooses its fonts */
        file[2].bytes = fonts_drawable(file[2].bytes, &file[2].count, &missing, arena);
    if (missing)
        canvas_caption(canvas, "? replaces characters that no installed font has: %s.", missing);
    return file;
}
