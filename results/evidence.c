#include "results/evidence.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/json_file.h"
#include "results/stage_folder.h"

/* What has been read, for as long as the process lives. */
struct entry {
    struct entry *next;
    const char *runs;
    struct evidence evidence;
};
static struct entry *entries;
static struct arena memory;

static const char *folder_of(const char *runs, const char *kind, const char *id)
{
    return arena_print(&memory, "%s/stages/" STAGE_FOLDER, runs, kind, id);
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? arena_text(&memory, text) : NULL;
}

/* A file of `count` lines whose digest begins with `digest`; NULL: it is not that file, and
 * *problem says why. */
static const char *const *read_lines(const char *path, const char *digest, int count,
                                     const char **problem)
{
    char text[DIGEST_TEXT];
    if (!file_exists(path)) {
        *problem = arena_print(&memory, "%s is gone", path);
        return NULL;
    }
    size_t bytes;
    char *at = file_read(&memory, path, 0, &bytes), *end = at + bytes;
    digest_bytes(at, bytes, text);
    if (!*digest || strncmp(text, digest, strlen(digest)) != 0) {
        *problem = arena_print(&memory,
                               "%s has changed since it was scored (its digest is %.8s, "
                               "not %.8s)",
                               path, text, digest);
        return NULL;
    }
    const char **line = ARENA_ARRAY(&memory, const char *, count + 1);
    int lines = 0;
    for (; at < end; lines++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) stop = end;
        *stop = 0;
        if (lines < count) line[lines] = at;
        at = stop + 1;
    }
    if (lines == count) return line;
    *problem = arena_print(&memory, "%s has %d lines, %d were scored", path, lines, count);
    return NULL;
}

/* The sets of hypotheses that done.json names: hypotheses.txt, or hypotheses.1.txt and so on. */
static bool read_hypotheses(struct evidence *evidence, const char *folder, const json_t *outputs)
{
    const int most = (int)json_object_size(outputs);
    const char *const **hypothesis = ARENA_ARRAY(&memory, const char *const *, most + 1);
    for (int set = 0; set < most; set++) {
        const char *name = "hypotheses.txt", *digest = text_at(outputs, name);
        if (set || !digest) {
            name = arena_print(&memory, "hypotheses.%d.txt", set + 1);
            digest = text_at(outputs, name);
        }
        if (!digest) break;
        const char *path = arena_print(&memory, "%s/%s", folder, name);
        hypothesis[set] = read_lines(path, digest, evidence->sentences, &evidence->problem);
        if (!hypothesis[set]) return false;
        evidence->sets++;
    }
    evidence->hypothesis = hypothesis;
    if (!evidence->sets) evidence->problem = arena_print(&memory, "%s has no hypotheses", folder);
    return evidence->sets > 0;
}

static bool read_references(struct evidence *evidence, const char *runs)
{
    const char *digest = strstr(evidence->signature, "|refs:");
    digest = digest ? arena_text_range(&memory, digest + 6, strcspn(digest + 6, "|")) : "";
    evidence->corpus_folder = folder_of(runs, "corpus", evidence->corpus);
    const char *path =
        arena_print(&memory, "%s/%s.reference", evidence->corpus_folder, evidence->split);
    evidence->reference = read_lines(path, digest, evidence->sentences, &evidence->problem);
    return evidence->reference != NULL;
}

static void count(struct evidence *evidence, double recorded)
{
    const struct bleu_stats **stats =
        ARENA_ARRAY(&memory, const struct bleu_stats *, evidence->sets);
    const void **item = ARENA_ARRAY(&memory, const void *, evidence->sets);
    for (int set = 0; set < evidence->sets; set++) {
        struct bleu_stats *one = ARENA_ARRAY(&memory, struct bleu_stats, evidence->sentences + 1);
        struct bleu_item *counts = ARENA_ARRAY(&memory, struct bleu_item, evidence->sentences);
        evidence->score += bleu_corpus(&evidence->bleu, evidence->hypothesis[set],
                                       &evidence->reference, 1, evidence->sentences, one)
                               .score /
                           evidence->sets;
        stats[set] = one;
        statistic_bleu_items(one, evidence->sentences, counts);
        item[set] = counts;
    }
    evidence->stats = stats;
    evidence->item = item;
    evidence->statistic = statistic_bleu(&evidence->bleu);
    evidence->strata = (struct strata){1, &evidence->sentences};
    if (!(fabs(evidence->score - recorded) < 1e-9))
        evidence->problem =
            arena_print(&memory, "%s: its hypotheses score %.4f, but %.4f was recorded",
                        evidence->name, evidence->score, recorded);
}

static void read_summary(struct evidence *evidence, const char *runs, const char *folder,
                         const json_t *stage, const json_t *done)
{
    const json_t *inputs = json_object_get(stage, "inputs"),
                 *summary = json_object_get(done, "summary");
    const char *corpus = json_string_value(json_array_get(inputs, 0)),
               *train = json_string_value(json_array_get(inputs, 1));
    evidence->split = text_at(summary, "split");
    evidence->signature = text_at(summary, "signature");
    evidence->sentences = (int)json_integer_value(json_object_get(summary, "sentences"));
    if (!corpus || !train || !evidence->split || !evidence->signature || evidence->sentences < 1 ||
        !bleu_signature_read(evidence->signature, &evidence->bleu)) {
        evidence->problem = arena_print(&memory, "%s: not what this version writes", folder);
        return;
    }
    evidence->corpus = arena_text(&memory, corpus);
    evidence->train = arena_text(&memory, train);
    if (read_hypotheses(evidence, folder, json_object_get(done, "outputs")) &&
        read_references(evidence, runs))
        count(evidence, json_number_value(json_object_get(summary, "bleu")));
}

static void read_evidence(struct evidence *evidence, const char *runs)
{
    const char *folder = folder_of(runs, "score", evidence->id);
    evidence->name = strrchr(folder, '/') + 1;
    const char *bad, *worse;
    json_t *stage = json_file_try(&memory, arena_print(&memory, "%s/stage.json", folder), &bad),
           *done = json_file_try(&memory, arena_print(&memory, "%s/done.json", folder), &worse);
    if (bad || worse)
        evidence->problem = bad ? bad : worse;
    else if (!done)
        evidence->problem = arena_print(&memory, "%s is not done", evidence->name);
    else
        read_summary(evidence, runs, folder, stage, done);
    json_decref(stage);
    json_decref(done);
}

const struct evidence *evidence_stats(struct store *store, const char *id)
{
    for (struct entry *entry = entries; entry; entry = entry->next)
        if (!strcmp(entry->evidence.id, id) && !strcmp(entry->runs, store->runs))
            return &entry->evidence;
    struct entry *entry = ARENA_NEW(&memory, struct entry);
    *entry = (struct entry){.next = entries, .runs = arena_text(&memory, store->runs)};
    entry->evidence.id = arena_text(&memory, id);
    read_evidence(&entry->evidence, entry->runs);
    entries = entry;
    return &entry->evidence;
}
