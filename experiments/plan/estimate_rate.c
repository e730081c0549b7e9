/* Estimates the seconds of a stage: its work times the rate of the nearest run. The nearest run is
 * the finished stage of the same kind whose canonical text differs in the fewest lines. */
#include "experiments/plan/plan.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/hash_table.h"
#include "core/bench/throughput.h"
#include "core/corpus/prepare.h"
#include "core/model/device_choice.h"
#include "experiments/stage/environment.h"
#include "experiments/stage/facts.h"
#include "results/sheet/number_format.h"
#include "results/store/store.h"

enum { RUNS_MOST = 200, LINES_MOST = 128 };

/* Training and decoding reach 0.3 to 0.75 of the sgemm rate. */
static const double utilization = 0.6;
static const double usual_sgemm = 5e10; /* operations per second of one core */
/* A finished run that did less than this share of a stage's work is ignored, because its time is
 * mostly the time of starting. */
static const double least_work = 0.05;

/* True if a line of a canonical text has the seed, or an input whose kind depends on the seed. */
static bool is_of_seed(const char *line)
{
    char name[64];
    if (!strncmp(line, "seed: ", 6)) return true;
    if (sscanf(line, "input: %63s", name) != 1) return false;
    const struct stage_kind *kind = stage_kind_find(name);
    return kind && stage_kind_is_seeded(kind);
}

/* The lines of a canonical text, except the seed and inputs whose kinds depend on the seed. */
struct option_lines {
    int count;
    const char *text[LINES_MOST];
    size_t length[LINES_MOST];
};

static void lines_split(struct option_lines *lines, const char *text)
{
    lines->count = 0;
    while (*text && lines->count < LINES_MOST) {
        const size_t bytes = strcspn(text, "\n");
        if (!is_of_seed(text)) {
            lines->text[lines->count] = text;
            lines->length[lines->count++] = bytes;
        }
        text += bytes + (text[bytes] == '\n');
    }
}

/* A finished stage that this host and device computed. */
struct finished_stage {
    const char *kind;
    const struct option_lines *lines;
    double seconds, work; /* seconds with one thread; its work (0: not recorded) */
};

struct rates {
    struct arena *arena;
    const char *runs; /* NULL: another machine, about which only the sgemm rate is known */
    char host[65];
    const char *device; /* device of this process */
    int finished_stages;
    struct finished_stage *finished; /* [finished_stages] newest first */
    struct hash_table *memo; /* maps settings and kind of a stage to an index in memo_rate */
    struct rate *memo_rate;
    int memos;
    double sgemm; /* operations per second of a core; 0: not measured yet */
};

/* Seconds per unit of work. */
struct rate {
    double seconds;
    enum estimate_source source;
};

/* Selects finished stages with their seconds for one thread: the duration of each attempt, up to
 * its last event, times its number of threads. Each change of the number of threads is a timing.
 * The number before the first change is in the environment. Older stages have only the number in
 * the environment. Stages that continued a shorter training are excluded, because they did only
 * part of their work. */
static const char past_sql[] =
    "SELECT s.kind, s.canonical,"
    "  (SELECT sum(max(0, until - clock) * max(1, coalesce(threads, 1))) FROM"
    "    (SELECT clock, threads, coalesce(lead(clock) OVER (PARTITION BY attempt ORDER BY clock),"
    "       (SELECT max(clock) FROM event WHERE event.stage = s.number"
    "         AND event.attempt = part.attempt)) AS until FROM"
    "      (SELECT attempt, clock, value AS threads FROM timing"
    "         WHERE timing.stage = s.number AND name = 'threads'"
    "       UNION ALL SELECT DISTINCT attempt, 0,"
    "         (SELECT CAST(value AS REAL) FROM environment e WHERE e.stage = s.number"
    "           AND key = 'threads') FROM event WHERE event.stage = s.number) part)),"
    "  (SELECT max(value) FROM timing t WHERE t.stage = s.number AND t.name = 'work')"
    " FROM (SELECT number, kind, canonical FROM stage JOIN environment h ON h.stage = number"
    "  AND h.key = 'host' AND h.value = ?1 LEFT JOIN environment d ON d.stage = number"
    "  AND d.key = 'device' WHERE status = 'done' AND kind = ?2 AND coalesce(d.value, 'cpu') = ?4"
    "  AND NOT EXISTS (SELECT 1 FROM event c WHERE c.stage = number AND c.event = 'continued')"
    "  ORDER BY finished DESC LIMIT ?3) s";

static void read_pasts(struct rates *rates, struct store *store, const char *kind)
{
    struct arena *arena = rates->arena;
    sqlite3_stmt *ask =
        store_ask(store, past_sql, "ssis", rates->host, kind, (int64_t)RUNS_MOST, rates->device);
    while (store_next(ask)) {
        const double seconds = store_real(ask, 2), work = store_real(ask, 3);
        if (!(seconds > 0)) continue;
        struct option_lines *lines = ARENA_NEW(arena, struct option_lines);
        lines_split(lines, store_text(ask, 1, arena));
        ARENA_ADD(
            arena, rates->finished, rates->finished_stages,
            (struct finished_stage){
                .kind = kind, .lines = lines, .seconds = seconds, .work = work > 0 ? work : 0});
    }
    store_finish(ask);
}

/* Computes the key of a calibration: the digest of the training's options, the corpus, the host,
 * and the device if it is not the CPU. */
static void calibration_key(const struct rates *rates, const struct stage *train,
                            char key[DIGEST_TEXT])
{
    ARENA_STREAM(text);
    stage_step_text(train->settings, text.out);
    fprintf(text.out, "%s\n%s\n", train->inputs ? train->input[0]->id : "", rates->host);
    if (strcmp(rates->device, DEVICE_CPU) != 0) fprintf(text.out, "%s\n", rates->device);
    const char *all = arena_stream_close(rates->arena, &text);
    digest_bytes(all, text.bytes, key);
}

/* Returns the calibrated rate of a train stage from its last line in RUNS/rates; 0 if none. */
static double calibrated_rate(const struct rates *rates, const struct stage *train)
{
    char wanted[DIGEST_TEXT], line[256], key[DIGEST_TEXT];
    double rate, found = 0;
    FILE *file =
        rates->runs ? file_stream(arena_print(rates->arena, "%s/rates", rates->runs)) : NULL;
    calibration_key(rates, train, wanted);
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "%64[0-9a-f] %lf", key, &rate) == 2 && rate > 0 && !strcmp(key, wanted))
            found = rate;
    if (file) fclose(file);
    return found;
}

struct rates *rates_open(struct arena *arena, const char *runs, double core_rate, bool measure)
{
    struct rates *rates = ARENA_NEW(arena, struct rates);
    *rates = (struct rates){.arena = arena,
                            .runs = core_rate ? NULL : arena_text(arena, runs),
                            .device = device_used(),
                            .sgemm = core_rate ? core_rate
                                     : measure ? 0
                                               : usual_sgemm,
                            .memo = hash_table_new(arena, 16)};
    gethostname(rates->host, sizeof rates->host - 1);
    if (core_rate || !file_exists(arena_print(arena, "%s/" STORE_FILE, runs))) return rates;
    struct store *store = store_open(runs);
    store_keep_state(store);
    for (const struct stage_kind *const *kind = stage_kinds; *kind; kind++)
        read_pasts(rates, store, (*kind)->name);
    store_close(store);
    return rates;
}

void rates_keep(struct rates *rates, const struct stage *train, double rate)
{
    struct arena *arena = rates->arena;
    char key[DIGEST_TEXT];
    const char *path = arena_print(arena, "%s/rates", rates->runs);
    const char *problem;
    calibration_key(rates, train, key);
    file_make_folder(rates->runs);
    const char *old = file_try_read(arena, path, 0, NULL, &problem);
    const char *text = arena_print(arena, "%s%s %.6g\n", old ? old : "", key, rate);
    if (problem)
        warn("%s; the rate is not cached", problem);
    else if (!file_try_write(path, text, strlen(text)))
        warn("%s: cannot be written: %s; the rate is not cached", path, file_why(errno));
}

/* ---- sgemm ---- */

double sgemm_rate_measure(int threads, bool cpu_time, bool blas)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *program = file_by_program(&arena, "sanlab");
    const char *const own[] = {arena_print(&arena, "OMP_NUM_THREADS=%d", threads),
                               program,
                               "doctor",
                               "sgemm",
                               cpu_time ? "--cpu-time" : NULL,
                               NULL};
    const char *word[COUNT_OF(own) + 4] = {"env"};
    int words = 1;
    if (blas) {
        word[words++] = "--unset=OPENBLAS_CORETYPE";
        word[words++] = "SANLAB_PRODUCTS=blas";
    }
    memcpy(word + words, own, sizeof own);
    double rate = 0;
    if (file_exists(program))
        sscanf(child_try("sgemm", word, CHILD_OUTPUT, &arena).text, "%lf", &rate);
    return rate;
}

/* ---- the nearest run ---- */

static int count_absent(const struct option_lines *of, const struct option_lines *in)
{
    int absent = 0;
    for (int i = 0; i < of->count; i++) {
        int j = 0;
        while (j < in->count && (in->length[j] != of->length[i] ||
                                 memcmp(in->text[j], of->text[i], of->length[i]) != 0))
            j++;
        absent += j == in->count;
    }
    return absent;
}

/* Returns the rate of the nearest run; a rate of zeros if there is none. A run with other options
 * must have recorded its work, of at least `least_done`. A run with the same options, but without
 * recorded work, did the stage's own `work`. */
static struct rate find_past(const struct rates *rates, const struct stage *stage, double work,
                             double least_done)
{
    const struct finished_stage *best = NULL;
    struct option_lines own;
    lines_split(&own, stage->canonical);
    /* If a stage has inputs but no seed, its lines do not describe the model that it reads. So a
     * run of its kind is never ESTIMATE_SAME. */
    const int other_model = !(stage->kind->traits & KIND_SEEDED) && stage->inputs > 0;
    int least = 0;
    for (int i = 0; i < rates->finished_stages; i++) {
        const struct finished_stage *finished = &rates->finished[i];
        if (strcmp(finished->kind, stage->kind->name) != 0) continue;
        /* Number of lines that only one of the two texts has. */
        const int far =
            other_model + count_absent(&own, finished->lines) + count_absent(finished->lines, &own);
        if (far && (!finished->work || finished->work < least_done)) continue;
        if (best && far >= least) continue;
        best = finished;
        least = far;
    }
    if (!best) return (struct rate){0};
    return (struct rate){.seconds = best->seconds / (best->work ? best->work : work),
                         .source = least ? ESTIMATE_NEAREST : ESTIMATE_SAME};
}

/* ---- the rate of a stage ---- */

/* Returns the rate of a stage. The time of the stage is its estimated work times this rate. Work is
 * in operations, or in guessed seconds for a kind that counts no operations. The rate comes from
 * the first of these sources that exists:
 *
 * - a finished run with the same options on this host, with any seed
 * - a calibration of this model on this host (plan --calibrate), kept in RUNS/rates
 * - the finished run of the same kind on this host whose options differ least, scaled by work. The
 *   run must have done at least a twentieth of the stage's work
 * - the sgemm rate times a usual utilization. The sgemm rate is measured within seconds, or it is a
 *   constant (usual_sgemm), which suffices to order stages by time
 *
 * The time of a run is the time of its attempts times its threads, even if other programs used the
 * machine at the same time. rates_open does not update the database, because every run collects its
 * results. */
static struct rate find_rate(struct rates *rates, const struct stage *stage,
                             const struct estimate *estimate)
{
    const bool counted = estimate->flops > 0, scaled = counted || estimate->work > 0;
    const double work = estimate_work(estimate);
    const struct rate finished = find_past(rates, stage, work, scaled ? least_work * work : 0);
    if (finished.source == ESTIMATE_SAME) return finished;
    /* `train` is the stage itself, or the training that it reads. Both have the same model, but
     * different kinds of work. */
    const struct stage *train = stage_trained(stage);
    const double rate = train ? calibrated_rate(rates, train) : 0;
    if (rate && (stage->kind->traits & KIND_SEEDED || !finished.source))
        return (struct rate){.seconds = 1 / rate, .source = ESTIMATE_CALIBRATED};
    if (finished.source || !counted) return finished;
    if (!rates->sgemm) rates->sgemm = sgemm_rate_measure(1, false, false);
    if (!rates->sgemm) rates->sgemm = usual_sgemm;
    return (struct rate){.seconds = 1 / (utilization * rates->sgemm), .source = ESTIMATE_SGEMM};
}

void rates_apply(struct rates *rates, const struct stage *stage, struct estimate *estimate)
{
    const double work = estimate_work(estimate);
    if (!work) return;
    const char *key =
        arena_print(rates->arena, "%p %s", (const void *)stage->settings, stage->title);
    const int64_t index = *hash_table_at(rates->memo, key, strlen(key), rates->memos);
    if (index == rates->memos) {
        ARENA_ADD(rates->arena, rates->memo_rate, rates->memos, find_rate(rates, stage, estimate));
    }
    const struct rate *rate = &rates->memo_rate[index];
    estimate->source = rate->source;
    if (rate->source) estimate->seconds = rate->seconds * work;
}

/* ---- plan --calibrate ---- */

/* Returns the corpus of a corpus stage. If the stage is not done, prepares the corpus in a
 * temporary folder. *prepared keeps the corpus for the next call. */
static const struct corpus *corpus_of(struct arena *arena, struct stage *stage,
                                      const struct corpus **prepared, FILE *out)
{
    const struct corpus_facts *facts = corpus_facts(stage, arena);
    if (facts->corpus) return facts->corpus;
    if (*prepared) return *prepared;
    char *folder = file_temporary_folder(NULL);
    fprintf(out, "preparing %s in a temporary folder\n", stage->name);
    corpus_prepare(&stage->settings->corpus, folder, NULL, NULL);
    *prepared = corpus_open(arena, folder);
    file_remove_tree(folder); /* the open corpus still reads these files */
    free(folder);
    return *prepared;
}

/* Trains for a few steps with one thread. A few steps suffice, because all steps have similar
 * numbers of tokens. Returns the operations per second, and sets *step to the seconds of a step. */
static double measure(const struct stage *train, const struct corpus *corpus, double *step)
{
    const struct throughput_job job = {
        .translating = settings_translating(
            train->settings, device_table(device_used(), stage_precision(train)), corpus, 1),
        .warmup = CALIBRATE_WARMUP,
        .steps = CALIBRATE_STEPS};
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const struct throughput throughput = throughput_measure(&job);
    omp_set_num_threads(threads);
    *step = throughput.seconds / throughput.steps;
    return translating_work(&job.translating, throughput.tokens) / throughput.seconds;
}

void calibrate_plan(struct arena *arena, const struct plan *plan, FILE *out)
{
    struct rates *rates = rates_open(arena, plan->runs, 0, false);
    const struct corpus **prepared = ARENA_ARRAY(arena, const struct corpus *, plan->count);
    PLAN_EACH(plan, task) {
        double step;
        if (strcmp(task->stage.kind->name, "train") != 0 || !plan_will_run(task) ||
            task->state == TASK_MISSING || task->state == TASK_BLOCKED ||
            task->estimate.source == ESTIMATE_SAME || calibrated_rate(rates, &task->stage))
            continue;
        struct stage *input = task->stage.input[0];
        const struct corpus *corpus =
            corpus_of(arena, input, &prepared[plan_task(input)->index], out);
        rates_keep(rates, &task->stage, measure(&task->stage, corpus, &step));
        fprintf(out, "calibrated %s %s: %d steps, %s each with one thread\n", task->stage.name,
                stage_point_name(task->stage.label), CALIBRATE_STEPS, number_seconds(arena, step));
        fflush(out);
    }
}
