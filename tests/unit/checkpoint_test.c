/* Tests core/model/checkpoint. A saved checkpoint can be loaded. A damaged checkpoint is moved to
 * quarantine with one warning, and the preceding checkpoint is loaded. Thinning keeps the requested
 * and the newest checkpoints. */
#include "tests/support/test.h"

#include <sys/resource.h>

#include "core/base/digest.h"
#include "core/cpu/cpu.h"
#include "core/model/checkpoint.h"
#include "core/model/checkpoint_choice.h"

static const char *folder;

/* A model with a vector and a matrix. m and v are the masters times 10 and 100. */
static struct model {
    struct arena arena;
    struct parameters parameters;
} one;                               /* opened before each test; its matrix has 3 rows */
static struct checkpoint checkpoint; /* result of the last call of newest() */
static const char *said;             /* what this call printed to stderr */

static void model_open(struct model *m, int rows)
{
    *m = (struct model){0};
    m->parameters.arena = &m->arena;
    parameter_get(&m->parameters, "a.vector", 1, 5, START_BIAS, 0);
    parameter_get(&m->parameters, "a.matrix", rows, 7, START_GLOROT, 0);
    parameters_place(&m->parameters, cpu_ops(), true);
}

static void model_fill(struct model *m, real first)
{
    struct parameters *p = &m->parameters;
    real *host = heap_alloc((size_t)p->slab * sizeof(real));
    real *const to[] = {p->master, p->m, p->v};
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < p->count; i++)
            for (int k = 0; k < p->item[i]->rows * p->item[i]->columns; k++)
                host[p->item[i]->offset + k] =
                    (first + (real)(100 * i + k)) * (s ? s > 1 ? 100 : 10 : 1);
        p->ops->upload(to[s], host, (size_t)p->slab * sizeof(real));
    }
    free(host);
}

static void model_is(const struct model *m, real first, bool optimizer)
{
    const struct parameters *p = &m->parameters;
    real *host = heap_alloc((size_t)p->slab * sizeof(real));
    const real *const from[] = {p->master, p->m, p->v};
    for (int s = 0; s < (optimizer ? 3 : 1); s++) {
        p->ops->download(host, from[s], (size_t)p->slab * sizeof(real));
        for (int i = 0; i < p->count; i++)
            for (int k = 0; k < p->item[i]->rows * p->item[i]->columns; k++)
                assert_true(host[p->item[i]->offset + k] ==
                            (first + (real)(100 * i + k)) * (s ? s > 1 ? 100 : 10 : 1));
    }
    free(host);
}

static void model_close(struct model *m)
{
    parameters_release(&m->parameters);
    arena_free(&m->arena);
}

static const char *path_of(int step, const char *file)
{
    return arena_print(&arena, "%s/ckpt/step-%08d/%s", folder, step, file);
}

static void save(int step, int first, const char *state)
{
    model_fill(&one, (real)first);
    checkpoint_save(folder, step, &one.parameters, NULL, state);
}

/* Saves steps 10, 20 and 30, whose masters begin with 1, 2 and 3. */
static void begin(void)
{
    folder = test_folder("checkpoint");
    for (int step = 10; step <= 30; step += 10) {
        char text[100];
        snprintf(text, sizeof text, "{\"step\":%d,\"best\":[[20,1.5],[10,2]],\"recent\":[10,20]}",
                 step);
        save(step, step / 10, text);
    }
}

BEFORE(each)
{
    model_open(&one, 3);
    begin();
}

AFTER(each)
{
    model_close(&one);
}

static void steps_are(int count, const int64_t *expected)
{
    int64_t step[10];
    assert_int_equal(checkpoint_steps(folder, step, 10), count);
    for (int i = 0; i < count; i++) assert_int_equal(step[i], expected[i]);
}
#define STEPS_ARE(...)                                                                             \
    steps_are((int)COUNT_OF(((int64_t[]){__VA_ARGS__})), (int64_t[]){__VA_ARGS__})

/* Calls checkpoint_newest with stderr redirected to a file; `said` is its content. */
static bool newest(void)
{
    const char *path = arena_print(&arena, "%s/stderr", folder);
    fflush(stderr);
    const int old = dup(STDERR_FILENO);
    assert_non_null(freopen(path, "w", stderr));
    const bool found = checkpoint_newest(&arena, folder, &checkpoint);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    said = file_read(&arena, path, 0, NULL);
    return found;
}

static int lines(const char *text)
{
    int count = 0;
    for (; *text; text++) count += *text == '\n';
    return count;
}

TEST(what_is_saved_is_loaded)
{
    STEPS_ARE(10, 20, 30);
    assert_true(newest());
    assert_string_equal(said, "");
    assert_int_equal(checkpoint.step, 30);
    assert_string_equal(checkpoint.state,
                        "{\"step\":30,\"best\":[[20,1.5],[10,2]],\"recent\":[10,20]}");
    for (int step = 10; step <= 30; step += 10) {
        model_fill(&one, 77);
        checkpoint_load(folder, step, &one.parameters, step == 20);
        model_is(&one, (real)(step / 10), step == 20);
    }
    model_fill(&one, 77);
    checkpoint_load_mean(folder, (int64_t[]){10, 30}, 2, &one.parameters);
    model_is(&one, 2, false);
    checkpoint_load_mean(folder, (int64_t[]){30, 10, 20}, 3, &one.parameters);
    model_is(&one, 2, false);
    save(20, 9, "{}"); /* saves a step again, which replaces the old checkpoint */
    model_fill(&one, 77);
    checkpoint_load(folder, 20, &one.parameters, true);
    model_is(&one, 9, true);
    STEPS_ARE(10, 20, 30);
}

/* In the file of a model, a matrix with one row also has two dimensions. */
TEST(shapes_are_those_of_the_model)
{
    struct parameters parameters = {.arena = &arena};
    parameter_get(&parameters, "a.vector", 1, 5, START_BIAS, 0);
    parameter_matrix(&parameters, "a.matrix", 1, 7, START_GLOROT, 0);
    parameters_place(&parameters, cpu_ops(), true);
    checkpoint_save(folder, 40, &parameters, NULL, "{}");
    const struct tensors tensors = tensors_read(&arena, path_of(40, "model.safetensors"));
    const struct tensor *vector = tensors_find(&tensors, "a.vector");
    const struct tensor *matrix = tensors_find(&tensors, "a.matrix");
    assert_int_equal(vector->dimensions, 1);
    assert_int_equal(vector->shape[0], 5);
    assert_int_equal(matrix->dimensions, 2);
    assert_int_equal(matrix->shape[0], 1);
    assert_int_equal(matrix->shape[1], 7);
    parameters_release(&parameters);
}

/* The following functions damage a file of a checkpoint. */
static void flip_byte(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, -3, SEEK_END);
    const int byte = fgetc(file);
    fseek(file, -3, SEEK_END);
    fputc(byte ^ 4, file);
    fclose(file);
}

static void cut_short(const char *path)
{
    assert_int_equal(truncate(path, file_bytes(path) - 1), 0);
}

static void make_empty(const char *path)
{
    assert_int_equal(truncate(path, 0), 0);
}

static void take_away(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

static void drop_last_line(const char *path)
{
    char *text = file_read(&arena, path, 0, NULL);
    text[strlen(text) - 1] = 0;
    assert_int_equal(truncate(path, strrchr(text, '\n') + 1 - text), 0);
}

/* Lists one file four times. If such a manifest were accepted, the other three files would not be
 * verified. */
static void repeat_last_line(const char *path)
{
    char *text = file_read(&arena, path, 0, NULL);
    text[strlen(text) - 1] = 0;
    const char *last = strrchr(text, '\n') + 1;
    text = arena_print(&arena, "%s\n%s\n%s\n%s\n", last, last, last, last);
    put_text(path, text);
}

/* Replaces the last line of the manifest by a line for a file outside of the checkpoint. The digest
 * of this line is correct. */
static void name_outsider(const char *path)
{
    char digest[DIGEST_TEXT];
    drop_last_line(path);
    digest_bytes("", 0, digest);
    const char *text =
        arena_print(&arena, "%s%s 0 ../../../empty\n", file_read(&arena, path, 0, NULL), digest);
    file_write(arena_print(&arena, "%s/empty", folder), "", 0);
    put_text(path, text);
}

static const struct damage {
    const char *what, *file;
    void (*harm)(const char *path);
    const char *reason;
} damages[] = {
    {"model flipped", "model.safetensors", flip_byte, "model.safetensors has a wrong digest"},
    {"model cut", "model.safetensors", cut_short, "model.safetensors has a wrong size"},
    {"model gone", "model.safetensors", take_away, "model.safetensors is missing"},
    {"m flipped", "adam-m.safetensors", flip_byte, "adam-m.safetensors has a wrong digest"},
    {"m gone", "adam-m.safetensors", take_away, "adam-m.safetensors is missing"},
    {"v cut", "adam-v.safetensors", cut_short, "adam-v.safetensors has a wrong size"},
    {"state flipped", "state.json", flip_byte, "state.json has a wrong digest"},
    {"state gone", "state.json", take_away, "state.json is missing"},
    {"manifest empty", "MANIFEST", make_empty, "MANIFEST"},
    {"manifest cut", "MANIFEST", cut_short,
     NULL}, /* without the last newline the content is the same */
    {"manifest a line less", "MANIFEST", drop_last_line, "MANIFEST is incomplete"},
    {"manifest of one file", "MANIFEST", repeat_last_line, "MANIFEST is damaged"},
    {"manifest of another file", "MANIFEST", name_outsider, "MANIFEST is damaged"},
    {"manifest gone", "MANIFEST", take_away, "no MANIFEST"},
};

TEST(damaged_ones_go_to_quarantine)
{
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        const struct damage *damage = &damages[i];
        begin();
        damage->harm(path_of(30, damage->file));
        const int expected = damage->reason ? 20 : 30;
        assert_true(checkpoint_look(&arena, folder, &checkpoint)); /* does not move checkpoints */
        assert_int_equal(checkpoint.step, expected);
        STEPS_ARE(10, 20, 30);
        const bool found = newest();
        if (!found || checkpoint.step != expected)
            fail_msg("%s: step %lld was taken", damage->what, (long long)checkpoint.step);
        assert_int_equal(checkpoint.damaged, damage->reason ? 30 : -1);
        if (damage->reason) {
            const char *kept =
                arena_print(&arena, "%s/ckpt/quarantine/step-%08d-%d", folder, 30, (int)getpid());
            assert_true(file_is_folder(kept));
            if (lines(said) != 1 || !strstr(said, damage->reason) || !strstr(said, kept))
                fail_msg("%s: it says %s", damage->what, said);
            STEPS_ARE(10, 20);
            assert_true(newest()); /* a second call prints no warning */
            assert_string_equal(said, "");
            assert_int_equal(checkpoint.damaged, -1);
        } else {
            assert_string_equal(said, "");
        }
        arena_free(&arena);
    }
}

TEST(all_damaged)
{
    for (int step = 10; step <= 30; step += 10) flip_byte(path_of(step, "state.json"));
    assert_false(checkpoint_look(&arena, folder, &checkpoint));
    assert_false(newest());
    assert_int_equal(lines(said), 3);
    steps_are(0, NULL);
    assert_false(newest());
    assert_string_equal(said, "");
}

/* Steps above the loaded step will be computed again, so their checkpoints are moved or removed.
 * Otherwise checkpoint_thin would keep the thinned step 20 as one of the newest two. */
TEST(higher_steps_do_not_survive_a_fall_back)
{
    take_away(path_of(20, "adam-m.safetensors"));
    take_away(path_of(20, "adam-v.safetensors"));
    cut_short(path_of(30, "model.safetensors"));
    assert_true(newest());
    assert_int_equal(checkpoint.step, 10);
    assert_int_equal(lines(said), 1);
    STEPS_ARE(10);
    save(15, 4, "{}");
    checkpoint_thin(folder, NULL, 0, 2);
    STEPS_ARE(10, 15);
    assert_true(newest());
    assert_int_equal(checkpoint.step, 15);
}

static bool whole(int step)
{
    return file_exists(path_of(step, "adam-m.safetensors")) &&
           file_exists(path_of(step, "adam-v.safetensors"));
}

TEST(thinning_keeps_what_it_must)
{
    save(40, 4, "{}");
    checkpoint_thin(folder, (int64_t[]){40, 10}, 2, 2);
    STEPS_ARE(10, 30, 40); /* 10 is in the list, and 30 and 40 are the newest two */
    assert_false(file_exists(path_of(10, "adam-m.safetensors")));
    assert_false(file_exists(path_of(10, "adam-v.safetensors")));
    assert_true(whole(30) && whole(40));
    checkpoint_load(folder, 10, &one.parameters, false); /* the model is still there */
    model_is(&one, 1, false);
    checkpoint_load_mean(folder, (int64_t[]){10, 30}, 2, &one.parameters);
    EXPECT_DIE("adam-m.safetensors is missing", checkpoint_load(folder, 10, &one.parameters, true));
    assert_true(newest());
    assert_int_equal(checkpoint.step, 40);
    STEPS_ARE(10, 30, 40);
}

TEST(what_is_missing_is_said)
{
    remove(path_of(30, "model.safetensors"));
    assert_string_equal(checkpoint_fault(&arena, folder, 30), "model.safetensors is missing");
}

TEST(a_state_names_steps)
{
    int64_t named[4];
    save(40, 1, "{\"best\":[[30,1]],\"recent\":[20,40],\"other\":[10,0.5]}");
    assert_true(checkpoint_named(folder, 40, named, 4) == 4 && named[0] == 20 && named[1] == 10 &&
                named[2] == 10 && named[3] == 20);
    assert_true(checkpoint_named(folder, 41, named, 4) == 4 && named[0] == 30 && named[1] == 20 &&
                named[2] == 40 && named[3] == 10);
}

TEST(other_models_are_refused)
{
    struct model larger, other = {0};
    model_open(&larger, 4);
    EXPECT_DIE("a.matrix has 21 elements; this model needs 28",
               checkpoint_load(folder, 30, &larger.parameters, false));
    other.parameters.arena = &other.arena;
    parameter_get(&other.parameters, "b.vector", 1, 5, START_ZERO, 0);
    parameters_place(&other.parameters, cpu_ops(), false);
    EXPECT_DIE("tensor b.vector is missing: this is a checkpoint of another model",
               checkpoint_load(folder, 30, &other.parameters, false));
    flip_byte(path_of(30, "model.safetensors"));
    EXPECT_DIE("a wrong digest", checkpoint_load(folder, 30, &larger.parameters, false));
    model_close(&larger);
    model_close(&other);
}

/* Prints the message and ends the child, as die does. _exit skips the sanitizer's search for leaks,
 * because memory of a process that dies is not leaked. */
static void say_and_leave(const char *message, void *context)
{
    fprintf(stderr, "sanlab: %s\n", message);
    _exit(DIE_EXIT);
}

/* Saves a checkpoint in a child process whose files cannot exceed `most` bytes, like on a full
 * disk. Returns what the child prints. */
static const char *save_on_full_disk(int rows, rlim_t most)
{
    const char *path = arena_print(&arena, "%s/stderr", folder);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        struct model m;
        if (!freopen(path, "w", stderr)) _exit(1);
        setvbuf(stderr, NULL, _IONBF, 0);
        model_open(&m, rows);
        model_fill(&m, 8);
        signal(SIGXFSZ, SIG_IGN);
        const struct rlimit limit = {most, most};
        if (setrlimit(RLIMIT_FSIZE, &limit)) _exit(1);
        die_set_hook(say_and_leave, NULL);
        checkpoint_save(folder, 50, &m.parameters, NULL, "{}");
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DIE_EXIT);
    return file_read(&arena, path, 0, NULL);
}

TEST(a_full_disk_leaves_nothing_half)
{
    /* A row has 28 bytes. The first model fits into the buffer of stdio. The second model has 2.8
     * MB, and its last write bypasses the buffer, so that only ferror reports the failure. */
    static const int rows[] = {30, 100000};
    static const rlim_t most[] = {512, 1 << 20};
    for (int i = 0; i < 2; i++) {
        said = save_on_full_disk(rows[i], most[i]);
        if (lines(said) != 1 || !strstr(said, "writing failed: "))
            fail_msg("on a full disk it says: %s", said);
        STEPS_ARE(10, 20, 30);
        assert_true(newest());
        assert_string_equal(said, "");
        assert_int_equal(checkpoint.step, 30);
        const char *left = arena_print(&arena, "%s/ckpt/step-00000050", folder);
        assert_false(file_is_folder(left));
        left = arena_print(&arena, "ls %s/ckpt | wc -l", folder); /* no temporary folder */
        FILE *pipe = popen(left, "r");
        int entries = -1;
        assert_int_equal(fscanf(pipe, "%d", &entries), 1);
        pclose(pipe);
        assert_int_equal(entries, 3);
        arena_free(&arena);
    }
}
