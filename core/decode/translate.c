#include "core/decode/translate.h"

#include <string.h>

#include "core/model/checkpoint.h"
#include "core/text/batch.h"
#include "core/text/tokenize.h"

enum { SENTENCES = 64, TOKENS = 2048 };

static struct model *open_model(const struct translate_job *job, struct arena *arena)
{
    struct model *model = translator_of(arena, job->ops, job->model, job->corpus, 0);
    parameters_place(&model->parameters, job->ops, false);
    return model;
}

/* The model's words for every sentence of the split, as text, in file order. */
void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct translate_job *job)
{
    struct arena scratch = {0};
    const int longest = split->longest[SIDE_SOURCE];
    const int tokens = longest > TOKENS ? longest : TOKENS;
    struct searcher *searcher = searcher_open(&scratch, model, options, tokens, SENTENCES, longest);
    const struct epoch epoch = epoch_by_length(&scratch, split, tokens, SENTENCES);
    int64_t done = 0;
    for (int b = 0; b < epoch.batches; b++) {
        struct arena step = {0};
        const int32_t *sentence = epoch.sentence + epoch.begin[b];
        const int count = epoch.begin[b + 1] - epoch.begin[b];
        const struct batch batch = batch_pack(&step, split, sentence, count);
        const struct translation *translation = searcher_run(searcher, &batch, &step);
        for (int i = 0; i < count; i++) {
            const struct hypothesis *best = translation[i].hypothesis;
            text[sentence[i]] = corpus_text(arena, corpus, SIDE_TARGET, best->token, best->count);
        }
        arena_free(&step);
        done += count;
        if (job && job->progress) job->progress(job->progress_context, done, split->sentences);
    }
    searcher_close(searcher);
    arena_free(&scratch);
}

size_t translate_bytes(struct model *model, const struct split *split,
                       const struct beam_options *options)
{
    struct arena scratch = {0};
    const int longest = split->longest[SIDE_SOURCE];
    const int tokens = longest > TOKENS ? longest : TOKENS;
    const int64_t *start = split->side[SIDE_SOURCE].start;
    const struct epoch epoch = epoch_by_length(&scratch, split, tokens, SENTENCES);
    int64_t slots = 0;
    for (int b = 0; b < epoch.batches; b++) {
        const int32_t first = epoch.sentence[epoch.begin[b]]; /* the longest of the batch */
        const int64_t rows = (int64_t)(epoch.begin[b + 1] - epoch.begin[b]) * options->beam;
        const int64_t steps = start[first + 1] - start[first] + options->extra;
        if (rows * steps > slots) slots = rows * steps;
    }
    arena_free(&scratch);
    return searcher_bytes(model, options, tokens, SENTENCES, longest, slots);
}

const char ***translate_split(const struct translate_job *job, enum split_name which,
                              struct arena *arena, int *sets)
{
    struct arena scratch = {0};
    int64_t step[1000];
    int each;
    const bool one_by_one =
        checkpoint_parse(job->checkpoint, "checkpoint", &each) == CHECKPOINT_MEAN_OF_BEST;
    const int steps = checkpoint_select(job->train_folder, job->checkpoint, step, COUNT_OF(step));
    const struct split *split = &job->corpus->split[which];
    struct model *model = open_model(job, &scratch);
    *sets = one_by_one ? steps : 1;
    const char ***result = ARENA_ARRAY(arena, const char **, *sets);
    for (int i = 0; i < *sets; i++) {
        if (one_by_one)
            checkpoint_load(job->train_folder, step[i], &model->parameters, false);
        else
            checkpoint_load_mean(job->train_folder, step, steps, &model->parameters);
        result[i] = ARENA_ARRAY(arena, const char *, split->sentences + 1);
        translate_with(model, job->corpus, split, job->beam, result[i], arena, job);
    }
    model_release(model);
    arena_free(&scratch);
    return result;
}

struct model *translate_open(const struct translate_job *job, struct arena *arena)
{
    int64_t step[1000];
    int each;
    if (checkpoint_parse(job->checkpoint, "checkpoint", &each) == CHECKPOINT_MEAN_OF_BEST)
        die("checkpoint: %s means several models; expected one: best, last or average(N)",
            job->checkpoint);
    const int steps = checkpoint_select(job->train_folder, job->checkpoint, step, COUNT_OF(step));
    struct model *model = open_model(job, arena);
    checkpoint_load_mean(job->train_folder, step, steps, &model->parameters);
    return model;
}

/* Whether there is anything to translate: more than white space. */
static bool has_words(const char *line)
{
    struct buffer squeezed = {0};
    tokenize_squeeze(line, strlen(line), &squeezed);
    const bool some = squeezed.bytes > 0;
    buffer_free(&squeezed);
    return some;
}

/* Lines as a split of their own; the target side is empty. Blank lines are not in it: a model makes
 * words of nothing. */
const char **translate_lines(const struct translate_job *job, const char *const *line, int count,
                             struct arena *arena)
{
    struct arena scratch = {0};
    struct split split = {0};
    const char **source = ARENA_ARRAY(&scratch, const char *, count + 1);
    int *place = ARENA_ARRAY(&scratch, int, count + 1), first; /* place: in `line` */
    for (int i = 0; i < count; i++) {
        if (!has_words(line[i])) continue;
        place[split.sentences] = i;
        source[split.sentences++] = line[i];
    }
    const int cut = corpus_encode_lines(&split, job->corpus, SIDE_SOURCE, source, &first, &scratch);
    if (cut)
        warn("lines of more than %d pieces are cut: %d, the first is line %d", CORPUS_LINE_PIECES,
             cut, place[first] + 1);
    split.side[SIDE_TARGET] = (struct side){split.side[SIDE_SOURCE].token,
                                            ARENA_ARRAY(&scratch, int64_t, split.sentences + 1)};
    struct model *model = translate_open(job, &scratch);
    const char **target = ARENA_ARRAY(&scratch, const char *, split.sentences + 1);
    if (split.sentences) translate_with(model, job->corpus, &split, job->beam, target, arena, job);
    model_release(model);
    const char **result = ARENA_ARRAY(arena, const char *, count + 1);
    for (int i = 0; i < count; i++) result[i] = "";
    for (int i = 0; i < split.sentences; i++) result[place[i]] = target[i];
    arena_free(&scratch);
    return result;
}
