/* BLEU: a score's hypotheses, its corpus's references, and the counts of every sentence. */
#include <string.h>

#include "core/base/file.h"
#include "core/corpus/corpus.h"
#include "results/table/observations_read.h"

struct reading_bleu {
    struct observations_job *job;
    struct observations_text *text;
    const char *const **hypothesis; /* [sets] */
};

/* The `count` lines of a file; NULL when it has others, and the problem is there. */
static const char *const *cut_lines(struct observations_job *job, const char *path, char *text,
                                    size_t bytes)
{
    int lines;
    const char **line = file_cut_lines(job->arena, text, bytes, &lines);
    if (lines == job->observations->items) return line;
    job->observations->problem = arena_print(job->arena, "%s has %d lines, %d were scored", path,
                                             lines, job->observations->items);
    return NULL;
}

static bool read_hypotheses(void *context, int set, const char *path, char *text, size_t bytes)
{
    struct reading_bleu *reading = context;
    return (reading->hypothesis[set] = cut_lines(reading->job, path, text, bytes));
}

static bool read_references(struct observations_job *job, struct observations_text *text)
{
    const char *digest = strstr(job->observations->signature, "|refs:");
    digest = digest ? arena_text_range(job->arena, digest + 6, strcspn(digest + 6, "|")) : "";
    text->corpus_folder = observations_folder(job, "corpus", text->corpus);
    const char *const **every = NULL;
    do {
        const char *one = arena_text_range(job->arena, digest, strcspn(digest, "+"));
        const char *path =
            corpus_reference_file(job->arena, text->corpus_folder, text->split, text->references);
        size_t bytes;
        char *content = observations_file(job, path, one, "scored", &bytes);
        ARENA_MORE(job->arena, every, text->references);
        every[text->references] = content ? cut_lines(job, path, content, bytes) : NULL;
        if (!every[text->references++]) return false;
        digest += strlen(one);
    } while (*digest++ == '+');
    text->every_reference = every;
    text->reference = every[0];
    return true;
}

static void count(struct observations_job *job, struct observations_text *text)
{
    struct observations *observations = job->observations;
    const int items = observations->items, sets = observations->sets;
    const struct bleu_stats **stats = ARENA_ARRAY(job->arena, const struct bleu_stats *, sets);
    const void **item = ARENA_ARRAY(job->arena, const void *, sets);
    for (int set = 0; set < sets; set++) {
        struct bleu_stats *one = ARENA_ARRAY(job->arena, struct bleu_stats, items);
        struct bleu_item *counts = ARENA_ARRAY(job->arena, struct bleu_item, items);
        observations->score += bleu_corpus(&text->bleu, text->hypothesis[set],
                                           text->every_reference, text->references, items, one)
                                   .score /
                               sets;
        statistic_bleu_items(one, items, counts);
        stats[set] = one;
        item[set] = counts;
    }
    text->stats = stats;
    observations->item = item;
    observations->strata = (struct strata){1, &observations->items};
    observations->statistic = statistic_bleu(&text->bleu);
}

static void read(struct observations_job *job)
{
    struct observations *observations = job->observations;
    struct observations_text *text = ARENA_NEW(job->arena, struct observations_text);
    const json_t *inputs = json_object_get(job->stage, "inputs");
    const char *corpus = json_string_value(json_array_get(inputs, 0)),
               *train = json_string_value(json_array_get(inputs, 1));
    text->split = observations_word(job, job->summary, "split");
    observations->text = text;
    observations->signature = observations_word(job, job->summary, "signature");
    observations->items = (int)json_integer_value(json_object_get(job->summary, "sentences"));
    if (!corpus || !train || !text->split || !observations->signature || observations->items < 1 ||
        !bleu_signature_read(observations->signature, &text->bleu)) {
        observations->problem =
            arena_print(job->arena, "%s: not what this version writes", job->folder);
        return;
    }
    text->corpus = arena_text(job->arena, corpus);
    text->train = arena_text(job->arena, train);
    const size_t most = json_object_size(job->outputs);
    struct reading_bleu reading = {job, text,
                                   ARENA_ARRAY(job->arena, const char *const *, most + 1)};
    text->hypothesis = reading.hypothesis;
    if (!observations_sets(job, "hypotheses", "txt", "scored", read_hypotheses, &reading) ||
        !read_references(job, text))
        return;
    count(job, text);
    observations_check(job, "hypotheses",
                       json_number_value(json_object_get(job->summary, job->value)));
}

const struct observations *observations_bleu(struct store *store, const char *kind, const char *id,
                                             const char *value, const char *class)
{
    return observations_read(store, kind, id, value, class, read);
}
