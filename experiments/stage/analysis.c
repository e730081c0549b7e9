/* Reads the text and writes the results of analyses of a frozen encoder. Options and files are
 * checked before any stage runs. Results are matrices of floats. */
#include "experiments/stage/analysis.h"

#include "core/corpus/corpus_sources.h"
#include "core/corpus/tokenized.h"
#include "core/corpus/treebank.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"

/* ---- a text instead of a split ---- */

static bool has_text(const struct analysis_options *options)
{
    return options->text && *options->text;
}

static struct split split_of_text(const char *path, const struct corpus *corpus,
                                  struct arena *arena)
{
    const struct tokenized_reading reading = {NULL, false};
    const char *file = stage_text_file(path, arena);
    const struct sentences text = sentences_read(arena, file);
    struct split split = {.sentences = text.count};
    tokenized_side(&split, corpus, SIDE_SOURCE, &reading, text.sentence, file, text.line, arena);
    return split;
}

/* The input file has the name "treebank" or "text". The name is in the id, because the same bytes
 * give other sentences if they are read as a treebank. */
void analysis_find_files(struct stage *stage, const struct stage *planned, struct arena *arena)
{
    const struct analysis_options *options = stage_options(stage);
    if (has_text(options))
        stage_digest_text(stage, sentences_are_treebank(options->text) ? "treebank" : "text",
                          options->text, arena);
}

/* ---- before anything runs ---- */

const char *analysis_lacks_attention(const struct settings *settings)
{
    const bool any = layers_attending(&settings->translator.encoder.stack) > 0;
    return any ? NULL : "a layer of attention";
}

/* Reads the text if the file exists, so that an invalid file is found before any stage runs. */
void analysis_check(struct kind_check *check)
{
    const struct analysis_options *options = check->options;
    SCOPED(arena_free) struct arena arena = {0};
    stage_frozen_check(check, options->checkpoint);
    const char *file = has_text(options) ? corpus_find_file(&arena, options->text) : NULL;
    if (file) sentences_read(&arena, file);
}

struct split analysis_open(struct stage_work *work, struct frozen **frozen)
{
    const struct analysis_options *options = stage_options(work->stage);
    *frozen = stage_work_frozen(work, options->checkpoint);
    const struct corpus *corpus = (*frozen)->job.corpus;
    const bool text = has_text(options);
    struct split split = text ? split_of_text(options->text, corpus, &work->arena)
                              : *stage_work_split(work, corpus, options->split);
    frozen_load(*frozen, 0);
    stage_work_text(work, text ? "text" : "split",
                    text ? options->text : split_names[options->split]);
    if (options->sentences && options->sentences < split.sentences)
        split.sentences = options->sentences;
    return split;
}

void analysis_write(struct stage_work *work, const char *name, const char *const *header,
                    int columns, const float *number, int64_t rows)
{
    const char *tsv = arena_print(&work->arena, "%s.tsv", name);
    struct file_writer writer = stage_work_create(work, tsv);
    for (int c = 0; c < columns; c++)
        fprintf(writer.stream, "%s%c", header[c], c + 1 < columns ? '\t' : '\n');
    for (int64_t i = 0; i < rows * columns; i++)
        fprintf(writer.stream, "%.9g%c", (double)number[i], (i + 1) % columns ? '\t' : '\n');
    stage_work_commit(work, &writer, tsv);
    stage_work_npy(work, name, number, rows, columns);
    stage_work_real(work, "rows", rows);
}
