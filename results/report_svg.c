#include "results/report_svg.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "results/escape.h"

/* Elements; those after the NULL are left out with all that is in them. */
static const char *const elements[] = {
    "svg",         "g",       "defs",     "path",  "circle", "rect",           "line",   "polygon",
    "polyline",    "ellipse", "text",     "tspan", "use",    "pattern",        "filter", "feFlood",
    "feComposite", "feBlend", "clipPath", "mask",  "image",  "linearGradient", "stop",   NULL};
static const char *const left_out[] = {"title", "desc", NULL};

static const char *const attributes[] = {"id",
                                         "d",
                                         "x",
                                         "y",
                                         "x1",
                                         "y1",
                                         "x2",
                                         "y2",
                                         "cx",
                                         "cy",
                                         "r",
                                         "rx",
                                         "ry",
                                         "dx",
                                         "dy",
                                         "width",
                                         "height",
                                         "points",
                                         "transform",
                                         "viewBox",
                                         "preserveAspectRatio",
                                         "shape-rendering",
                                         "fill",
                                         "fill-opacity",
                                         "fill-rule",
                                         "stroke",
                                         "stroke-width",
                                         "stroke-opacity",
                                         "stroke-linecap",
                                         "stroke-linejoin",
                                         "stroke-dasharray",
                                         "stroke-miterlimit",
                                         "opacity",
                                         "color",
                                         "style",
                                         "class",
                                         "font-family",
                                         "font-size",
                                         "font-weight",
                                         "font-style",
                                         "text-anchor",
                                         "text-decoration",
                                         "text-rendering",
                                         "baseline-shift",
                                         "letter-spacing",
                                         "patternUnits",
                                         "filterUnits",
                                         "flood-color",
                                         "flood-opacity",
                                         "in",
                                         "in2",
                                         "mode",
                                         "operator",
                                         "result",
                                         "clip-path",
                                         "mask",
                                         "filter",
                                         "offset",
                                         "stop-color",
                                         "xml:space",
                                         "xlink:href",
                                         "xmlns",
                                         "xmlns:xlink",
                                         NULL};

/* Of the drawing itself, which stands in the page: nothing that could lay it over other things. */
static const char *const root_attributes[] = {
    "width", "height", "viewBox", "preserveAspectRatio", "xmlns", "xmlns:xlink", NULL};

enum { DEPTH = 64 };

struct drawing {
    const char *at;
    const char *prefix, *label;
    FILE *out;
    struct arena *arena;
    const char *complaint; /* NULL as long as all is well */
    const char *open[DEPTH];
    int depth;
    int silent; /* depth at which an element began that is left out; 0: none */
};

static bool is_one_of(const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(list[i], word)) return true;
    return false;
}

static bool refuse(struct drawing *drawing, const char *what, const char *word)
{
    if (!drawing->complaint)
        drawing->complaint = arena_print(drawing->arena, "%s \"%.40s\"", what, word);
    return false;
}

static void put(struct drawing *drawing, const char *text, size_t bytes)
{
    if (!drawing->silent) fwrite(text, 1, bytes, drawing->out);
}

static void skip_blanks(struct drawing *drawing)
{
    drawing->at += strspn(drawing->at, " \t\r\n");
}

static const char *take_name(struct drawing *drawing)
{
    const char *start = drawing->at;
    while (isalnum((unsigned char)*drawing->at) || (*drawing->at && strchr(":-_", *drawing->at)))
        drawing->at++;
    return arena_text_range(drawing->arena, start, (size_t)(drawing->at - start));
}

/* References stay within the drawing; an image carries its pixels with it. */
static bool put_reference(struct drawing *drawing, const char *value)
{
    static const char pixels[] = "data:image/png;base64,";
    static const char base64[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    if (*value == '#') {
        if (!drawing->silent) fprintf(drawing->out, "#%s%s", drawing->prefix, value + 1);
        return true;
    }
    size_t length = sizeof pixels - 1;
    if (strncmp(value, pixels, length) || strlen(value + length) != strspn(value + length, base64))
        return refuse(drawing, "a reference to the outside,", value);
    put(drawing, value, strlen(value));
    return true;
}

/* A value as it is, but with the ids that it names prefixed: url(#gpPat1). */
static bool put_value(struct drawing *drawing, const char *value)
{
    static const char call[] = "url(";
    if (strpbrk(value, "&\\<>\"'")) return refuse(drawing, "an attribute with", value);
    for (const char *at; (at = strcasestr(value, call)); value = at) {
        at += sizeof call - 1;
        if (*at++ != '#') return refuse(drawing, "a reference to the outside,", value);
        put(drawing, value, (size_t)(at - value));
        put(drawing, drawing->prefix, strlen(drawing->prefix));
    }
    put(drawing, value, strlen(value));
    return true;
}

/* NAME = 'VALUE' */
static bool take_attribute(struct drawing *drawing)
{
    const char *name = take_name(drawing);
    if (!is_one_of(name, drawing->depth == 1 ? root_attributes : attributes))
        return refuse(drawing, "an attribute", name);
    skip_blanks(drawing);
    if (*drawing->at != '=') return refuse(drawing, "an attribute without value,", name);
    drawing->at++;
    skip_blanks(drawing);
    char quote = *drawing->at;
    const char *end = quote == '"' || quote == '\'' ? strchr(drawing->at + 1, quote) : NULL;
    if (!end) return refuse(drawing, "an attribute without quotes,", name);
    const char *value =
        arena_text_range(drawing->arena, drawing->at + 1, (size_t)(end - drawing->at - 1));
    drawing->at = end + 1;
    if (!drawing->silent) fprintf(drawing->out, " %s=\"", name);
    if (!strcmp(name, "id")) put(drawing, drawing->prefix, strlen(drawing->prefix));
    bool good =
        !strcmp(name, "xlink:href") ? put_reference(drawing, value) : put_value(drawing, value);
    put(drawing, "\"", 1);
    return good;
}

static bool take_opening(struct drawing *drawing)
{
    const char *name = take_name(drawing);
    bool silent = is_one_of(name, left_out);
    if (!silent && !is_one_of(name, elements)) return refuse(drawing, "an element", name);
    if ((drawing->depth == 0) != !strcmp(name, "svg"))
        return refuse(drawing, "out of its place, the element", name);
    if (drawing->depth == DEPTH) return refuse(drawing, "too deep, the element", name);
    drawing->open[drawing->depth++] = name;
    if (silent && !drawing->silent) drawing->silent = drawing->depth;
    if (!drawing->silent) fprintf(drawing->out, "<%s", name);
    if (drawing->depth == 1) {
        fputs(" role=\"img\" aria-label=\"", drawing->out);
        escape_html(drawing->label, drawing->out);
        fputs("\"", drawing->out);
    }
    for (;;) {
        skip_blanks(drawing);
        bool closed = drawing->at[0] == '/' && drawing->at[1] == '>';
        if (closed || *drawing->at == '>') {
            drawing->at += closed ? 2 : 1;
            put(drawing, closed ? "/>" : ">", closed ? 2 : 1);
            if (!closed) return true;
            if (drawing->silent == drawing->depth) drawing->silent = 0;
            drawing->depth--;
            return true;
        }
        if (!take_attribute(drawing)) return false;
    }
}

static bool take_closing(struct drawing *drawing)
{
    const char *name = take_name(drawing);
    skip_blanks(drawing);
    if (!drawing->depth || strcmp(drawing->open[drawing->depth - 1], name) || *drawing->at != '>')
        return refuse(drawing, "the end of something else,", name);
    drawing->at++;
    if (!drawing->silent) fprintf(drawing->out, "</%s>", name);
    if (drawing->silent == drawing->depth) drawing->silent = 0;
    drawing->depth--;
    return true;
}

/* Text between elements, whose only markup is that of characters: &lt; &#177; */
static bool take_text(struct drawing *drawing)
{
    while (*drawing->at && *drawing->at != '<') {
        const char *start = drawing->at;
        if (*start == '&') {
            size_t length = 1 + (start[1] == '#');
            while (isalnum((unsigned char)start[length]) && length < 12) length++;
            if (start[length] != ';' || length < 3)
                return refuse(drawing, "text with",
                              arena_text_range(drawing->arena, start, length));
            drawing->at += length + 1;
        } else {
            drawing->at += strcspn(start, "<&");
        }
        put(drawing, start, (size_t)(drawing->at - start));
    }
    return true;
}

/* <?xml ..?> and comments say nothing to a page. */
static bool skip_to(struct drawing *drawing, const char *end)
{
    const char *found = strstr(drawing->at, end);
    if (!found) return refuse(drawing, "no end", end);
    drawing->at = found + strlen(end);
    return true;
}

static bool take_next(struct drawing *drawing)
{
    if (*drawing->at != '<') {
        if (drawing->depth) return take_text(drawing);
        skip_blanks(drawing);
        return !*drawing->at || *drawing->at == '<' ||
               refuse(drawing, "text outside,", drawing->at);
    }
    if (!strncmp(drawing->at, "<?xml", 5) && !drawing->depth) return skip_to(drawing, "?>");
    if (!strncmp(drawing->at, "<!--", 4)) return skip_to(drawing, "-->");
    if (drawing->at[1] == '/') {
        drawing->at += 2;
        return take_closing(drawing);
    }
    drawing->at++;
    return take_opening(drawing);
}

const char *report_svg(struct arena *arena, const char *svg, const char *prefix, const char *label,
                       const char **complaint)
{
    char *made;
    size_t bytes;
    FILE *out = open_memstream(&made, &bytes);
    CHECK(out, "no memory for a drawing");
    struct drawing drawing = {
        .at = svg, .prefix = prefix, .label = label, .out = out, .arena = arena};
    bool good = true;
    while (good && *drawing.at) good = take_next(&drawing);
    fclose(out);
    if (good && drawing.depth)
        good = refuse(&drawing, "no end of", drawing.open[drawing.depth - 1]);
    if (good && !bytes) good = refuse(&drawing, "no drawing,", svg);
    const char *clean = good ? arena_text_range(arena, made, bytes) : NULL;
    free(made);
    *complaint = drawing.complaint;
    return clean;
}
