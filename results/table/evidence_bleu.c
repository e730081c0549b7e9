/* BLEU: a score's hypotheses, its corpus's references, and the counts of every sentence. */
#include <string.h>

#include "core/base/file.h"
#include "results/table/evidence_read.h"

struct reading {
    struct evidence_job *job;
    struct evidence_text *text;
    const char *const **hypothesis; /* [sets] */
};

/* The `count` lines of a file; NULL when it has others, and the problem is there. */
static const char *const *cut_lines(struct evidence_job *job, const char *path, char *text,
                                    size_t bytes)
{
    int lines;
    const char **line = file_cut_lines(job->arena, text, bytes, &lines);
    if (lines == job->evidence->items) return line;
    job->evidence->problem = arena_print(job->arena, "%s has %d lines, %d were scored", path, lines,
                                         job->evidence->items);
    return NULL;
}

static bool read_hypotheses(void *context, int set, const char *path, char *text, size_t bytes)
{
    struct reading *reading = context;
    return (reading->hypothesis[set] = cut_lines(reading->job, path, text, bytes));
}

static bool read_references(struct evidence_job *job, struct evidence_text *text)
{
    const char *digest = strstr(job->evidence->signature, "|refs:");
    digest = digest ? arena_text_range(job->arena, digest + 6, strcspn(digest + 6, "|")) : "";
    text->corpus_folder = evidence_folder(job, "corpus", text->corpus);
    const char *path = arena_print(job->arena, "%s/%s.reference", text->corpus_folder, text->split);
    size_t bytes;
    char *content = evidence_file(job, path, digest, "scored", &bytes);
    if (content) text->reference = cut_lines(job, path, content, bytes);
    return text->reference != NULL;
}

static void count(struct evidence_job *job, struct evidence_text *text)
{
    struct evidence *evidence = job->evidence;
    const int items = evidence->items, sets = evidence->sets;
    const struct bleu_stats **stats = ARENA_ARRAY(job->arena, const struct bleu_stats *, sets);
    const void **item = ARENA_ARRAY(job->arena, const void *, sets);
    for (int set = 0; set < sets; set++) {
        struct bleu_stats *one = ARENA_ARRAY(job->arena, struct bleu_stats, items);
        struct bleu_item *counts = ARENA_ARRAY(job->arena, struct bleu_item, items);
        evidence->score +=
            bleu_corpus(&text->bleu, text->hypothesis[set], &text->reference, 1, items, one).score /
            sets;
        statistic_bleu_items(one, items, counts);
        stats[set] = one;
        item[set] = counts;
    }
    text->stats = stats;
    evidence->item = item;
    evidence->strata = (struct strata){1, &evidence->items};
    evidence->statistic = statistic_bleu(&text->bleu);
}

static void read(struct evidence_job *job)
{
    struct evidence *evidence = job->evidence;
    struct evidence_text *text = ARENA_NEW(job->arena, struct evidence_text);
    const json_t *inputs = json_object_get(job->stage, "inputs");
    const char *corpus = json_string_value(json_array_get(inputs, 0)),
               *train = json_string_value(json_array_get(inputs, 1));
    text->split = evidence_word(job, job->summary, "split");
    evidence->text = text;
    evidence->signature = evidence_word(job, job->summary, "signature");
    evidence->items = (int)json_integer_value(json_object_get(job->summary, "sentences"));
    if (!corpus || !train || !text->split || !evidence->signature || evidence->items < 1 ||
        !bleu_signature_read(evidence->signature, &text->bleu)) {
        evidence->problem =
            arena_print(job->arena, "%s: not what this version writes", job->folder);
        return;
    }
    text->corpus = arena_text(job->arena, corpus);
    text->train = arena_text(job->arena, train);
    const size_t most = json_object_size(job->outputs);
    struct reading reading = {job, text, ARENA_ARRAY(job->arena, const char *const *, most + 1)};
    text->hypothesis = reading.hypothesis;
    if (!evidence_sets(job, "hypotheses", "txt", "scored", read_hypotheses, &reading) ||
        !read_references(job, text))
        return;
    count(job, text);
    evidence_check(job, "hypotheses", json_number_value(json_object_get(job->summary, job->value)));
}

const struct evidence *evidence_bleu(struct store *store, const char *kind, const char *id,
                                     const char *value, const char *class)
{
    return evidence_read(store, kind, id, value, class, read);
}
