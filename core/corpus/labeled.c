/* Writes and reads files of labeled pairs. The arrays of the file are used in place, so all values
 * are checked first. */
#include "core/corpus/labeled.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"

enum { LABELED_VERSION = 1, LABELED_DIGEST = DIGEST_TEXT - 1 };
static const char labeled_magic[8] = "SANPAIRS";

struct labeled_header {
    char magic[8];
    uint32_t version, words, classes, sentences, pairs, zero;
    uint64_t tokens;
};

void labeled_write(const char *path, const struct labeled *labeled)
{
    const struct side *text = &labeled->text.side[SIDE_SOURCE];
    const size_t starts = (size_t)labeled->text.sentences + 1;
    struct labeled_header header = {.version = LABELED_VERSION,
                                    .words = (uint32_t)labeled->words,
                                    .classes = (uint32_t)labeled->classes,
                                    .sentences = (uint32_t)labeled->text.sentences,
                                    .pairs = (uint32_t)labeled->pairs,
                                    .tokens = (uint64_t)text->start[labeled->text.sentences]};
    memcpy(header.magic, labeled_magic, sizeof header.magic);
    const struct {
        const void *from;
        size_t bytes;
    } piece[] = {{&header, sizeof header},
                 {text->start, starts * sizeof *text->start},
                 {text->token, header.tokens * sizeof *text->token},
                 {labeled->pair, (size_t)labeled->pairs * sizeof *labeled->pair}};
    struct digest digest;
    char said[DIGEST_TEXT];
    struct file_writer writer = file_create(path);
    digest_open(&digest);
    for (size_t i = 0; i < COUNT_OF(piece); i++) {
        digest_add(&digest, piece[i].from, piece[i].bytes);
        fwrite(piece[i].from, 1, piece[i].bytes, writer.stream);
    }
    digest_close(&digest, said);
    fwrite(said, 1, LABELED_DIGEST, writer.stream);
    file_commit(&writer);
}

/* True if the file has the size that the header implies. Counts above `bytes` are refused first, so
 * that the products cannot overflow. */
static bool is_whole(const struct labeled_header *header, size_t bytes)
{
    return header->sentences <= bytes && header->pairs <= bytes && header->tokens <= bytes &&
           sizeof *header + ((size_t)header->sentences + 1) * sizeof(int64_t) +
                   header->tokens * sizeof(int32_t) +
                   (size_t)header->pairs * sizeof(struct labeled_pair) + LABELED_DIGEST ==
               bytes;
}

static void check_text(const char *path, struct labeled *labeled)
{
    struct split *split = &labeled->text;
    const struct side *text = &split->side[SIDE_SOURCE];
    for (int s = 0; s < split->sentences; s++) {
        const int64_t length = text->start[s + 1] - text->start[s];
        if (length < 1 || length > INT32_MAX)
            die("%s: damaged: sentence %d has %lld tokens", path, s + 1, (long long)length);
        if (length > split->longest[SIDE_SOURCE]) split->longest[SIDE_SOURCE] = (int)length;
    }
    for (int64_t t = 0; t < text->start[split->sentences]; t++)
        if (text->token[t] < 0 || text->token[t] >= labeled->words)
            die("%s: damaged: token %d of %d words", path, text->token[t], labeled->words);
}

static bool is_pair(const struct labeled *labeled, const struct labeled_pair *pair)
{
    for (int side = 0; side < 2; side++)
        if (pair->side[side] < 0 || pair->side[side] >= labeled->text.sentences) return false;
    return pair->label >= 0 && pair->label < labeled->classes && pair->group >= 0 &&
           pair->split >= 0 && pair->split < SPLITS;
}

struct labeled labeled_read(struct arena *arena, const char *path)
{
    struct labeled_header header;
    char digest[DIGEST_TEXT];
    size_t bytes;
    const char *text = file_read(arena, path, 0, &bytes);
    if (bytes < sizeof header || memcmp(text, labeled_magic, sizeof labeled_magic) != 0)
        die("%s: not a file of labeled pairs", path);
    memcpy(&header, text, sizeof header);
    if (header.version != LABELED_VERSION)
        die("%s: pairs of version %u, this program reads version %d", path, header.version,
            LABELED_VERSION);
    if (!is_whole(&header, bytes))
        die("%s: damaged: %zu bytes; its header gives another number", path, bytes);
    digest_bytes(text, bytes - LABELED_DIGEST, digest);
    if (memcmp(digest, text + bytes - LABELED_DIGEST, LABELED_DIGEST) != 0)
        die("%s: damaged: its content does not match its digest", path);
    const int64_t *start = (const void *)(text + sizeof header);
    const int32_t *token = (const void *)(start + header.sentences + 1);
    struct labeled labeled = {.words = (int)header.words,
                              .classes = (int)header.classes,
                              .text = {.sentences = (int)header.sentences,
                                       .side[SIDE_SOURCE] = {.token = token, .start = start}},
                              .pairs = (int)header.pairs,
                              .pair = (const void *)(token + header.tokens)};
    if (start[0] != 0 || start[header.sentences] != (int64_t)header.tokens)
        die("%s: damaged: sentences do not cover the tokens", path);
    check_text(path, &labeled);
    for (int p = 0; p < labeled.pairs; p++)
        if (!is_pair(&labeled, &labeled.pair[p])) die("%s: damaged: pair %d", path, p + 1);
    return labeled;
}

int labeled_tokens(const struct labeled *labeled, int32_t pair)
{
    const int64_t *start = labeled->text.side[SIDE_SOURCE].start;
    int64_t tokens = 0;
    for (int side = 0; side < 2; side++) {
        const int32_t sentence = labeled->pair[pair].side[side];
        tokens += start[sentence + 1] - start[sentence];
    }
    return (int)tokens;
}

struct batch labeled_batch(struct arena *arena, const struct labeled *labeled, const int32_t *pair,
                           int count)
{
    int32_t *sentence = ARENA_ARRAY(arena, int32_t, 2 * count);
    int32_t *label = ARENA_ARRAY(arena, int32_t, count);
    for (int p = 0; p < count; p++) {
        const struct labeled_pair *one = &labeled->pair[pair[p]];
        for (int side = 0; side < 2; side++) sentence[2 * p + side] = one->side[side];
        label[p] = one->label;
    }
    struct batch batch = batch_pack(arena, &labeled->text, sentence, 2 * count);
    batch.label = label;
    batch.labels = count;
    return batch;
}
