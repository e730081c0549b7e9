/* A shard: the packed token ids of both sides of a split in one file.
 *
 *   char     magic[8]             "SANSHARD"
 *   uint32   version, sentences
 *   uint64   tokens[2]            source, target
 *   int64    start[sentences+1]   source, then target: start[0] = 0, start[sentences] = tokens
 *   int32    token[tokens]        source, then target; every sentence ends with <eos>
 *
 * Little-endian, every array aligned to its type. corpus.json has the file's SHA-256, and
 * corpus_open verifies it. */
#pragma once

#include "core/corpus/split.h"

/* Writes a shard. The file appears whole or not at all; dies if it cannot be written. */
void shard_write(const char *path, const struct split *split);

/* Returns the split in bytes [count], the content of a file. The content must outlive the split,
 * because the arrays are used in place. Dies with `path` if the content is not a whole shard or an
 * id is outside its vocabulary. */
struct split shard_open(const char *path, const char *bytes, size_t count,
                        const int vocabulary_size[SIDES]);
