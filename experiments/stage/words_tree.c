/* Runs structural probes and writes their results. */
#include "experiments/stage/words_tree.h"

#include <stdlib.h>

#include "experiments/stage/stage_digest.h"
#include "results/store/items.h"

void words_tree_check(const struct texts *ranks, struct location location)
{
    for (int i = 0; i < ranks->count; i++) {
        const char *rank = ranks->text[i];
        if (!*rank || rank[strspn(rank, "0123456789")] || strlen(rank) > 5 || !atoi(rank))
            die_at(ranks->location[i], "evaluate.words.ranks: \"%s\": expected a number from 1",
                   rank);
    }
    if (ranks->count < 1 || ranks->count > STRUCTURAL_RANKS)
        die_at(location, "evaluate.words.ranks: %d ranks; expected 1 to %d", ranks->count,
               STRUCTURAL_RANKS);
}

/* Sets job->rank to the different ranks up to the width of the vectors. */
static void set_ranks(struct structural_job *job, const struct texts *ranks)
{
    for (int i = 0; i < ranks->count; i++) {
        const int asked = atoi(ranks->text[i]), rank = asked < job->D ? asked : job->D;
        bool known = false;
        for (int k = 0; k < job->ranks; k++) known |= job->rank[k] == rank;
        if (!known) job->rank[job->ranks++] = rank;
    }
}

/* Joined neighbors stand for a probe, because nothing is trained yet. */
const char *words_tree_power(const struct words *words, struct arena *arena)
{
    SCOPED(arena_free) struct arena scratch = {0};
    int count;
    const struct trees trees = trees_of(words, WORDS_TEST, &scratch);
    const struct trees_share *joined = trees_neighbors(&trees, &count, &scratch);
    const double error = trees_error(joined, count);
    return arena_print(arena,
                       "power of words.tree: test has %lld edges in %d documents; joined neighbors "
                       "have %.1f%% of them, with a standard error of %.2f by documents; a "
                       "difference of %.1f points between two encoders is detected in 4 of 5 cases",
                       (long long)trees_sum(joined, count), count, trees_percent(joined, count),
                       error, words_detectable(error));
}

static void told(void *context, int done, int total)
{
    stage_work_progress(context, done, total, "structural probes");
}

static void write_items(struct stage_work *work, const struct structural_score *score)
{
    struct item *item = ARENA_ARRAY(&work->arena, struct item, score->shares);
    int items = 0;
    for (int i = 0; i < score->shares; i++) {
        const struct trees_share *share = &score->share[i];
        if (share->all) item[items++] = (struct item){100. * share->right, "", "", share->all};
    }
    stage_work_items(work, items_file(0, 1, &work->arena), item, items);
    stage_work_real(work, "items", items);
}

/* Writes the values of a set: for test with prefix "", also correlations by length. */
static void write_set(struct stage_work *work, const char *prefix, const struct trees *trees,
                      const struct structural_score score[STRUCTURAL_TASKS])
{
    static const char *const share[] = {"accuracy", "root"}, *const order[] = {"distance", "depth"};
    struct arena *arena = &work->arena;
    const struct value_at all = {0};
    int neighbors;
    const struct trees_share *joined = trees_neighbors(trees, &neighbors, arena);
    for (int t = 0; t < STRUCTURAL_TASKS; t++) {
        const struct structural_score *of = &score[t];
        int lists = 0;
        for (int n = 0; n <= STRUCTURAL_LONGEST; n++) {
            lists += of->lists[n];
            if (of->lists[n] && !*prefix)
                stage_work_value(work, order[t], of->of_length[n], of->lists[n],
                                 (struct value_at){.class = arena_print(arena, "%d", n)});
        }
        stage_work_value(work, arena_print(arena, "%s%s", prefix, share[t]),
                         trees_percent(of->share, of->shares), trees_sum(of->share, of->shares),
                         all);
        stage_work_value(work, arena_print(arena, "%s%s", prefix, order[t]), of->correlation, lists,
                         all);
    }
    stage_work_real(work, arena_print(arena, "%sneighbors", prefix),
                    trees_percent(joined, neighbors));
}

static void write_texts(struct stage_work *work, const struct trees *test)
{
    struct arena *arena = &work->arena;
    stage_work_text(work, "caption", words_caption(work->stage, arena));
    stage_work_text(work, "signature",
                    arena_print(arena, "UUAS|words|test:%s|task:tree|sentences:%d",
                                stage_file_signature(stage_file(work->stage, "test"), arena),
                                test->sentences));
}

void words_tree(struct stage_work *work, const struct words *words,
                const struct word_vectors *vectors)
{
    struct arena *arena = &work->arena;
    const struct words_options *options = words_options_at(work->stage->settings);
    static const char *const maps[] = {"distance", "depth"};
    struct trees trees[WORDS_SETS];
    struct structural_set set[WORDS_SETS];
    for (int s = 0; s < words->sets; s++) {
        trees[s] = trees_of(words, (enum words_set)s, arena);
        set[s] = (struct structural_set){&trees[s], vectors->vector};
        if (!trees[s].sentences)
            die("%s: each sentence has a word without a piece; expected other rules",
                words->bank[s].path);
        stage_work_real(work, arena_print(arena, "left_out.%s", words_set_names[s]),
                        trees[s].left_out);
        stage_work_real(work, arena_print(arena, "removed.%s", words_set_names[s]),
                        words->removed[s]);
    }
    struct structural_job job = {.train = set[WORDS_TRAIN],
                                 .dev = set[WORDS_DEV],
                                 .D = vectors->columns,
                                 .seed = 1,
                                 .told = told,
                                 .context = work};
    struct structural_trained trained[STRUCTURAL_TASKS];
    struct structural_score score[WORDS_SETS][STRUCTURAL_TASKS];
    set_ranks(&job, &options->ranks);
    structural_train(&job, trained, arena);
    for (int t = 0; t < STRUCTURAL_TASKS; t++) {
        stage_work_real(work, t ? "depth_rank" : "rank", trained[t].rank);
        stage_work_npy(work, maps[t], trained[t].map, job.D, trained[t].rank);
        for (int s = WORDS_DEV; s < words->sets; s++)
            score[s][t] =
                structural_score((enum structural_task)t, &trained[t], &set[s], job.D, arena);
    }
    for (int s = WORDS_DEV; s < words->sets; s++)
        write_set(work,
                  s == WORDS_DEV    ? "dev_"
                  : s == WORDS_TEST ? ""
                                    : "further_",
                  &trees[s], score[s]);
    const struct structural_score *test = &score[WORDS_TEST][STRUCTURAL_DISTANCE];
    const double error = trees_error(test->share, test->shares);
    stage_work_real(work, "accuracy_se", error);
    stage_work_real(work, "detectable", words_detectable(error));
    write_items(work, test);
    write_texts(work, &trees[WORDS_TEST]);
}
