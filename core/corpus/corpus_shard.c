/* Writes and opens shards. The arrays of the file are used in place, so all values are checked
 * first. */
#include "core/corpus/corpus_shard.h"

#include <string.h>

#include "core/base/file.h"
#include "core/text/vocabulary.h"

enum { SHARD_VERSION = 1 };
static const char shard_magic[8] = "SANSHARD";

struct shard_header {
    char magic[8];
    uint32_t version, sentences;
    uint64_t tokens[SIDES];
};

void shard_write(const char *path, const struct split *split)
{
    size_t starts = (size_t)split->sentences + 1;
    struct shard_header header = {.version = SHARD_VERSION,
                                  .sentences = (uint32_t)split->sentences};
    memcpy(header.magic, shard_magic, sizeof header.magic);
    for (int side = 0; side < SIDES; side++)
        header.tokens[side] = (uint64_t)split->side[side].start[split->sentences];

    struct file_writer writer = file_create(path);
    fwrite(&header, sizeof header, 1, writer.stream);
    for (int side = 0; side < SIDES; side++)
        fwrite(split->side[side].start, sizeof(int64_t), starts, writer.stream);
    for (int side = 0; side < SIDES; side++)
        fwrite(split->side[side].token, sizeof(int32_t), header.tokens[side], writer.stream);
    file_commit(&writer);
}

/* Checks one side. Returns the number of tokens of its longest sentence. */
static int check_side(const char *path, const struct side *side, int sentences, uint64_t tokens,
                      int vocabulary_size)
{
    int longest = 0;
    if (side->start[0] != 0 || side->start[sentences] != (int64_t)tokens)
        die("%s: damaged shard: sentences do not cover the tokens", path);
    for (int i = 0; i < sentences; i++) {
        int64_t begin = side->start[i], end = side->start[i + 1];
        if (end <= begin || end > (int64_t)tokens)
            die("%s: damaged shard: sentence %d has no tokens", path, i + 1);
        if (side->token[end - 1] != VOCABULARY_EOS)
            die("%s: damaged shard: sentence %d does not end with <eos>", path, i + 1);
        for (int64_t t = begin; t < end; t++)
            if (side->token[t] < 0 || side->token[t] >= vocabulary_size)
                die("%s: damaged shard: sentence %d has token id %d of a vocabulary of %d", path,
                    i + 1, side->token[t], vocabulary_size);
        if (end - begin > longest) longest = (int)(end - begin);
    }
    return longest;
}

struct split shard_open(const char *path, const char *bytes, size_t count,
                        const int vocabulary_size[SIDES])
{
    struct shard_header header;
    if (count < sizeof header || memcmp(bytes, shard_magic, sizeof shard_magic) != 0)
        die("%s: not a shard of sanlab", path);
    memcpy(&header, bytes, sizeof header);
    if (header.version != SHARD_VERSION)
        die("%s: shard of version %u, this program reads version %d; prepare the corpus again",
            path, header.version, SHARD_VERSION);
    /* The counts are bounded before they are multiplied, so that no sum below can overflow. */
    if (header.sentences > count || header.tokens[SIDE_SOURCE] > count ||
        header.tokens[SIDE_TARGET] > count ||
        sizeof header + SIDES * sizeof(int64_t) * ((size_t)header.sentences + 1) +
                sizeof(int32_t) * (header.tokens[SIDE_SOURCE] + header.tokens[SIDE_TARGET]) !=
            count)
        die("%s: damaged shard: %zu bytes; its header gives another number", path, count);

    struct split split = {.sentences = (int)header.sentences};
    const int64_t *start = (const void *)(bytes + sizeof header);
    const int32_t *token = (const void *)(start + SIDES * ((size_t)header.sentences + 1));
    for (int side = 0; side < SIDES; side++) {
        split.side[side] = (struct side){.token = token, .start = start};
        split.longest[side] = check_side(path, &split.side[side], split.sentences,
                                         header.tokens[side], vocabulary_size[side]);
        start += header.sentences + 1;
        token += header.tokens[side];
    }
    return split;
}
