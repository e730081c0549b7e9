/* Contrastive evaluation. Both targets of a pair are sentences of one split, so one pass computes
 * all likelihoods. */
#include "core/decode/contrast.h"

#include <string.h>

#include "core/base/elementary.h"
#include "core/base/file.h"
#include "core/decode/likelihood.h"
#include "core/decode/score_files.h"

enum { COLUMNS = 3, TAGS_MOST = 64 };

/* Reads the first line, which determines the number of tags and, if it is a header, their names.
 * Returns true if it is a header. */
static bool read_first(struct contrast_pairs *pairs, const char *const *column, int columns,
                       int lines, struct arena *arena)
{
    const bool header =
        !strcmp(column[0], "source") && !strcmp(column[1], "right") && !strcmp(column[2], "wrong");
    pairs->tags = columns - COLUMNS;
    pairs->tag = ARENA_ARRAY(arena, const char **, pairs->tags + 1);
    pairs->tag_name = ARENA_ARRAY(arena, const char *, pairs->tags + 1);
    for (int t = 0; t < pairs->tags; t++) {
        pairs->tag[t] = ARENA_ARRAY(arena, const char *, lines);
        pairs->tag_name[t] = header ? column[COLUMNS + t] : arena_print(arena, "tag %d", t + 1);
    }
    return header;
}

struct contrast_pairs contrast_read(struct arena *arena, const char *path)
{
    const struct score_lines lines = score_lines_read(arena, path);
    struct contrast_pairs pairs = {.path = path,
                                   .line = ARENA_ARRAY(arena, int, lines.count),
                                   .source = ARENA_ARRAY(arena, const char *, lines.count)};
    for (int k = 0; k < CONTRAST_TARGETS; k++)
        pairs.target[k] = ARENA_ARRAY(arena, const char *, lines.count);
    for (int i = 0; i < lines.count; i++) {
        const char *column[COLUMNS + TAGS_MOST];
        char *line = arena_text(arena, lines.line[i]);
        char *end = strchr(line, '\r');
        if (end && end[1])
            die("%s:%d: a carriage return within the line; expected lines to end in LF or CRLF",
                path, i + 1);
        if (end) *end = 0;
        const int columns = file_cut_columns(line, column, COLUMNS + TAGS_MOST);
        if (columns < COLUMNS || columns > COLUMNS + TAGS_MOST)
            die("%s:%d: %d columns between tabs; expected source, right target, wrong target and "
                "at most %d tags",
                path, i + 1, columns, TAGS_MOST);
        const bool header = !i && read_first(&pairs, column, columns, lines.count, arena);
        if (columns != COLUMNS + pairs.tags)
            die("%s:%d: %d columns, but the first line has %d", path, i + 1, columns,
                COLUMNS + pairs.tags);
        if (header) continue;
        pairs.line[pairs.count] = i + 1;
        pairs.source[pairs.count] = column[0];
        for (int k = 0; k < CONTRAST_TARGETS; k++) pairs.target[k][pairs.count] = column[1 + k];
        for (int t = 0; t < pairs.tags; t++) pairs.tag[t][pairs.count] = column[COLUMNS + t];
        if (!strcmp(column[1], column[2]))
            die("%s:%d: the right and the wrong target are equal; expected different targets", path,
                i + 1);
        pairs.count++;
    }
    if (!pairs.count) die("%s: no pair after the first line", path);
    return pairs;
}

bool contrast_prefers(const struct contrast *contrast, bool per_piece)
{
    double value[CONTRAST_TARGETS];
    for (int k = 0; k < CONTRAST_TARGETS; k++)
        value[k] = contrast->log_p[k] / (per_piece ? contrast->pieces[k] : 1);
    return value[CONTRAST_RIGHT] > value[CONTRAST_WRONG];
}

double contrast_share(const struct contrast *contrast)
{
    const double *log_p = contrast->log_p;
    return 1 / (1 + elementary_exp(log_p[CONTRAST_WRONG] - log_p[CONTRAST_RIGHT]));
}

/* Returns a split with every target and its source. Sentence 2i has the right target of pair i,
 * sentence 2i + 1 the wrong target. */
static struct split split_of(const struct contrast_pairs *pairs, const struct corpus *corpus,
                             struct arena *arena)
{
    const int count = CONTRAST_TARGETS * pairs->count;
    struct split split = {.sentences = count};
    for (int side = 0; side < SIDES; side++) {
        const char **line = ARENA_ARRAY(arena, const char *, count);
        for (int i = 0; i < count; i++)
            line[i] = side == SIDE_SOURCE
                          ? pairs->source[i / CONTRAST_TARGETS]
                          : pairs->target[i % CONTRAST_TARGETS][i / CONTRAST_TARGETS];
        int first;
        if (corpus_encode_lines(&split, corpus, (enum side_name)side, line, &first, arena))
            die("%s:%d: the %s has more than %d pieces", pairs->path,
                pairs->line[first / CONTRAST_TARGETS], side_names[side], CORPUS_LINE_PIECES);
    }
    return split;
}

struct contrast *contrast_judge(const struct frozen *frozen, const struct contrast_pairs *pairs,
                                struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct contrast *result = ARENA_ARRAY(arena, struct contrast, pairs->count);
    const struct split split = split_of(pairs, frozen->job.corpus, &scratch);
    const struct likelihood *of = likelihood_split(frozen, &split, &scratch);
    for (int i = 0; i < pairs->count; i++)
        for (int k = 0; k < CONTRAST_TARGETS; k++) {
            result[i].log_p[k] = -of[CONTRAST_TARGETS * i + k].nats;
            result[i].pieces[k] = of[CONTRAST_TARGETS * i + k].tokens;
        }
    return result;
}
