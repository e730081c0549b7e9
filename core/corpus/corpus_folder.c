/* Opens corpora. Every opened file must have the digest that is in corpus.json. */
#include "core/corpus/corpus_folder.h"

#include <jansson.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/config/word.h"
#include "core/corpus/corpus_shard.h"
#include "core/text/bpe.h"

/* Dies if a digest is not the one of the file in corpus.json. */
static void check(const char *folder, const json_t *files, const char *name, const char *digest)
{
    const char *expected = json_string_value(json_object_get(files, name));
    if (!expected)
        die("%s/corpus.json: the digest of %s is missing; prepare the corpus again", folder, name);
    if (strcmp(digest, expected) != 0)
        die("%s/%s: changed since the corpus was prepared (its SHA-256 differs from corpus.json); "
            "remove the folder and prepare the corpus again",
            folder, name);
}

static void verify(struct arena *arena, const char *folder, const json_t *files, const char *name)
{
    char digest[DIGEST_TEXT];
    digest_file(arena_print(arena, "%s/%s", folder, name), digest);
    check(folder, files, name, digest);
}

/* Returns the content of a file of the corpus, and its path. */
static const char *verified(struct arena *arena, const char *folder, const json_t *files,
                            const char *name, const char **path, size_t *bytes)
{
    char digest[DIGEST_TEXT];
    *path = arena_print(arena, "%s/%s", folder, name);
    const char *content = file_read(arena, *path, 0, bytes);
    digest_bytes(content, *bytes, digest);
    check(folder, files, name, digest);
    return content;
}

/* Fills the fields from corpus.json. Returns the list of files with their digests, which belongs to
 * *root. */
static const json_t *read_description(struct arena *arena, struct corpus *corpus, json_t **root)
{
    const char *path = arena_print(arena, "%s/corpus.json", corpus->folder);
    size_t bytes;
    const char *content = file_read(arena, path, 0, &bytes);
    char *digest = arena_alloc(arena, DIGEST_TEXT);
    digest_bytes(content, bytes, digest);
    corpus->digest = digest;

    json_error_t error;
    *root = json_loadb(content, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!*root) die("%s:%d: not JSON: %s", path, error.line, error.text);
    int format, raw, lowercase, joint, segmented = false;
    const char *source, *target;
    json_t *files;
    if (json_unpack_ex(*root, &error, 0, "{s:i, s:s, s:s, s:b, s:b, s:b, s:i, s:o, s?b}", "format",
                       &format, "source", &source, "target", &target, "raw", &raw, "lowercase",
                       &lowercase, "joint", &joint, "threshold", &corpus->threshold, "files",
                       &files, "segmented", &segmented) != 0)
        die("%s: not a description of a corpus: %s", path, error.text);
    if (format != CORPUS_FORMAT)
        die("%s: corpus of format %d, this program reads format %d; prepare the corpus again", path,
            format, CORPUS_FORMAT);
    corpus->format =
        (struct line_format){.raw = raw, .segmented = segmented, .lowercase = lowercase};
    corpus->joint = joint;
    corpus->language[SIDE_SOURCE] = arena_text(arena, source);
    corpus->language[SIDE_TARGET] = arena_text(arena, target);
    return files;
}

/* Opens the merges and vocabularies. Returns the list of files, which belongs to *root. */
static const json_t *open_words(struct arena *arena, struct corpus *corpus, json_t **root)
{
    const char *folder = corpus->folder;
    const json_t *files = read_description(arena, corpus, root);
    verify(arena, folder, files, "codes.bpe");
    for (int side = 0; side < SIDES; side++) {
        if (corpus->threshold)
            verify(arena, folder, files, arena_print(arena, "pieces.%s", side_names[side]));
        const char *name = arena_print(arena, "vocabulary.%s", side_names[side]);
        const char *path;
        size_t bytes;
        const char *content = verified(arena, folder, files, name, &path, &bytes);
        corpus->vocabulary[side] = vocabulary_parse(arena, path, content, bytes);
    }
    return files;
}

bool corpus_is_words(const char *name)
{
    static const char *const begin[] = {"corpus.json", "codes.", "pieces.", "vocabulary.", NULL};
    return word_begins(name, begin);
}

static struct corpus *corpus_new(struct arena *arena, const char *folder)
{
    struct corpus *corpus = ARENA_NEW(arena, struct corpus);
    corpus->folder = arena_text(arena, folder);
    corpus->encoder = ARENA_NEW(arena, struct corpus_encoder);
    return corpus;
}

struct corpus *corpus_open_words(struct arena *arena, const char *folder)
{
    struct corpus *corpus = corpus_new(arena, folder);
    json_auto_t *root = NULL;
    open_words(arena, corpus, &root);
    return corpus;
}

struct corpus *corpus_open(struct arena *arena, const char *folder)
{
    struct corpus *corpus = corpus_new(arena, folder);
    json_auto_t *root = NULL;
    const json_t *files = open_words(arena, corpus, &root);
    const int size[SIDES] = {corpus->vocabulary[SIDE_SOURCE].size,
                             corpus->vocabulary[SIDE_TARGET].size};
    size_t bytes;
    for (int split = 0; split < SPLITS; split++) {
        const char *reference = arena_print(arena, "%s.reference", split_names[split]);
        do {
            verify(arena, folder, files, reference);
            reference = arena_print(arena, "%s.reference.%d", split_names[split],
                                    ++corpus->references[split] + 1);
        } while (json_object_get(files, reference));
        const char *name = arena_print(arena, "%s.shard", split_names[split]);
        const char *path, *content = verified(arena, folder, files, name, &path, &bytes);
        corpus->split[split] = shard_open(path, content, bytes, size);
    }
    return corpus;
}

char *corpus_text(struct arena *arena, const struct corpus *corpus, enum side_name side,
                  const int32_t *token, int count)
{
    const struct vocabulary *vocabulary = &corpus->vocabulary[side];
    SCOPED(buffer_free) struct buffer pieces = {0}, words = {0}, text = {0};
    for (int i = 0; i < count && token[i] != VOCABULARY_EOS; i++) {
        CHECK(token[i] >= 0 && token[i] < vocabulary->size, "token id %d of a vocabulary of %d",
              token[i], vocabulary->size);
        if (i) buffer_add_byte(&pieces, ' ');
        buffer_add(&pieces, vocabulary->token[token[i]], strlen(vocabulary->token[token[i]]));
    }
    bpe_undo_line(pieces.text, pieces.bytes, &words);
    line_text(corpus->format, words.text, words.bytes, &text);
    return buffer_take(&text, arena);
}

const char *corpus_reference_file(struct arena *arena, const char *folder, const char *split, int r)
{
    return r ? arena_print(arena, "%s/%s.reference.%d", folder, split, r + 1)
             : arena_print(arena, "%s/%s.reference", folder, split);
}

const char **corpus_reference(struct arena *arena, const struct corpus *corpus,
                              enum split_name split, int r, int *count)
{
    const char *path = corpus_reference_file(arena, corpus->folder, split_names[split], r);
    size_t bytes;
    char *text = file_read(arena, path, 0, &bytes);
    const char **line = file_cut_lines(arena, text, bytes, count);
    const int expected = corpus->split[split].sentences;
    if (*count < expected) die("%s: %d lines, expected %d", path, *count, expected);
    if (*count > expected) die("%s: too many lines; expected %d", path, expected);
    return line;
}

const char *corpus_bleu_tokenizer(const struct corpus *corpus)
{
    const char *target = corpus->language[SIDE_TARGET];
    const bool chinese = !strncmp(target, "zh", 2) && (!target[2] || strchr("-_", target[2]));
    return !corpus->format.raw ? "none" : chinese ? "zh" : "13a";
}
