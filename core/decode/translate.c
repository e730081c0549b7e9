/* Sentences of about one length share a batch, since a search takes as many steps as its longest
 * sentence needs; hypotheses go back to the places of their sources. */
#include "core/decode/translate.h"

#include <string.h>

#include "core/text/tokenize.h"

struct epoch translate_epoch(struct arena *arena, const struct split *split)
{
    const struct capacity capacity = searcher_capacity(split->longest[SIDE_SOURCE]);
    return epoch_by_length(arena, split, capacity.tokens[FIELD_SOURCE], capacity.sentences);
}

/* The best of a translation, as text. */
static struct nbest nbest_of(const struct translation *translation, int most,
                             const struct corpus *corpus, struct arena *arena)
{
    const int count = translation->count < most ? translation->count : most;
    struct nbest nbest = {count, ARENA_ARRAY(arena, const char *, count),
                          ARENA_ARRAY(arena, double, count)};
    for (int i = 0; i < count; i++) {
        const struct hypothesis *one = &translation->hypothesis[i];
        nbest.text[i] = corpus_text(arena, corpus, SIDE_TARGET, one->token, one->count);
        nbest.score[i] = one->score;
    }
    return nbest;
}

/* The model's words for every sentence of the split, as text, in file order. */
static void translate_nbest(struct model *model, const struct corpus *corpus,
                            const struct split *split, const struct beam_options *options, int most,
                            struct nbest *nbest, struct arena *arena, const struct frozen *frozen)
{
    struct arena scratch = {0};
    const struct capacity capacity = searcher_capacity(split->longest[SIDE_SOURCE]);
    struct searcher *searcher = searcher_open(&scratch, model, options, capacity);
    const struct epoch epoch = translate_epoch(&scratch, split);
    int64_t done = 0;
    for (int b = 0; b < epoch.batches; b++) {
        struct arena step = {0};
        const int32_t *sentence = epoch.sentence + epoch.begin[b];
        const int count = epoch.begin[b + 1] - epoch.begin[b];
        const struct batch batch = batch_pack(&step, split, sentence, count);
        const struct translation *translation = searcher_run(searcher, &batch, &step);
        for (int i = 0; i < count; i++)
            nbest[sentence[i]] = nbest_of(&translation[i], most, corpus, arena);
        arena_free(&step);
        done += count;
        frozen_progress(frozen, done, split->sentences);
    }
    searcher_close(searcher);
    arena_free(&scratch);
}

void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct frozen *frozen)
{
    struct arena scratch = {0};
    struct nbest *nbest = ARENA_ARRAY(&scratch, struct nbest, split->sentences + 1);
    translate_nbest(model, corpus, split, options, 1, nbest, arena, frozen);
    for (int i = 0; i < split->sentences; i++) text[i] = nbest[i].text[0];
    arena_free(&scratch);
}

size_t translate_bytes(struct model *model, const struct split *split,
                       const struct beam_options *options)
{
    struct arena scratch = {0};
    const int64_t *start = split->side[SIDE_SOURCE].start;
    const struct epoch epoch = translate_epoch(&scratch, split);
    int64_t slots = 0;
    for (int b = 0; b < epoch.batches; b++) {
        const int32_t first = epoch.sentence[epoch.begin[b]]; /* the longest of the batch */
        const int64_t rows = (int64_t)(epoch.begin[b + 1] - epoch.begin[b]) * options->beam;
        const int64_t steps = start[first + 1] - start[first] + options->extra;
        if (rows * steps > slots) slots = rows * steps;
    }
    arena_free(&scratch);
    return searcher_bytes(model, options, searcher_capacity(split->longest[SIDE_SOURCE]), slots);
}

const char ***translate_split(struct frozen *frozen, const struct beam_options *beam,
                              enum split_name which, struct arena *arena)
{
    const struct split *split = &frozen->job.corpus->split[which];
    const char ***result = ARENA_ARRAY(arena, const char **, frozen->sets);
    for (int set = 0; set < frozen->sets; set++) {
        frozen_load(frozen, set);
        result[set] = ARENA_ARRAY(arena, const char *, split->sentences + 1);
        translate_with(frozen->model, frozen->job.corpus, split, beam, result[set], arena, frozen);
    }
    return result;
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
struct nbest *translate_lines_nbest(const struct frozen *frozen, const struct beam_options *beam,
                                    const char *const *line, int count, int most,
                                    struct arena *arena)
{
    const struct corpus *corpus = frozen->job.corpus;
    struct arena scratch = {0};
    struct split split = {0};
    const char **source = ARENA_ARRAY(&scratch, const char *, count + 1);
    int *place = ARENA_ARRAY(&scratch, int, count + 1), first; /* place: in `line` */
    for (int i = 0; i < count; i++) {
        if (!has_words(line[i])) continue;
        place[split.sentences] = i;
        source[split.sentences++] = line[i];
    }
    const int cut = corpus_encode_lines(&split, corpus, SIDE_SOURCE, source, &first, &scratch);
    if (cut)
        warn("lines of more than %d pieces are cut: %d, the first is line %d", CORPUS_LINE_PIECES,
             cut, place[first] + 1);
    struct nbest *target = ARENA_ARRAY(&scratch, struct nbest, split.sentences + 1);
    if (split.sentences)
        translate_nbest(frozen->model, corpus, &split, beam, most, target, arena, frozen);
    struct nbest *result = ARENA_ARRAY(arena, struct nbest, count + 1);
    static const char *empty[] = {""};
    static double zero[] = {0};
    for (int i = 0; i < count; i++) result[i] = (struct nbest){1, empty, zero};
    for (int i = 0; i < split.sentences; i++) result[place[i]] = target[i];
    arena_free(&scratch);
    return result;
}

const char **translate_lines(const struct frozen *frozen, const struct beam_options *beam,
                             const char *const *line, int count, struct arena *arena)
{
    const struct nbest *nbest = translate_lines_nbest(frozen, beam, line, count, 1, arena);
    const char **result = ARENA_ARRAY(arena, const char *, count + 1);
    for (int i = 0; i < count; i++) result[i] = nbest[i].text[0];
    return result;
}
