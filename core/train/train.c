#include "core/train/train.h"

#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/cpu/cpu.h"
#include "core/cpu/products.h"
#include "core/model/checkpoint.h"
#include "core/text/batch.h"
#include "core/train/state.h"
#include "core/train/step.h"
#include "core/train/validate.h"

static const int stop_signals[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
static volatile sig_atomic_t stop_asked;

static void ask_stop(int number)
{
    (void)number;
    stop_asked = 1;
}

struct trainer {
    const struct train_job *job;
    struct arena arena;
    struct model *model;
    struct graph *graph;
    struct validator *validator;
    struct train_state state;
    struct arena epoch_arena;
    struct epoch epoch; /* of state.epoch; batches is 0 before it is planned */
    int planned;        /* which epoch that is; -1: none */
    int64_t total;      /* steps in all, by options alone */
    double rate_from;   /* clock and tokens since the last timing row */
    int64_t rate_tokens;
};

/* Tokens of a side after which a micro-batch ends. */
static int share_of(const struct train_options *options)
{
    return (options->batch_tokens + options->accumulate - 1) / options->accumulate;
}

/* A micro-batch holds its share and the sentence that crosses it; without accumulation a batch
 * never exceeds the budget. */
static struct capacity capacity_of(const struct train_options *options, const struct split *split)
{
    struct capacity capacity = {.sentences = options->batch_tokens};
    for (int side = 0; side < SIDES; side++) {
        capacity.tokens[side] =
            share_of(options) + (options->accumulate > 1 ? split->longest[side] : 0);
        if (split->longest[side] > capacity.longest) capacity.longest = split->longest[side];
    }
    if (capacity.sentences > split->sentences) capacity.sentences = split->sentences;
    return capacity;
}

static void trainer_plan(struct trainer *trainer, const struct train_job *job)
{
    const struct corpus *corpus = job->corpus;
    trainer->job = job;
    trainer->planned = -1;
    trainer->model =
        translator_of(&trainer->arena, job->ops, job->model, corpus, job->train->label_smoothing);
    trainer->graph = model_list(trainer->model, trainer->model->arena, GRAPH_TRAIN);
    graph_plan(trainer->graph, capacity_of(job->train, &corpus->split[SPLIT_TRAIN]));
    trainer->validator =
        validator_open(&trainer->arena, trainer->model, corpus, job->train->validate_sentences);
}

static void trainer_close(struct trainer *trainer)
{
    validator_close(trainer->validator);
    graph_release(trainer->graph);
    model_release(trainer->model);
    arena_free(&trainer->epoch_arena);
    arena_free(&trainer->arena);
}

/* The program and its libraries (measured: sanlab bench --memory). */
static const size_t PROGRAM_BYTES = (size_t)6 << 20;

/* Token ids and starts of every split, and the plan of an epoch. */
static size_t corpus_bytes(const struct corpus *corpus)
{
    size_t bytes = 0;
    for (int s = 0; s < SPLITS; s++) {
        const struct split *split = &corpus->split[s];
        for (int side = 0; side < SIDES && split->side[side].start; side++)
            bytes += (size_t)split->side[side].start[split->sentences] * sizeof(int32_t) +
                     (size_t)split->sentences * (sizeof(int64_t) + sizeof(int32_t));
    }
    return bytes;
}

/* What products pack: weights, and what gradients of weights multiply by. */
static size_t packed_bytes(const struct graph *graph)
{
    int64_t most = 0;
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (!node->multiplies) continue;
        const struct value *x = node->in[0], *y = node->out[0];
        const int64_t rows = x->rows->room;
        const int64_t weight = (int64_t)x->columns * y->columns;
        const int64_t right = rows * (node->transposed ? x->columns : y->columns);
        most = weight > most ? weight : most;
        most = right > most ? right : most;
    }
    return (size_t)(most < CPU_PACKED ? most : CPU_PACKED) * sizeof(real);
}

size_t train_memory(const struct ops *ops, const struct translator_options *model,
                    const struct train_options *train, const struct corpus *corpus)
{
    struct trainer trainer = {0};
    const struct train_job job = {.ops = ops, .corpus = corpus, .model = model, .train = train};
    trainer_plan(&trainer, &job);
    const size_t bytes = PROGRAM_BYTES + corpus_bytes(corpus) +
                         parameters_bytes(&trainer.model->parameters, true) +
                         trainer.graph->memory_bytes + trainer.graph->fixed_bytes +
                         packed_bytes(trainer.graph) + validator_bytes(trainer.validator);
    trainer_close(&trainer);
    return bytes;
}

static int epoch_batches(const struct train_options *train, const struct split *split,
                         uint32_t seed, int epoch)
{
    struct arena arena = {0};
    const int batches =
        epoch_plan(&arena, split, train->batch_tokens, seed, (uint32_t)epoch).batches;
    arena_free(&arena);
    return batches;
}

int64_t train_steps(const struct train_options *train, const struct split *split, uint32_t seed)
{
    if (!train->epochs) return train->steps;
    int64_t steps = 0;
    for (int e = 0; e < train->epochs && (!train->steps || steps < train->steps); e++)
        steps += epoch_batches(train, split, seed, e);
    return train->steps && train->steps < steps ? train->steps : steps;
}

/* Takes away what the state does not need. */
static void thin(const struct trainer *trainer)
{
    const struct train_state *state = &trainer->state;
    int64_t keep[BEST_MOST + RECENT_MOST];
    int keeps = 0;
    for (int i = 0; i < state->bests; i++) keep[keeps++] = state->best[i].step;
    for (int i = 0; i < state->recents; i++) keep[keeps++] = state->recent[i];
    checkpoint_thin(trainer->job->folder, keep, keeps, trainer->job->train->keep_last);
}

static void save(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    state->journal = journal_sync(job->journal);
    char *text = state_print(state);
    checkpoint_save(job->folder, state->step, &trainer->model->parameters, text);
    free(text);
    thin(trainer);
    journal_event(job->journal, "saved", state->step, NULL);
    file_crash_point("checkpoint-thinned");
}

static void plan_epoch(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    if (trainer->planned == trainer->state.epoch) return;
    arena_free(&trainer->epoch_arena);
    trainer->epoch =
        epoch_plan(&trainer->epoch_arena, &job->corpus->split[SPLIT_TRAIN],
                   job->train->batch_tokens, job->seed, (uint32_t)trainer->state.epoch);
    trainer->planned = trainer->state.epoch;
}

/* From the newest sound checkpoint, or from the start. */
static void start_or_resume(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    struct checkpoint checkpoint;
    char numerics[sizeof state->numerics];
    snprintf(numerics, sizeof numerics, "%s", products_name());
    if (!checkpoint_newest(&trainer->arena, job->folder, &checkpoint)) {
        *state = (struct train_state){0};
        snprintf(state->numerics, sizeof state->numerics, "%s", numerics);
        journal_cut(job->journal, 0);
        journal_event(job->journal, "begun", 0, NULL);
        return;
    }
    state_read(state, checkpoint.state, checkpoint.path);
    if (state->step != checkpoint.step)
        die("%s: step: expected that of its folder, %lld, found %lld", checkpoint.path,
            (long long)checkpoint.step, (long long)state->step);
    plan_epoch(trainer);
    if (state->batch >= trainer->epoch.batches)
        die("%s: batch: expected a whole number from 0 to %d, as epoch %d has them, found %d",
            checkpoint.path, trainer->epoch.batches - 1, state->epoch, state->batch);
    if (strcmp(state->numerics, numerics) && !getenv("SANLAB_ANY_NUMERICS"))
        products_refuse(checkpoint.path, state->numerics);
    if (strcmp(state->numerics, numerics)) {
        journal_event(job->journal, "mixed_numerics", state->step, numerics);
        snprintf(state->numerics, sizeof state->numerics, "%s", numerics);
    }
    checkpoint_load(job->folder, checkpoint.step, &trainer->model->parameters, true);
    journal_cut(job->journal, state->journal);
    journal_event(job->journal, "resumed", state->step, NULL);
    thin(trainer); /* who saved it may have died before */
}

/* The next step's sentences, cut into micro-batches: one ends when either side has its share of the
 * budget, so that neither side ever has more than that and one sentence (capacity_of). */
static int cut_micros(struct trainer *trainer, struct arena *arena, struct batch *micro)
{
    const struct train_options *train = trainer->job->train;
    const struct split *split = &trainer->job->corpus->split[SPLIT_TRAIN];
    const struct epoch *epoch = &trainer->epoch;
    const int begin = epoch->begin[trainer->state.batch];
    const int count = epoch->begin[trainer->state.batch + 1] - begin;
    const int32_t *sentence = epoch->sentence + begin;
    int64_t tokens[SIDES] = {0};
    int micros = 0, from = 0;
    for (int i = 0; i < count; i++) {
        bool full = i + 1 == count;
        for (int side = 0; side < SIDES; side++) {
            const int64_t *start = split->side[side].start;
            tokens[side] += start[sentence[i] + 1] - start[sentence[i]];
            full |= train->accumulate > 1 && tokens[side] >= share_of(train);
        }
        if (!full) continue;
        micro[micros++] = batch_pack(arena, split, sentence + from, i + 1 - from);
        from = i + 1;
        tokens[SIDE_SOURCE] = tokens[SIDE_TARGET] = 0;
    }
    return micros;
}

static void start_clock(struct trainer *trainer)
{
    trainer->rate_from = clock_seconds();
    trainer->rate_tokens = 0;
}

static void log_loss(struct trainer *trainer)
{
    struct train_state *state = &trainer->state;
    const double now = clock_seconds();
    if (!state->loss_tokens) return;
    journal_value(trainer->job->journal, state->step, "loss",
                  state->loss_sum / (double)state->loss_tokens);
    state->loss_sum = 0;
    state->loss_tokens = 0;
    if (trainer->rate_tokens)
        journal_timing(trainer->job->journal, state->step, "target_tokens_per_second",
                       (double)trainer->rate_tokens / (now - trainer->rate_from));
    start_clock(trainer);
}

static void diverged(const struct trainer *trainer, const char *what, double a, double b)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %g, %g", what, a, b);
    journal_event(trainer->job->journal, "diverged", trainer->state.step, text);
}

enum verdict {
    GO_ON,
    TIRED,   /* patience is at its end */
    DIVERGED /* dev's loss is not finite */
};

/* Validates, ranks and saves. */
static enum verdict validate(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    const double begin = clock_seconds();
    const struct validation validation = validator_run(trainer->validator);
    journal_timing(job->journal, state->step, "validate", clock_seconds() - begin);
    const double part = trainer->epoch.batches ? (double)state->batch / trainer->epoch.batches : 0;
    journal_value(job->journal, state->step, "epochs", state->epoch + part);
    journal_value(job->journal, state->step, "dev_loss", validation.loss);
    journal_value(job->journal, state->step, "dev_smoothed", validation.smoothed);
    if (!isnan(validation.bleu))
        journal_value(job->journal, state->step, "dev_bleu", validation.bleu);
    if (!isfinite(validation.loss)) {
        diverged(trainer, "dev loss, smoothed", validation.loss, validation.smoothed);
        return DIVERGED;
    }
    const bool by_bleu = job->train->select == SELECT_BLEU;
    const bool better = state_rank(state, state->step, by_bleu ? -validation.bleu : validation.loss,
                                   job->train->keep_best);
    state_remember(state, state->step, job->train->keep_average);
    state->without_better = better ? 0 : state->without_better + 1;
    save(trainer);
    start_clock(trainer);
    return job->train->patience && state->without_better >= job->train->patience ? TIRED : GO_ON;
}

/* One step and what is due behind it. Returns false when training ends with *end. */
static bool advance(struct trainer *trainer, enum train_end *end)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    struct arena arena = {0};
    plan_epoch(trainer);
    struct batch *micro = ARENA_ARRAY(&arena, struct batch, 2 * job->train->accumulate + 1);
    const int micros = cut_micros(trainer, &arena, micro);
    const struct step_result result = train_step(trainer->model, trainer->graph, job->train,
                                                 job->seed, state->step, micro, micros);
    arena_free(&arena);
    if (!result.finite) {
        diverged(trainer, "loss, gradient norm", result.loss, result.norm);
        *end = TRAIN_DIVERGED;
        return false;
    }
    state->step++;
    state->batch++;
    const bool epoch_over = state->batch == trainer->epoch.batches;
    if (epoch_over) state->batch = 0, state->epoch++;
    state->loss_sum += result.loss * (double)result.target;
    state->loss_tokens += result.target;
    trainer->rate_tokens += result.target;
    file_crash_point("step");
    const bool last = state->step >= trainer->total;
    if (last || state->step % job->train->log_every == 0) log_loss(trainer);
    const int threads = omp_get_max_threads();
    if (job->progress)
        job->progress(job->progress_context, state->step, trainer->total, result.loss);
    if (omp_get_max_threads() != threads) start_clock(trainer); /* speeds of one team each */
    const bool due = job->train->validate_every ? state->step % job->train->validate_every == 0
                                                : epoch_over;
    const enum verdict verdict = due || last ? validate(trainer) : GO_ON;
    *end = verdict == DIVERGED ? TRAIN_DIVERGED : TRAIN_DONE;
    if (verdict == TIRED) journal_event(job->journal, "stopped_early", state->step, NULL);
    if (verdict != GO_ON || last) return false;
    if (stop_asked) {
        if (!due) save(trainer);
        *end = TRAIN_INTERRUPTED;
        return false;
    }
    if (!due && job->train->save_every && state->step % job->train->save_every == 0) save(trainer);
    return true;
}

static void check_job(const struct train_job *job)
{
    const struct train_options *train = job->train;
    const struct corpus *corpus = job->corpus;
    if (!train->epochs && !train->steps) die("train: say epochs or steps, both are 0");
    if (!corpus->split[SPLIT_TRAIN].sentences) die("%s: no training sentences", corpus->folder);
    if (!corpus->split[SPLIT_DEV].sentences) die("%s: no dev sentences", corpus->folder);
    if (train->select == SELECT_BLEU && !train->validate_sentences)
        die("train.select: bleu needs train.validate_sentences above 0");
    if (job->model->model.share == SHARE_ALL && !corpus->joint)
        die("model.share: all needs a joint vocabulary (corpus.joint: true)");
}

enum train_end train_run(const struct train_job *job)
{
    struct trainer trainer = {0};
    enum train_end end = TRAIN_DONE;
    check_job(job);
    const struct sigaction action = {.sa_handler = ask_stop, .sa_flags = SA_RESTART};
    stop_asked = 0;
    for (size_t i = 0; i < COUNT_OF(stop_signals); i++)
        sigaction(stop_signals[i], &action, NULL);
    trainer_plan(&trainer, job);
    model_place(trainer.model, true, job->seed);
    trainer.total = train_steps(job->train, &job->corpus->split[SPLIT_TRAIN], job->seed);
    start_or_resume(&trainer);
    graph_place(
        trainer.graph); /* after the checkpoint was read, so that both never lie in memory */
    start_clock(&trainer);
    const bool stopped_early = job->train->patience && trainer.state.step &&
                               trainer.state.without_better >= job->train->patience;
    if (trainer.state.step < trainer.total && !stopped_early)
        while (advance(&trainer, &end)) continue;
    if (end == TRAIN_INTERRUPTED)
        journal_event(job->journal, "interrupted", trainer.state.step, NULL);
    journal_sync(job->journal);
    for (size_t i = 0; i < COUNT_OF(stop_signals); i++) signal(stop_signals[i], SIG_DFL);
    trainer_close(&trainer);
    return end;
}
