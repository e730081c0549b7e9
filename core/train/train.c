/* Training loop: steps, validation, checkpoints, logging and stopping. The result of a step depends
 * only on the checkpoint and the number of the step. A run that was killed and resumed therefore
 * ends with the same bytes. */
#include "core/train/train.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/crash.h"
#include "core/base/file.h"
#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"
#include "core/model/device_choice.h"
#include "core/train/state.h"
#include "core/train/step.h"

/* A signal stops all trainings of this process. It increases stops_asked. Each training compares
 * stops_asked with its value at the start of the training. The last training that ends removes the
 * handlers. */
static const int stop_signals[] = {SIGTERM, SIGINT, SIGUSR1, SIGUSR2};
static atomic_uint stops_asked;
static pthread_mutex_t handlers_mutex = PTHREAD_MUTEX_INITIALIZER;
static int handlers_users;

static void ask_stop(int number)
{
    atomic_fetch_add(&stops_asked, 1);
}

/* Adds `more` to the number of running trainings: 1 at the start of a training, -1 at its end. */
static void listen_to_signals(int more)
{
    pthread_mutex_lock(&handlers_mutex);
    handlers_users += more;
    const struct sigaction action = {.sa_handler = handlers_users ? ask_stop : SIG_DFL,
                                     .sa_flags = SA_RESTART};
    for (size_t i = 0; i < COUNT_OF(stop_signals); i++) sigaction(stop_signals[i], &action, NULL);
    pthread_mutex_unlock(&handlers_mutex);
}

/* Batches of a step, which are packed before the previous step ends. */
struct packed_step {
    bool there;
    int epoch, number;
    struct arena arena;
    struct learner_step step;
};

struct trainer {
    const struct train_job *job;
    const struct learner *learner;
    struct arena arena;
    struct train_state state;
    struct packed_step packed[2]; /* current and next step, alternating */
    int turn;
    int epoch_steps;  /* number of steps in the epoch of the last step */
    double rate_from; /* time of the last speed row; rate_units: units since then */
    int64_t rate_units;
    unsigned stops; /* value of stops_asked when this training began */
};

/* Returns the bytes that the CPU needs for a packed operand of a product. The operand is the
 * largest weight, or the largest right operand of the product for a weight's gradient. */
static size_t packed_bytes(const struct graph *graph)
{
    int64_t most = 0;
    if (!graph->ops->panel) return 0;
    for (int i = 0; i < graph->nodes; i++) {
        const struct node *node = graph->node[i];
        if (!node->multiplies) continue;
        const struct value *x = node->in[0], *y = node->out[0];
        const int64_t rows = x->rows->capacity;
        const int64_t weight = (int64_t)x->columns * y->columns;
        const int64_t right = rows * (node->transposed ? x->columns : y->columns);
        most = weight > most ? weight : most;
        most = right > most ? right : most;
    }
    return (size_t)(most < CPU_PACKED ? most : CPU_PACKED) * sizeof(real);
}

size_t train_placed(const struct model *model, const struct graph *list)
{
    const size_t act_bytes = list->ops->act_bytes;
    const size_t operands =
        act_bytes == sizeof(real) ? 0 : (size_t)model->parameters.slab * act_bytes;
    return parameters_bytes(&model->parameters, true) + operands + list->memory_bytes +
           list->fixed_bytes;
}

size_t train_memory(const struct learner *learner, size_t *placed)
{
    size_t beside;
    const size_t bytes = learner->bytes(learner->context, &beside);
    const size_t learns = train_placed(learner->model, learner->list);
    *placed = learns + beside;
    return PROGRAM_BYTES + learns + packed_bytes(learner->list) + bytes;
}

static int epoch_steps(const struct learner *learner, int epoch)
{
    const int steps = learner->epoch_steps(learner->context, epoch);
    CHECK(steps > 0, "epoch %d has no steps", epoch);
    return steps;
}

int64_t train_steps(const struct learner *learner)
{
    const struct train_options *train = learner->train;
    if (!train->epochs) return train->steps;
    int64_t steps = 0;
    for (int e = 0; e < train->epochs && (!train->steps || steps < train->steps); e++)
        steps += epoch_steps(learner, e);
    return train->steps && train->steps < steps ? train->steps : steps;
}

/* True if an uninterrupted training would also save at this step. */
static bool is_planned(const struct trainer *trainer, int64_t step)
{
    const struct train_options *train = trainer->learner->train;
    if (train->save_every && step % train->save_every == 0) return true;
    if (train->validate_every) return step % train->validate_every == 0;
    SCOPED(arena_free) struct arena arena = {0};
    struct train_state *state = ARENA_NEW(&arena, struct train_state);
    return !state_at(state, trainer->job->folder, step, &arena) || state->batch == 0;
}

/* Removes older checkpoints that exist only because of a signal. They must be removed before
 * checkpoint_thin counts the newest checkpoints. Otherwise they would displace checkpoints that an
 * uninterrupted training keeps. */
static void remove_unplanned(const struct trainer *trainer)
{
    int64_t step[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(trainer->job->folder, step, CHECKPOINTS_MOST);
    for (int i = 0; i < count; i++)
        if (step[i] < trainer->state.step && !is_planned(trainer, step[i]))
            checkpoint_remove(trainer->job->folder, step[i]);
}

int train_kept_at(const struct train_options *train, const char *folder, int64_t until,
                  int64_t step[])
{
    int count = 0;
    for (int i = 0; i < train->keep_at.count; i++) {
        const struct crossing crossing = checkpoint_crossing(folder, &train->keep_at.at[i], until);
        for (int k = 0; k < 2 && crossing.reached; k++) step[count++] = crossing.step[k];
    }
    return count;
}

/* Removes checkpoints that the state does not need. If only the end of the training caused the last
 * validation, a longer training would resume from the checkpoint before it. So the checkpoints that
 * the earlier state names are also kept. The journal must be written up to the state. */
static void thin(const struct trainer *trainer)
{
    const struct train_state *state = &trainer->state;
    int64_t keep[2 * STATE_KEPT + 2 * KEEP_AT_MOST];
    int keeps = 0;
    remove_unplanned(trainer);
    if (state->step >= trainer->learner->total &&
        !state_is_due(state, trainer->learner->train->validate_every))
        keeps = checkpoint_named(trainer->job->folder, state->step, keep, STATE_KEPT);
    keeps += state_kept(state, keep + keeps);
    keeps +=
        train_kept_at(trainer->learner->train, trainer->job->folder, state->step, keep + keeps);
    checkpoint_thin(trainer->job->folder, keep, keeps, trainer->learner->train->keep_last);
}

/* Finds the newest sound checkpoint. Returns false if there are no checkpoints. Dies if checkpoints
 * exist but none is sound. */
static bool find_checkpoint(struct arena *arena, const char *folder, struct checkpoint *checkpoint)
{
    int64_t there[CHECKPOINTS_MOST];
    const int count = checkpoint_steps(folder, there, CHECKPOINTS_MOST);
    const bool found = checkpoint_newest(arena, folder, checkpoint);
    if (!found && count)
        die("%s/ckpt: all %d checkpoints are damaged (reasons in log.txt, files in quarantine/); "
            "--retry failed starts anew",
            folder, count);
    return found;
}

int train_micros(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    struct checkpoint checkpoint;
    struct train_state *state = ARENA_NEW(&arena, struct train_state);
    if (checkpoint_look(&arena, folder, &checkpoint))
        state_read(state, checkpoint.state, checkpoint.path);
    return state->micros;
}

int64_t train_other(const char *folder)
{
    SCOPED(arena_free) struct arena arena = {0};
    int64_t there[CHECKPOINTS_MOST], step = -1;
    const int count = checkpoint_steps(folder, there, CHECKPOINTS_MOST);
    const char *path = folder,
               *text = count ? checkpoint_state(&arena, folder, there[count - 1], &path) : NULL;
    if (text) {
        struct train_state *state = ARENA_NEW(&arena, struct train_state);
        state_read(state, text, path);
        step = state->others ? state->other.step : -1;
    }
    return step;
}

static void save(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    const struct learner *learner = trainer->learner;
    state->journal = journal_sync(job->journal);
    state->micros = learner->model->ops->memory ? learner->micros : 0;
    SCOPED(heap_free) char *text = state_print(state);
    checkpoint_save(job->folder, state->step, &trainer->learner->model->parameters,
                    job->description, text);
    thin(trainer);
    journal_event(job->journal, "saved", state->step, NULL);
    crash_point("checkpoint-thinned");
}

/* Starts from the newest sound checkpoint; if there is no checkpoint, from the beginning. Random
 * numbers are functions of the step, so the state has no random state. It has the sums for the next
 * loss row. The journal is cut to the length in the state, so that repeated steps write the same
 * rows again. */
static void start_or_resume(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    struct train_state *state = &trainer->state;
    struct checkpoint checkpoint;
    char numerics[sizeof state->numerics];
    snprintf(numerics, sizeof numerics, "%s", trainer->learner->model->ops->numerics());
    if (!find_checkpoint(&trainer->arena, job->folder, &checkpoint)) {
        *state = (struct train_state){0};
        snprintf(state->numerics, sizeof state->numerics, "%s", numerics);
        journal_cut(job->journal, 0);
        journal_event(job->journal, "begun", 0, NULL);
        return;
    }
    state_read(state, checkpoint.state, checkpoint.path);
    if (state->step != checkpoint.step)
        die("%s: step: expected %lld, as in the name of the folder, found %lld", checkpoint.path,
            (long long)checkpoint.step, (long long)state->step);
    trainer->epoch_steps = epoch_steps(trainer->learner, state->epoch);
    if (state->batch >= trainer->epoch_steps)
        die("%s: batch: expected a whole number from 0 to %d, as in epoch %d, found %d",
            checkpoint.path, trainer->epoch_steps - 1, state->epoch, state->batch);
    if (strcmp(state->numerics, numerics) && !getenv("SANLAB_ANY_NUMERICS"))
        device_refuse(trainer->learner->model->ops, checkpoint.path, state->numerics);
    if (strcmp(state->numerics, numerics)) {
        journal_event(job->journal, "mixed_numerics", state->step, numerics);
        snprintf(state->numerics, sizeof state->numerics, "%s", numerics);
    }
    checkpoint_load(job->folder, checkpoint.step, &trainer->learner->model->parameters, true);
    journal_cut(job->journal, state->journal);
    if (checkpoint.damaged >= 0)
        journal_event(job->journal, "fell_back", state->step,
                      arena_print(&trainer->arena, "checkpoint %lld is damaged",
                                  (long long)checkpoint.damaged));
    journal_event(job->journal, "resumed", state->step, NULL);
    thin(trainer); /* the process that saved the checkpoint may have died before thinning */
}

static void start_clock(struct trainer *trainer)
{
    trainer->rate_from = clock_seconds();
    trainer->rate_units = 0;
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
    if (trainer->rate_units) {
        char name[64];
        snprintf(name, sizeof name, "%s_per_second", trainer->learner->unit);
        journal_timing(trainer->job->journal, state->step, name,
                       (double)trainer->rate_units / (now - trainer->rate_from));
    }
    start_clock(trainer);
}

static void diverged(const struct trainer *trainer, const char *what)
{
    journal_event(trainer->job->journal, "diverged", trainer->state.step, what);
}

enum after_validation {
    GO_ON,
    TIRED,   /* train.patience validations without improvement */
    DIVERGED /* a value is not finite */
};

static enum after_validation validate(struct trainer *trainer)
{
    const struct train_job *job = trainer->job;
    const struct learner *learner = trainer->learner;
    const struct train_options *train = learner->train;
    struct train_state *state = &trainer->state;
    const double begin = clock_seconds();
    const struct validation validation = learner->validate(learner->context);
    CHECK(validation.values <= VALIDATION_MOST, "%d values of a validation", validation.values);
    journal_timing(job->journal, state->step, "validate", clock_seconds() - begin);
    journal_value(job->journal, state->step, "epochs",
                  state->epoch + (double)state->batch / trainer->epoch_steps);
    for (int i = 0; i < validation.values; i++)
        journal_value(job->journal, state->step, validation.value[i].name,
                      validation.value[i].value);
    for (int i = 0; i < validation.values; i++) {
        if (isfinite(validation.value[i].value)) continue;
        diverged(trainer, arena_print(&trainer->arena, "%s: %g", validation.value[i].name,
                                      validation.value[i].value));
        return DIVERGED;
    }
    const bool better = state_rank(state, state->step, validation.rank, train->keep_best);
    if (validation.others) state_rank_other(state, state->step, validation.other);
    state_remember(state, state->step, train->keep_average);
    state->without_better = better ? 0 : state->without_better + 1;
    save(trainer);
    start_clock(trainer);
    return train->patience && state->without_better >= train->patience ? TIRED : GO_ON;
}

static void unpack(struct packed_step *packed)
{
    arena_free(&packed->arena);
    *packed = (struct packed_step){0};
}

static void pack(const struct learner *learner, struct packed_step *packed, int epoch, int number)
{
    if (packed->there && packed->epoch == epoch && packed->number == number) return;
    unpack(packed);
    *packed = (struct packed_step){.there = true, .epoch = epoch, .number = number};
    packed->step = learner->step(learner->context, epoch, number, &packed->arena);
}

/* Runs a step, and packs the batches of the next step at the same time. */
static struct step_result run_step(struct trainer *trainer, int64_t *normalizer)
{
    const struct learner *learner = trainer->learner;
    const struct train_state *state = &trainer->state;
    struct packed_step *packed = &trainer->packed[trainer->turn];
    pack(learner, packed, state->epoch, state->batch);
    *normalizer = packed->step.normalizer;
    train_issue(learner, state->step, &packed->step);
    trainer->turn = !trainer->turn;
    const bool epoch_over = state->batch + 1 == trainer->epoch_steps;
    if (state->step + 1 < trainer->learner->total)
        pack(learner, &trainer->packed[trainer->turn], state->epoch + epoch_over,
             epoch_over ? 0 : state->batch + 1);
    const struct step_result result = train_result(learner->list);
    unpack(packed);
    return result;
}

/* Runs one step. Then logs, validates and saves a checkpoint, each if it is due. Returns false if
 * the training ends, and sets *end to the reason. */
static bool advance(struct trainer *trainer, enum train_end *end)
{
    const struct train_job *job = trainer->job;
    const struct learner *learner = trainer->learner;
    const struct train_options *train = learner->train;
    struct train_state *state = &trainer->state;
    int64_t normalizer;
    trainer->epoch_steps = epoch_steps(learner, state->epoch);
    const struct step_result result = run_step(trainer, &normalizer);
    if (!result.finite) {
        diverged(trainer, arena_print(&trainer->arena, "loss, gradient norm: %g, %g", result.loss,
                                      result.norm));
        *end = TRAIN_DIVERGED;
        return false;
    }
    state->step++;
    state->batch++;
    const bool epoch_over = state->batch == trainer->epoch_steps;
    if (epoch_over) state->batch = 0, state->epoch++;
    const double loss = result.loss * train_normalizer(train, normalizer);
    state->loss_sum += loss;
    state->loss_tokens += normalizer;
    trainer->rate_units += normalizer;
    crash_point("step");
    const bool last = state->step >= trainer->learner->total;
    const bool due = state_is_due(state, train->validate_every);
    const bool logs = state->step % train->log_every == 0;
    if (last && due && !logs) {
        state->unlogged = true;
        state->unlogged_sum = state->loss_sum;
        state->unlogged_tokens = state->loss_tokens;
    }
    if (last || logs) log_loss(trainer);
    const int threads = omp_get_max_threads();
    if (job->progress)
        job->progress(job->progress_context, state->step, trainer->learner->total,
                      loss / (double)normalizer);
    /* A speed row must not mix steps with different numbers of threads. */
    if (omp_get_max_threads() != threads) start_clock(trainer);
    const enum after_validation after = due || last ? validate(trainer) : GO_ON;
    *end = after == DIVERGED ? TRAIN_DIVERGED : TRAIN_DONE;
    if (after == TIRED) journal_event(job->journal, "stopped_early", state->step, NULL);
    if (after != GO_ON || last) return false;
    if (atomic_load(&stops_asked) != trainer->stops) {
        if (!due) save(trainer);
        *end = TRAIN_INTERRUPTED;
        return false;
    }
    if (!due && train->save_every && state->step % train->save_every == 0) save(trainer);
    return true;
}

enum train_end train_run(const struct train_job *job)
{
    struct learner learner = *job->learner;
    const struct train_options *train = learner.train;
    struct trainer trainer = {.job = job, .learner = &learner};
    enum train_end end = TRAIN_DONE;
    CHECK(learner.unit && learner.epoch_steps && learner.step && learner.validate,
          "a learner lacks unit, epoch_steps, step or validate");
    CHECK(learner.list->parameters == &learner.model->parameters, "a list of another model");
    if (!train->epochs && !train->steps)
        die("train: epochs and steps are both 0; expected one of them above 0");
    if (learner.fault) die("%s", learner.fault);
    trainer.stops = atomic_load(&stops_asked);
    listen_to_signals(1);
    model_place(learner.model, true, learner.seed);
    learner.total = train_steps(&learner);
    start_or_resume(&trainer);
    /* The list is placed after the checkpoint was read. Otherwise, the memory of the list and the
     * content of the checkpoint's files would be in memory at the same time. */
    graph_place(learner.list);
    start_clock(&trainer);
    const bool stopped_early =
        train->patience && trainer.state.step && trainer.state.without_better >= train->patience;
    if (trainer.state.step < learner.total && !stopped_early)
        while (advance(&trainer, &end)) continue;
    if (end == TRAIN_INTERRUPTED)
        journal_event(job->journal, "interrupted", trainer.state.step, NULL);
    journal_sync(job->journal);
    listen_to_signals(-1);
    for (int i = 0; i < 2; i++) unpack(&trainer.packed[i]);
    arena_free(&trainer.arena);
    return end;
}
