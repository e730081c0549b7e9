/* A legend or a list of tics is laid out by the width of its widest name; the page then grows, and
 * what stands around the data never gets more than half of its height. */
#include "plots/names.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "results/sheet/cell.h"

enum {
    WIDE = 994, /* pixels: 17.4 cm */
    MARGIN = 30,
    SAMPLE = 44,  /* of a line with its point, and the gap to the next column */
    ENTRY = 426,  /* most pixels of a legend's name: two columns */
    BESIDE = 440, /* of a tic beside the data */
    PITCH = 14,   /* of the legend's lines */
    BELOW = 80,   /* the axis below the data and the margin above, */
    LINE = 20,    /* and each line more of its tics */
    AROUND = 120, /* what axes take of the width, at most */
    COMPACT = 4   /* lines of gnuplot's own legend */
};

/* One character of `bytes` bytes. */
static double character_width(const char *text, size_t bytes)
{
    static const char *const classes[] = {"ijl", "fIrtJ,.;:'|!()[]{}/\\ -", "mwMWOQ@%&+=<>~^#_"};
    static const double width[] = {0.28, 0.42, 1.0};
    if (bytes > 1) return 1;
    for (size_t i = 0; i < COUNT_OF(width); i++)
        if (strchr(classes[i], *text)) return width[i];
    return *text >= 'A' && *text <= 'Z' ? 0.79 : 0.64;
}

static size_t character_bytes(const char *text)
{
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xc0) == 0x80) bytes++;
    return bytes;
}

double names_width(const char *text)
{
    double width = 0;
    for (size_t bytes; *text; text += bytes) {
        bytes = character_bytes(text);
        width += character_width(text, bytes);
    }
    return width;
}

const char *names_cut(struct canvas *canvas, const char *text, double width, int number,
                      const char **full)
{
    if (names_width(text) <= width && strlen(text) < CANVAS_TEXT_MOST) return text;
    const char *before = arena_print(canvas->arena, "%d: ", number), *head = text, *tail = text;
    *full =
        cell_append(*full, "; ", arena_print(canvas->arena, "%s%s", before, text), canvas->arena);
    const double left = fmax(0, (width - names_width(before) - names_width("…")) / 2);
    for (double used = 0; *head; head += character_bytes(head)) {
        used += character_width(head, character_bytes(head));
        if (used > left || head - text > CANVAS_TEXT_MOST / 3) break;
    }
    while (names_width(tail) > left || strlen(tail) > CANVAS_TEXT_MOST / 3)
        tail += character_bytes(tail);
    return arena_print(canvas->arena, "%s%.*s…%s", before, (int)(head - text), text, tail);
}

void names_note(struct canvas *canvas, const char *full)
{
    if (full) canvas_caption(canvas, "In full: %s.", full);
}

static double widest(const char *const *text, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, names_width(text[i]));
    return most;
}

static int lines_of(int count, double room, double each)
{
    const int columns = (int)(room / each);
    return columns ? (count + columns - 1) / columns : count + COMPACT;
}

/* What stands around the data leaves it more than half. */
static void take_height(struct canvas *canvas, int more)
{
    canvas->around += more;
    canvas->height = (int)fmax(canvas->height, 2 * (BELOW + canvas->around));
}

static const char **cut_entries(struct canvas *canvas, const char *const *text, int count,
                                const char **full)
{
    const char **name = ARENA_ARRAY(canvas->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        name[i] = names_cut(canvas, text[i], (double)ENTRY / NAMES_SMALL, i + 1, full);
    return name;
}

/* Names, which are the canvas's last texts, in columns above the data. */
static void put_columns(struct canvas *canvas, const char *const *name, int count)
{
    const int least =
                  lines_of(count, WIDE - 2 * MARGIN, widest(name, count) * NAMES_SMALL + SAMPLE),
              across = (count + least - 1) / least;
    canvas->legend = (count + across - 1) / across;
    canvas_number(canvas, "legend_text", canvas->texts - count);
    canvas_number(canvas, "legend_cell", (double)(WIDE - 2 * MARGIN) / across);
    const int above = PITCH * (canvas->legend + 1);
    canvas->width = WIDE;
    canvas->height = (int)fmax(canvas->height, CANVAS_HEIGHT + above);
    canvas_number(canvas, "legend_above", above);
    take_height(canvas, above);
}

void names_put_columns(struct canvas *canvas, const char *key, const char *const *text, int count)
{
    const char *full = NULL, **name = cut_entries(canvas, text, count, &full);
    for (int i = 0; i < count; i++) canvas_text(canvas, i ? NULL : key, name[i]);
    put_columns(canvas, name, count);
    names_note(canvas, full);
}

void names_put_legend(struct canvas *canvas, const char *key, const char *const *text, int count,
                      int letters)
{
    enum { ROOM = CANVAS_WIDTH - AROUND };
    const double width = widest(text, count) * letters;
    const bool columns = lines_of(count, ROOM, width + SAMPLE) > COMPACT;
    const char *full = NULL, **name = cut_entries(canvas, text, count, &full);
    for (int i = 0; i < count; i++) canvas_text(canvas, i ? NULL : key, name[i]);
    canvas_number(canvas, "key_columns", fmax(1, floor(ROOM / (width + SAMPLE))));
    if (!columns) {
        take_height(canvas, LINE * lines_of(count, ROOM, width + SAMPLE));
        return;
    }
    put_columns(canvas, name, count);
    names_note(canvas, full);
}

/* How many lines a text takes below its tic; 0: it does not fit there. */
static int lines_below(struct canvas *canvas, const char *text, int most, double room)
{
    enum { LINES = 3, SPARE = 2, NARROW = 6 }; /* a letter or two more do no harm where many fit */
    int lines = 1;
    char *line = canvas_broken(canvas, text, most);
    for (char *end; *line; line = end) {
        end = line + strcspn(line, "\1");
        const bool last = !*end;
        *end = 0;
        if (end - line > most + (most < NARROW ? 0 : SPARE)) return 0;
        if (names_width(line) * NAMES_LETTERS > room) return 0;
        if (last) break;
        lines++;
        end++;
    }
    return lines > LINES || (most < NARROW && lines > 1) ? 0 : lines;
}

/* Lines of tics, and of the label below them. */
static void put_below(struct canvas *canvas, int lines, int label)
{
    take_height(canvas, LINE * (lines - 1 + (label > 1 ? label - 1 : 0)));
    canvas_number(canvas, "lines", lines);
    canvas_number(canvas, "labeled", label);
}

bool names_put_upright(struct canvas *canvas, const char *const *text, int count, int width,
                       int label)
{
    const int across = width * canvas->width / CANVAS_WIDTH,
              most = across / (count > 1 ? count : 1);
    const double room = (double)(canvas->width - AROUND) / (count > 1 ? count : 1);
    int lines = 1;
    for (int i = 0; i < count; i++) {
        const int needed = lines_below(canvas, text[i], most, room);
        if (!needed) return false;
        if (needed > lines) lines = needed;
    }
    for (int i = 0; i < count; i++) canvas_tic(canvas, i ? NULL : "name", text[i], most);
    put_below(canvas, lines, label);
    return true;
}

void names_put_below(struct canvas *canvas, const char *const *text, int count, int width,
                     int label)
{
    const char *full = NULL, **name = ARENA_ARRAY(canvas->arena, const char *, count + 1);
    if (names_put_upright(canvas, text, count, width, label)) return;
    canvas->width = WIDE;
    if (names_put_upright(canvas, text, count, width, label)) return;
    const double room = (double)(WIDE - AROUND) / count / NAMES_LETTERS - 0.6;
    for (int i = 0; i < count; i++) name[i] = names_cut(canvas, text[i], room, i + 1, &full);
    for (int i = 0; i < count; i++) canvas_tic(canvas, i ? NULL : "name", name[i], INT_MAX);
    put_below(canvas, 1, label);
    names_note(canvas, full);
}

void names_put_scale(struct canvas *canvas, const char *const *text, const double *x, int count,
                     double length, int label)
{
    double free = -INFINITY; /* from here on nothing is written yet, in pixels */
    for (int i = 0; i < count; i++) {
        const double at = x[i] / length * (canvas->width - AROUND),
                     half = names_width(text[i]) * NAMES_LETTERS / 2;
        const bool fits = at - half > free;
        canvas_tic(canvas, i ? NULL : "name", fits ? text[i] : "", INT_MAX);
        if (fits) free = at + half + 6;
    }
    put_below(canvas, 1, label);
}

void names_put_lying(struct canvas *canvas, const char *const *text, int count, double high,
                     int label)
{
    const char *full = NULL, **name = ARENA_ARRAY(canvas->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        name[i] = names_cut(canvas, text[i], (double)BESIDE / NAMES_SMALL, i + 1, &full);
    for (int i = 0; i < count; i++) canvas_tic(canvas, i ? NULL : "name", name[i], INT_MAX);
    const double left = widest(name, count) * NAMES_SMALL + 14 + (label ? 4 + LINE * label : 0);
    if (left > 0.42 * canvas->width) canvas->width = WIDE;
    canvas->height = (int)fmax(canvas->height, count * high + 2 * BELOW);
    canvas->left = left;
    canvas_number(canvas, "labeled", label);
    names_note(canvas, full);
}
