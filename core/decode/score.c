#include "core/decode/score.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "core/base/file.h"

static void check_text(const char *path, int number, const char *line, size_t bytes)
{
    utf8proc_int32_t code;
    for (size_t at = 0; at < bytes;) {
        utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)line + at,
                                                 (utf8proc_ssize_t)(bytes - at), &code);
        if (step <= 0 || code == 0)
            die("%s:%d: byte %zu of the line (0x%02x) is %s; a file of sentences is UTF-8 text",
                path, number, at + 1, (unsigned char)line[at],
                step <= 0 ? "not valid UTF-8" : "a NUL");
        at += (size_t)step;
    }
}

struct score_lines score_read(struct arena *arena, const char *path)
{
    size_t bytes;
    char *text = file_read(arena, path, 0, &bytes), *end = text + bytes;
    if (!bytes) die("%s: is empty; expected one sentence per line", path);
    int count = end[-1] != '\n';
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at))); at++) count++;
    struct score_lines lines = {path, ARENA_ARRAY(arena, const char *, count), 0};
    for (char *at = text; at < end;) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        *stop = 0;
        lines.line[lines.count++] = at;
        check_text(path, lines.count, at, (size_t)(stop - at));
        at = stop + 1;
    }
    return lines;
}

void score_files(const struct bleu_options *options, const char *const *reference, int references,
                 const char *const *hypothesis, int hypotheses, FILE *out)
{
    struct arena arena = {0};
    const char ***line = ARENA_ARRAY(&arena, const char **, references);
    struct score_lines first = {0};
    for (int r = 0; r < references; r++) {
        struct score_lines lines = score_read(&arena, reference[r]);
        if (!r) first = lines;
        if (lines.count != first.count)
            die("%s has %d lines, %s has %d: references must go line by line together", lines.path,
                lines.count, first.path, first.count);
        line[r] = lines.line;
    }
    for (int h = 0; h < hypotheses; h++) {
        struct score_lines lines = score_read(&arena, hypothesis[h]);
        if (lines.count != first.count)
            die("%s has %d lines, its reference %s has %d: nothing was scored", lines.path,
                lines.count, first.path, first.count);
        struct bleu bleu = bleu_corpus(options, lines.line, (const char *const *const *)line,
                                       references, lines.count, NULL);
        if (hypotheses > 1) fprintf(out, "%s\t", lines.path);
        bleu_print(&bleu, options, references, out);
    }
    arena_free(&arena);
}
