/* The grid is asked before anything runs; what is kept is a matrix of floats. */
#include "experiments/stage/analysis.h"

#include "core/base/file.h"
#include "core/base/npy.h"
#include "core/config/shipped.h"
#include "core/corpus/corpus_sources.h"
#include "core/corpus/tokenized.h"
#include "core/corpus/treebank.h"
#include "core/text/utf8.h"
#include "experiments/stage/facts_model.h"
#include "experiments/stage/stage_digest.h"
#include "experiments/stage/stage_frozen.h"
#include "probes/kept_rows.h"

static const struct analysis_options *options_at(const struct settings *settings,
                                                 const struct evaluation *evaluation)
{
    return settings_evaluated(settings, evaluation)->fields;
}

static const struct analysis_options *options_of(const struct stage *stage)
{
    return options_at(stage->settings, stage->kind->evaluation);
}

/* ---- a text instead of a split ---- */

struct sentences {
    const char *const *sentence;
    int count;
    const int *line; /* where they begin; NULL: a line each */
};

static bool has_text(const struct analysis_options *options)
{
    return options->text && *options->text;
}

static bool is_treebank(const char *path)
{
    return shipped_ends(path, ".conllu");
}

static struct sentences read_text(const char *file, struct arena *arena)
{
    struct sentences text = {0};
    if (is_treebank(file)) {
        const struct treebank treebank = treebank_read_written(arena, file);
        text.sentence = treebank_sentences(&treebank, &text.line, arena);
        text.count = treebank.sentences;
    } else {
        size_t bytes;
        char *all = utf8_read(arena, file, 0, &bytes);
        text.sentence = file_cut_lines(arena, all, bytes, &text.count);
    }
    if (!text.count) die("%s: there is no sentence in it", file);
    return text;
}

/* A file that is there is read before anything is computed for it. */
static void check_text(const struct analysis_options *options)
{
    struct arena arena = {0};
    const char *file = has_text(options) ? corpus_find_file(&arena, options->text) : NULL;
    if (file) read_text(file, &arena);
    arena_free(&arena);
}

static struct split split_of_text(const char *path, const struct corpus *corpus,
                                  struct arena *arena)
{
    const struct tokenized_reading reading = {NULL, false};
    const char *file = stage_text_file(path, arena);
    const struct sentences text = read_text(file, arena);
    struct split split = {.sentences = text.count};
    tokenized_side(&split, corpus, SIDE_SOURCE, &reading, text.sentence, file, text.line, arena);
    return split;
}

/* The same bytes are other sentences where they are read as a treebank. */
void analysis_find_files(struct stage *stage, struct arena *arena)
{
    const struct analysis_options *options = options_of(stage);
    stage->files = 0;
    stage->file = ARENA_ARRAY(arena, struct input_file, 1);
    if (has_text(options))
        stage_digest_file(stage, is_treebank(options->text) ? "treebank" : "text", options->text,
                          corpus_find_file(arena, options->text), arena);
}

/* ---- before anything runs ---- */

void analysis_check(const struct grid *grid, const struct grid_point *point,
                    const struct stage_kind *kind)
{
    (void)grid;
    const struct analysis_options *options = options_at(&point->settings, kind->evaluation);
    stage_frozen_check(point->options, kind->evaluation->section->name, options->checkpoint);
    check_text(options);
}

struct estimate analysis_estimate(struct stage *stage, struct arena *arena)
{
    const struct analysis_options *options = options_of(stage);
    const struct corpus_facts *facts = corpus_facts(stage->input[FROZEN_CORPUS], arena);
    enum { PIECE_BYTES = 4 }; /* about */
    const char *file = has_text(options) ? corpus_find_file(arena, options->text) : NULL;
    double source = (double)facts->tokens[options->split][SIDE_SOURCE];
    const double all = (double)facts->sentences[options->split];
    if (file)
        source = (double)file_bytes(file) / PIECE_BYTES;
    else if (options->sentences && options->sentences < all)
        source *= options->sentences / all;
    const struct translator_cost cost = facts_forward_cost(stage->settings, facts, source, 0);
    return (struct estimate){.flops = cost.flops, .work = cost.work};
}

struct split analysis_open(struct stage_work *work, struct frozen **frozen)
{
    const struct analysis_options *options = options_of(work->stage);
    *frozen = stage_work_frozen(work, options->checkpoint);
    const struct corpus *corpus = (*frozen)->job.corpus;
    const struct split split = has_text(options)
                                   ? split_of_text(options->text, corpus, &work->arena)
                                   : corpus->split[options->split];
    if (!split.sentences)
        die("%s.split: the corpus has no %s split", work->stage->kind->evaluation->section->name,
            split_names[options->split]);
    frozen_load(*frozen, 0);
    if (has_text(options))
        stage_work_text(work, "text", options->text);
    else
        stage_work_text(work, "split", split_names[options->split]);
    return kept_rows_first(&split, options->sentences);
}

static void write_tsv(const char *path, const char *const *header, int columns, const float *number,
                      int64_t rows)
{
    struct file_writer writer = file_create(path);
    for (int c = 0; c < columns; c++)
        fprintf(writer.stream, "%s%c", header[c], c + 1 < columns ? '\t' : '\n');
    for (int64_t r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            fprintf(writer.stream, "%.9g%c", (double)number[r * columns + c],
                    c + 1 < columns ? '\t' : '\n');
    file_commit(&writer);
}

void analysis_write(struct stage_work *work, const char *name, const char *const *header,
                    int columns, const float *number, int64_t rows)
{
    const char *npy = arena_print(&work->arena, "%s.npy", name),
               *tsv = arena_print(&work->arena, "%s.tsv", name), *folder = work->stage->folder;
    npy_write(arena_print(&work->arena, "%s/%s", folder, npy), number, rows, columns);
    write_tsv(arena_print(&work->arena, "%s/%s", folder, tsv), header, columns, number, rows);
    stage_work_output(work, npy);
    stage_work_output(work, tsv);
    stage_work_count(work, "rows", rows);
}
