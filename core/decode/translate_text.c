/* Translation of a split or of lines. Batches contain sentences of similar length, because a search
 * takes as many steps as its longest sentence needs. The results are in the order of the
 * sources. */
#include "core/decode/translate_text.h"

#include "core/decode/crew.h"

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

struct nbest_found {
    const struct corpus *corpus;
    struct nbest *nbest; /* one element per sentence */
    int most;
    struct arena *arena;
    const struct frozen *frozen;
    int64_t done, all;
};

static void found(void *context, const int32_t *sentence, const struct translation *translation,
                  int count)
{
    struct nbest_found *to = context;
    for (int i = 0; i < count; i++)
        to->nbest[sentence[i]] = nbest_of(&translation[i], to->most, to->corpus, to->arena);
    to->done += count;
    frozen_progress(to->frozen, to->done, to->all);
}

/* Translates every sentence of the split; the results are in file order. */
static void translate_nbest(struct model *model, const struct corpus *corpus,
                            const struct split *split, const struct beam_options *options, int most,
                            struct nbest *nbest, struct arena *arena, const struct frozen *frozen)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct nbest_found to = {corpus, nbest, most, arena, frozen, 0, split->sentences};
    struct crew crew = crew_open(&scratch, model, options, split, frozen ? CREW : CREW_FRUGAL, 0);
    crew_want(&crew, most);
    crew_search(&crew, 0, crew.epoch.batches, found, &to);
    crew_close(&crew);
}

void translate_with(struct model *model, const struct corpus *corpus, const struct split *split,
                    const struct beam_options *options, const char **text, struct arena *arena,
                    const struct frozen *frozen)
{
    SCOPED(arena_free) struct arena scratch = {0};
    struct nbest *nbest = ARENA_ARRAY(&scratch, struct nbest, split->sentences + 1);
    translate_nbest(model, corpus, split, options, 1, nbest, arena, frozen);
    for (int i = 0; i < split->sentences; i++) text[i] = nbest[i].text[0];
}

/* Returns the sentences of a split that are not blank, without targets. Writes their indices to
 * `place`. A blank sentence has no piece before <eos>. It is not translated, because the model
 * would invent words. */
static struct split sources_with_words(const struct split *split, int *place, struct arena *arena)
{
    const int64_t *start = split->side[SIDE_SOURCE].start;
    int32_t *row = ARENA_ARRAY(arena, int32_t, split->sentences + 1), some = 0;
    for (int i = 0; i < split->sentences; i++) {
        row[i] = start[i + 1] - start[i] > 1 ? some : -1;
        if (row[i] >= 0) place[some++] = i;
    }
    return split_chosen(arena, split, row);
}

const char ***translate_split(struct frozen *frozen, const struct beam_options *beam,
                              enum split_name which, int *blank, struct arena *arena)
{
    const struct split *all = &frozen->job.corpus->split[which];
    SCOPED(arena_free) struct arena scratch = {0};
    int *place = ARENA_ARRAY(&scratch, int, all->sentences + 1);
    const struct split some = sources_with_words(all, place, &scratch);
    const char **text = ARENA_ARRAY(&scratch, const char *, some.sentences + 1);
    const char ***result = ARENA_ARRAY(arena, const char **, frozen->sets);
    *blank = all->sentences - some.sentences;
    for (int set = 0; set < frozen->sets; set++) {
        frozen_load(frozen, set);
        result[set] = ARENA_ARRAY(arena, const char *, all->sentences + 1);
        for (int i = 0; i < all->sentences; i++) result[set][i] = "";
        /* If no source is blank, translates the split of the corpus itself. */
        if (some.sentences)
            translate_with(frozen->model, frozen->job.corpus, *blank ? &some : all, beam, text,
                           arena, frozen);
        for (int i = 0; i < some.sentences; i++) result[set][place[i]] = text[i];
    }
    return result;
}

/* Translates lines as a split with empty targets. */
struct nbest *translate_lines_nbest(const struct frozen *frozen, const struct beam_options *beam,
                                    const char *const *line, int count, int most,
                                    struct arena *arena)
{
    const struct corpus *corpus = frozen->job.corpus;
    SCOPED(arena_free) struct arena scratch = {0};
    struct split all = {.sentences = count};
    int *place = ARENA_ARRAY(&scratch, int, count + 1), first; /* place: indices in `line` */
    const int cut = corpus_encode_lines(&all, corpus, SIDE_SOURCE, line, &first, &scratch);
    if (cut)
        warn("cut to %d pieces: %d lines, the first is line %d", CORPUS_LINE_PIECES, cut,
             first + 1);
    const struct split some = sources_with_words(&all, place, &scratch);
    struct nbest *target = ARENA_ARRAY(&scratch, struct nbest, some.sentences + 1);
    if (some.sentences)
        translate_nbest(frozen->model, corpus, &some, beam, most, target, arena, frozen);
    struct nbest *result = ARENA_ARRAY(arena, struct nbest, count + 1);
    static const char *empty[] = {""};
    static double zero[] = {0};
    for (int i = 0; i < count; i++) result[i] = (struct nbest){1, empty, zero};
    for (int i = 0; i < some.sentences; i++) result[place[i]] = target[i];
    return result;
}
