/* Input files. One pattern names the files of both sides of a part. All files are looked up before
 * the first file is read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/corpus/corpus_sources.h"

const char *corpus_find_file(struct arena *arena, const char *path)
{
    if (path[0] == '/') return file_exists(path) ? path : NULL;
    const char *folder = getenv("SANLAB_DATA");
    const bool own = folder && folder[0];
    const char *file = own ? arena_print(arena, "%s/%s", folder, path) : NULL;
    if (file && file_exists(file)) return file;
    file = arena_print(arena, "data/%s", path);
    if (!file_exists(file)) return NULL;
    if (own && !file_is_folder(folder)) /* almost certainly an error of the user */
        die("$SANLAB_DATA: no folder %s; %s would be read instead; set an existing folder, or "
            "unset the variable",
            folder, file);
    return file;
}

static bool has_files(const struct corpus_options *options, enum split_name split)
{
    const struct texts *part = &options->part[split];
    return part->count > 1 || (part->count == 1 && part->text[0][0]);
}

bool corpus_has_split(const struct corpus_options *options, enum split_name split)
{
    return has_files(options, split) || (split == SPLIT_DEV && options->dev_every);
}

/* Returns the number of further references of the test. */
static int count_references(const struct corpus_options *options)
{
    const struct texts *list = &options->references;
    const int count = list->count == 1 && !list->text[0][0] ? 0 : list->count;
    for (int i = 0; i < count; i++)
        if (!list->text[i][0]) die_at(list->location[i], "corpus.test_references: expected a path");
    if (count && !has_files(options, SPLIT_TEST))
        die_at(list->location[0],
               "corpus.test_references: corpus.test is missing; expected the test "
               "of these references");
    return count;
}

static void check(const struct corpus_options *options)
{
    const int source = options->field[SIDE_SOURCE], target = options->field[SIDE_TARGET];
    if (!strcmp(options->source, options->target))
        die("corpus.source and corpus.target are both \"%s\": expected two languages",
            options->source);
    if (!has_files(options, SPLIT_TRAIN)) die("corpus.train is empty: expected a path");
    for (int split = 0; split < SPLITS; split++)
        for (int i = 0; has_files(options, split) && i < options->part[split].count; i++)
            if (!options->part[split].text[i][0])
                die_at(options->part[split].location[i], "corpus.%s: expected a path",
                       split_names[split]);
    if (options->dev_every && has_files(options, SPLIT_DEV))
        die("corpus.dev and corpus.dev_every are both given: expected one of them");
    if (options->dev_every == 1)
        die("corpus.dev_every: 1 leaves nothing for train: expected 0 or at least 2");
    if (options->segmented && options->text != CORPUS_RAW)
        die("corpus.segmented: true needs corpus.text: raw; blanks separate tokens");
    if (!options->separator[0])
        die("corpus.separator is empty: expected the text between two fields");
    if (!source || !target || source == target)
        die("corpus.source_field %d, target_field %d: expected two fields, from 1, or from -1 at "
            "the end",
            source, target);
    if (options->train_max_ratio > 0 && options->train_max_ratio < 1)
        die("corpus.train_max_ratio: expected 0 or at least 1: the longer side is divided by the "
            "shorter");
}

/* Returns the path of a side. For "a/{x|y}.b", the source has "a/x.b" and the target "a/y.b". If
 * there are no braces, appends ".LANGUAGE". */
static const char *side_path(struct arena *arena, const char *path, const char *language,
                             enum side_name side)
{
    const char *open = strchr(path, '{');
    if (!open) return arena_print(arena, "%s.%s", path, language);
    const char *result = "", *at = path;
    for (; (open = strchr(at, '{'));) {
        const char *bar = strchr(open, '|'), *close = strchr(open, '}');
        if (!bar || !close || bar > close || memchr(bar + 1, '|', (size_t)(close - bar - 1)))
            die("corpus: %s: expected {SOURCE|TARGET} in the path, or no brace", path);
        const char *from = side == SIDE_SOURCE ? open + 1 : bar + 1,
                   *to = side == SIDE_SOURCE ? bar : close;
        result =
            arena_print(arena, "%s%.*s%.*s", result, (int)(open - at), at, (int)(to - from), from);
        at = close + 1;
    }
    return arena_print(arena, "%s%s", result, at);
}

static const struct corpus_input *add_input(struct corpus_sources *sources, struct arena *arena,
                                            const char *name, int part, const char *path)
{
    struct corpus_input *input = &sources->input[sources->inputs++];
    input->name = part ? arena_print(arena, "%s.%d", name, part + 1) : name;
    input->path = path;
    input->file = corpus_find_file(arena, path);
    return input;
}

struct corpus_sources corpus_sources(const struct corpus_options *options, struct arena *arena,
                                     void (*digest)(const char *path, char text[DIGEST_TEXT]))
{
    const char *language[SIDES] = {options->source, options->target};
    check(options);
    int most = 0;
    const int references = count_references(options);
    for (int split = 0; split < SPLITS; split++) most += options->part[split].count;
    struct corpus_sources sources = {
        .part = ARENA_ARRAY(arena, struct corpus_part, most),
        .input = ARENA_ARRAY(arena, struct corpus_input, SIDES * most + references + 1)};
    for (int split = 0; split < SPLITS; split++)
        for (int i = 0; has_files(options, split) && i < options->part[split].count; i++) {
            const char *path = options->part[split].text[i];
            struct corpus_part *part = &sources.part[sources.parts++];
            part->split = split;
            for (int side = 0; side < SIDES; side++)
                if (options->format[split] != READER_FIELDS)
                    part->side[side] =
                        add_input(&sources, arena,
                                  arena_print(arena, "%s.%s", split_names[split], side_names[side]),
                                  i, side_path(arena, path, language[side], side));
            if (options->format[split] == READER_FIELDS)
                part->side[SIDE_SOURCE] = part->side[SIDE_TARGET] = add_input(
                    &sources, arena, arena_print(arena, "%s.both", split_names[split]), i, path);
        }
    sources.reference = &sources.input[sources.inputs];
    for (; sources.references < references; sources.references++)
        add_input(&sources, arena, "test.reference", sources.references,
                  options->references.text[sources.references]);
    if (options->codes[0]) sources.codes = add_input(&sources, arena, "codes", 0, options->codes);
    for (int i = 0; digest && i < sources.inputs; i++)
        if (sources.input[i].file) digest(sources.input[i].file, sources.input[i].digest);
    return sources;
}

struct reader_layout corpus_layout(const struct corpus_options *options, enum split_name split,
                                   enum side_name side)
{
    return (struct reader_layout){.format = options->format[split],
                                  .separator = options->separator,
                                  .field = options->field[side]};
}

/* Returns "a.de" and "a.en" as "a.{de,en}", with whole words in the braces. */
static const char *path_pair(struct arena *arena, const char *a, const char *b)
{
    size_t head = 0, tail = 0, rest_a = strlen(a), rest_b = strlen(b);
    while (a[head] && a[head] == b[head]) head++;
    while (head && isalnum((unsigned char)a[head - 1])) head--;
    rest_a -= head;
    rest_b -= head;
    const char *end_a = a + head + rest_a, *end_b = b + head + rest_b;
    while (tail < rest_a && tail < rest_b && end_a[-1 - (int)tail] == end_b[-1 - (int)tail]) tail++;
    while (tail && isalnum((unsigned char)*(end_a - tail))) tail--;
    return arena_print(arena, "%.*s{%.*s,%.*s}%s", (int)head, a, (int)(rest_a - tail), a + head,
                       (int)(rest_b - tail), b + head, end_a - tail);
}

const char *corpus_folders(struct arena *arena)
{
    const char *data = getenv("SANLAB_DATA");
    return arena_print(arena, "under $SANLAB_DATA (%s%s) and data/", data ? "now " : "not set",
                       data ? data : "");
}

const char *corpus_missing_file(const char *what, struct arena *arena)
{
    return arena_print(arena, "%s, looked for %s", what, corpus_folders(arena));
}

const char *corpus_missing(const struct corpus_options *options,
                           const struct corpus_sources *sources, struct arena *arena)
{
    const char *list = "";
    int missing = 0;
    for (int i = 0; i < sources->inputs; i++) {
        const struct corpus_input *input = &sources->input[i];
        if (input->file) continue;
        const char *path = input->path;
        for (int p = 0; p < sources->parts; p++) {
            const struct corpus_input *const *side = sources->part[p].side;
            if (side[SIDE_SOURCE] == input && side[SIDE_TARGET] == input + 1 && !input[1].file) {
                path = path_pair(arena, path, input[1].path);
                missing++;
                i++;
            }
        }
        list = arena_print(arena, "%s%s%s", list, *list ? ", " : "", path);
        missing++;
    }
    if (!missing) return NULL;
    const char *count = arena_print(arena, "%d of %d files", missing, sources->inputs);
    return arena_print(arena, "%s%s%s: %s", corpus_missing_file(count, arena),
                       options->origin[0] ? "; " : "", options->origin, list);
}
