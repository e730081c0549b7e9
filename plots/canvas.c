/* Numbers go to the head of the script and to data.dat, texts to text.dat alone: gnuplot executes
 * a script, but data it only reads. A text is cut and broken into lines here, and its mathematics
 * becomes plain. */
#include "plots/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "plots/fonts.h"
#include "results/sheet/escape.h"
#include "results/sheet/sheet.h"

enum {
    LABEL_MOST = 34, /* bytes of a line of an axis label */
    CAPTIONS = 64
};

static const char table_header[] =
    "row\tgroup\taxis\tplace\tcolumn\tseed\tvalue\tmean\tlow\thigh\n";

static const struct {
    const char *name, *text;
} templates[] = {
#define TEMPLATE(name, text) {#name, text},
#include "template.def"
#undef TEMPLATE
};

/* 480 by 320 pixels are 8.4 cm, the column of a paper, by 5.6 cm; letters of 6.5 points, of
 * which Pango has 96 in an inch and a page has 72. A PNG has 300 dots per inch. */
static const char *terminal(const struct canvas *canvas, enum gnuplot_format format)
{
    const int width = canvas->width, height = canvas->height;
    const double cm = 8.4 / CANVAS_WIDTH, dots = 992.0 / CANVAS_WIDTH;
    if (format == GNUPLOT_SVG)
        return arena_print(canvas->arena,
                           "svg size %d,%d fixed noenhanced font 'sans-serif,13' linewidth 1.4",
                           width, height);
    if (format == GNUPLOT_PDF)
        return arena_print(canvas->arena,
                           "pdfcairo size %gcm,%gcm noenhanced font 'Sans,6.5' fontscale 0.75 "
                           "linewidth 1",
                           width * cm, height * cm);
    return arena_print(canvas->arena,
                       "pngcairo size %d,%d noenhanced font 'Sans,6.5' fontscale 3.125 "
                       "linewidth 4.1667 pointscale 4.1667",
                       (int)(width * dots), (int)(height * dots));
}

static const char *find_template(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(templates); i++)
        if (!strcmp(templates[i].name, name)) return templates[i].text;
    CHECK(false, "there is no template %s", name);
    return NULL;
}

struct canvas canvas_open(struct arena *arena, const char *template_name)
{
    return (struct canvas){.arena = arena,
                           .width = CANVAS_WIDTH,
                           .height = CANVAS_HEIGHT,
                           .template_name = template_name,
                           .caption = ARENA_ARRAY(arena, const char *, CAPTIONS)};
}

/* A stream is made when it is first written to: a canvas can be moved until then. */
static FILE *stream_of(struct canvas_file *file)
{
    if (!file->stream) file->stream = heap_stream(&file->bytes, &file->count);
    return file->stream;
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
    fprintf(stream_of(&canvas->head), "%s = %s\n", name, number(value, text));
}

/* At most `most` bytes, ending with a whole character. */
static char *cut(struct canvas *canvas, const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most) return arena_text(canvas->arena, text);
    length = most - strlen("…");
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
    return arena_print(canvas->arena, "%.*s…", (int)length, text);
}

/* Without control characters, in one line. */
static void put_plain(struct canvas *canvas, const char *text, size_t bytes, FILE *out)
{
    char *copy = arena_text_range(canvas->arena, text, bytes);
    for (char *at = copy; *at; at++)
        if (*at == '\n' || *at == '\t') *at = ' ';
    sheet_put(copy, out);
}

/* A text as gnuplot reads it back: `stringcolumn` resolves octal escapes, of four digits when the
 * first one is 0. A byte 1 is a line break of ours. */
static void put_text(struct canvas *canvas, const char *text, FILE *out)
{
    char *masked;
    size_t length;
    FILE *mask = heap_stream(&masked, &length);
    for (const char *line = text; *line;) {
        const size_t part = strcspn(line, "\1");
        put_plain(canvas, line, part, mask);
        line += part;
        if (*line == '\1') {
            fputc('\n', mask);
            line++;
        }
    }
    fclose(mask);
    for (size_t i = 0; i < length; i++) {
        const unsigned char c = (unsigned char)masked[i];
        const bool edge = c == ' ' && (i == 0 || i + 1 == length);
        if (c == '"' || c == '\\' || c == '\n' || edge)
            fprintf(out, "\\0%03o", c);
        else
            fputc(c, out);
    }
    if (!length) fputs("\\0040", out); /* an empty line would end the data */
    fputc('\n', out);
    free(masked);
}

void canvas_text(struct canvas *canvas, const char *name, const char *text)
{
    canvas->texts++;
    if (name) canvas_number(canvas, name, canvas->texts);
    text = escape_plain(canvas->arena, text);
    put_text(canvas, cut(canvas, text, CANVAS_TEXT_MOST), stream_of(&canvas->text));
}

/* Lines of at most so many bytes where blanks allow it; a byte 1 breaks them. */
static void break_lines(char *text, int most)
{
    char *line = text, *blank = NULL;
    for (char *at = text;; at++) {
        if (*at && *at != ' ' && *at != '\1') continue;
        if (blank && at - line > most) { /* this word does not fit behind the earlier ones */
            *blank = '\1';
            line = blank + 1;
        }
        blank = *at == ' ' ? at : NULL;
        if (*at == '\1') line = at + 1;
        if (!*at) break;
    }
}

char *canvas_broken(struct canvas *canvas, const char *text, int most)
{
    char *broken = cut(canvas, text, CANVAS_TEXT_MOST);
    break_lines(broken, most);
    return broken;
}

void canvas_tic(struct canvas *canvas, const char *name, const char *text, int most)
{
    char *doubled = ARENA_ARRAY(canvas->arena, char, 4 * strlen(text) + 1), *to = doubled;
    for (const char *at = canvas_broken(canvas, text, most); *at; at++) {
        if (*at == '%') *to++ = '%';
        *to++ = *at;
    }
    canvas_text(canvas, name, doubled);
}

int canvas_label(struct canvas *canvas, const char *name, const char *text)
{
    const char *label = canvas_broken(canvas, text, LABEL_MOST);
    int lines = *label != 0;
    for (const char *at = label; *at; at++) lines += *at == '\1';
    canvas_text(canvas, name, label);
    return lines;
}

void canvas_row(struct canvas *canvas, const double *value, int count)
{
    char text[REAL_TEXT];
    for (int i = 0; i < count; i++)
        fprintf(stream_of(&canvas->data), "%s%s", i ? "\t" : "", number(value[i], text));
    fputc('\n', stream_of(&canvas->data));
}

void canvas_next_series(struct canvas *canvas)
{
    fputs("\n\n", stream_of(&canvas->data));
}

void canvas_record(struct canvas *canvas, const struct canvas_record *record)
{
    const char *const text[] = {record->row,   record->group,  record->axis,
                                record->place, record->column, record->seed};
    const double value[] = {record->value, record->mean, record->low, record->high};
    FILE *out = stream_of(&canvas->table);
    for (size_t i = 0; i < COUNT_OF(text); i++) {
        if (text[i]) put_plain(canvas, text[i], strlen(text[i]), out);
        fputc('\t', out);
    }
    for (size_t i = 0; i < COUNT_OF(value); i++) {
        char digits[REAL_TEXT];
        if (i) fputc('\t', out);
        if (isfinite(value[i])) fputs(number(value[i], digits), out);
    }
    fputc('\n', out);
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

bool canvas_axis(struct canvas *canvas, const char *name, double low, double high, double below,
                 double above)
{
    double span = high - low;
    if (!(span > 0)) span = fabs(high) > 0 ? fabs(high) / 10 : 1;
    const double from = low >= 0 ? fmax(0, low - below * span) : low - below * span;
    const double to = high + above * span, step = canvas_step((to - from) / 6);
    const double first = floor(from / step + 1e-9), last = ceil(to / step - 1e-9);
    /* Multiples of powers of ten, so that 0.7 is not written as 0.7000000000000001. */
    const double scale = step < 1 ? round(1 / step) : 1;
    const double unit = step < 1 ? 1 : step;
    const char *what[] = {"low", "high", "step"};
    const double value[] = {first * unit / scale, last * unit / scale, step};
    for (size_t i = 0; i < COUNT_OF(what); i++)
        canvas_number(canvas, arena_print(canvas->arena, "%s_%s", name, what[i]), value[i]);
    return value[0] <= 0 && value[1] >= 0;
}

void canvas_caption(struct canvas *canvas, const char *format, ...)
{
    va_list list;
    if (canvas->captions == CAPTIONS) return;
    va_start(list, format);
    canvas->caption[canvas->captions++] =
        escape_plain(canvas->arena, arena_print_list(canvas->arena, format, list));
    va_end(list);
}

/* An SVG leaves it to its reader which fonts there are. */
static const char *draw_what_is_there(struct canvas *canvas, const char *text, size_t *bytes)
{
    const char *missing;
    text = fonts_drawable(text, bytes, &missing, canvas->arena);
    if (missing) canvas_caption(canvas, "? stands for what no font here has: %s.", missing);
    return text;
}

void canvas_close(struct canvas *canvas, enum gnuplot_format format,
                  struct gnuplot_file file[CANVAS_FILES])
{
    canvas_number(canvas, "texts", canvas->texts);
    canvas_number(canvas, "dot",
                  format == GNUPLOT_SVG ? 1.5 : 1); /* it has its own idea of points */
    canvas_number(canvas, "page_width", canvas->width);
    canvas_number(canvas, "page_height", canvas->height);
    canvas_number(canvas, "legend", canvas->legend);
    canvas_number(canvas, "lying", canvas->left);
    struct canvas_file *const made[CANVAS_FILES] = {&canvas->head, &canvas->data, &canvas->text,
                                                    &canvas->table};
    for (int i = 0; i < CANVAS_FILES; i++) fclose(stream_of(made[i]));
    const char *script = arena_print(
        canvas->arena, "# %s\nset terminal %s\nset output 'figure.%s'\n%s\n%s\n%s",
        "sanlab's data and script: change what follows, then run `gnuplot -d script.gp`",
        terminal(canvas, format), gnuplot_format_names[format], canvas->head.bytes,
        find_template("style"), find_template(canvas->template_name));
    static const char *const names[] = {"script.gp", "data.dat", "text.dat", "data.tsv"};
    for (int i = 0; i < CANVAS_FILES; i++) {
        const char *bytes = made[i]->bytes;
        bytes = i == 0   ? script
                : i == 3 ? arena_print(canvas->arena, "%s%s", table_header, bytes)
                         : arena_text(canvas->arena, bytes);
        size_t count = strlen(bytes);
        if (made[i] == &canvas->text && format != GNUPLOT_SVG)
            bytes = draw_what_is_there(canvas, bytes, &count);
        file[i] = (struct gnuplot_file){names[i], bytes, count};
        free(made[i]->bytes);
    }
}
