/* Audit of texts. All hashes are kept until the whole text has been read, because a pair of train
 * may be held out for dev. */
#include "core/corpus/text_audit.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/hash_table.h"
#include "core/text/lower.h"

/* True if the text contains marks of pieces. subword-nmt adds "@@" to all pieces of a word except
 * the last. SentencePiece marks the beginning of a word with U+2581. */
static bool has_pieces(const char *clean, size_t bytes)
{
    const char *at = clean, *end = buffer_end(clean, bytes);
    if (!bytes) return false;
    if (memchr(clean, 0xE2, bytes) && memmem(clean, bytes, "\xE2\x96\x81", 3)) return true;
    while (at < end && (at = memchr(at, '@', (size_t)(end - at)))) {
        const bool marks = end - at > 2 && at[1] == '@' && at[2] == ' ';
        if (marks && at > clean && at[-1] != ' ') return true;
        at++;
    }
    return false;
}

void text_audit_add(struct text_audit *audit, enum split_name split, enum side_name side,
                    const char *clean, size_t bytes)
{
    struct buffer *lower = &audit->lower;
    buffer_clear(lower);
    lower_add(lower, clean, bytes);
    HEAP_ADD(audit->seen[split][side].hash, audit->seen[split][side].count,
             hash_bytes(lower->text, lower->bytes));
    audit->seen[split][side].read++;
    if (split == SPLIT_TRAIN) audit->in_pieces[side] += has_pieces(clean, bytes);
}

void text_audit_keep(struct text_audit *audit, const int *index, int count)
{
    for (int side = 0; side < SIDES; side++) {
        uint64_t *hash = audit->seen[SPLIT_TRAIN][side].hash;
        for (int i = 0; i < count; i++) hash[i] = hash[index[i]];
        audit->seen[SPLIT_TRAIN][side].count = count;
    }
}

static const char *key_of(const uint64_t *hash)
{
    return (const char *)hash;
}

static int64_t count_in_train(const struct text_audit *audit, enum split_name split,
                              enum side_name side)
{
    const uint64_t *own = audit->seen[split][side].hash,
                   *train = audit->seen[SPLIT_TRAIN][side].hash;
    const int sentences = audit->seen[split][side].count;
    SCOPED(arena_free) struct arena arena = {0};
    struct hash_table *found = hash_table_new(&arena, (size_t)sentences);
    int64_t count = 0;
    for (int i = 0; i < sentences; i++) hash_table_put(found, key_of(&own[i]), sizeof *own, false);
    for (int i = 0; i < audit->seen[SPLIT_TRAIN][side].count; i++)
        if (hash_table_get(found, key_of(&train[i]), sizeof *train) == false)
            hash_table_put(found, key_of(&train[i]), sizeof *train, true);
    for (int i = 0; i < sentences; i++)
        count += hash_table_get(found, key_of(&own[i]), sizeof *own) == true;
    return count;
}

struct text_findings text_audit_end(struct text_audit *audit)
{
    struct text_findings findings = {0};
    for (int side = 0; side < SIDES; side++) {
        findings.in_pieces[side] = audit->in_pieces[side];
        for (int split = SPLITS - 1; split >= 0; split--) {
            findings.sentences[split] = audit->seen[split][side].read;
            if (split != SPLIT_TRAIN)
                findings.in_train[split][side] =
                    count_in_train(audit, (enum split_name)split, (enum side_name)side);
            free(audit->seen[split][side].hash);
        }
    }
    buffer_free(&audit->lower);
    *audit = (struct text_audit){0};
    return findings;
}

/* ---- corpus.json ---- */

static const char *const in_train[SIDES] = {"source_in_train", "target_in_train"};
static const char *const in_pieces[SIDES] = {"source_in_pieces", "target_in_pieces"};

void text_findings_write(const struct text_findings *findings, json_t *splits)
{
    for (int split = 0; split < SPLITS; split++) {
        json_t *to = json_object_get(splits, split_names[split]);
        json_object_set_new(to, "read", json_integer(findings->sentences[split]));
        for (int side = 0; side < SIDES; side++)
            if (split == SPLIT_TRAIN)
                json_object_set_new(to, in_pieces[side], json_integer(findings->in_pieces[side]));
            else
                json_object_set_new(to, in_train[side],
                                    json_integer(findings->in_train[split][side]));
    }
}

bool text_findings_read(struct text_findings *findings, const json_t *splits)
{
    *findings = (struct text_findings){0};
    for (int split = 0; split < SPLITS; split++) {
        const json_t *from = json_object_get(splits, split_names[split]);
        if (!json_object_get(from, "read")) return false;
        findings->sentences[split] = json_integer_value(json_object_get(from, "read"));
        for (int side = 0; side < SIDES; side++) {
            findings->in_train[split][side] =
                json_integer_value(json_object_get(from, in_train[side]));
            if (split == SPLIT_TRAIN)
                findings->in_pieces[side] =
                    json_integer_value(json_object_get(from, in_pieces[side]));
        }
    }
    return true;
}

/* ---- output ---- */

static double per_cent(int64_t count, int64_t all)
{
    return all ? 100. * (double)count / (double)all : 0;
}

double text_findings_shared(const struct text_findings *findings, enum split_name split,
                            enum side_name side)
{
    return per_cent(findings->in_train[split][side], findings->sentences[split]);
}

const char *text_findings_pieces(const struct text_findings *findings, struct arena *arena)
{
    const int64_t sentences = findings->sentences[SPLIT_TRAIN];
    const double source = per_cent(findings->in_pieces[SIDE_SOURCE], sentences),
                 target = per_cent(findings->in_pieces[SIDE_TARGET], sentences);
    if (source < 1 && target < 1) return NULL;
    return arena_print(arena, "%.0f%% of the sources, %.0f%% of the targets", source, target);
}
