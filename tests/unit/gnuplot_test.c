/* Tests gnuplot in its jail. A script cannot affect anything outside of the jail. A user's text is
 * drawn as typed and never executed, with and without the jail. Every failure of gnuplot is
 * reported in one line. */
#include "tests/support/test.h"

#include <errno.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "plots/canvas.h"
#include "core/base/jail.h"

static void need_gnuplot(void)
{
    if (gnuplot_find(&arena)) return;
    test_skip("gnuplot is not installed");
}

static struct gnuplot_result draw(const char *script, bool open, int seconds)
{
    const struct gnuplot_file file = {"script.gp", script, strlen(script)};
    return gnuplot_run(&(struct gnuplot_job){1, &file, GNUPLOT_SVG, seconds, open}, &arena);
}

/* Texts that would run a program if gnuplot evaluated them; %s is the file that the program would
 * create. */
static const char *const vectors[] = {
    "x = \"`touch %s`\"\n",
    "plot '< touch %s; echo 1 1'\n",
    "plot \"< touch %s; echo 1 1\"\n",
    "set terminal svg\nset output '|touch %s; cat'\nplot x\n",
    "set label 'one\nsystem(\"touch %s\")\n'\n",
    "$d << END\n1 1\nEND\n!touch %s\n",
    "system('touch %s')\n",
    "x = system('touch %s')\n",
    "!touch %s\n",
    "load '< touch %s'\n",
    "set print '|touch %s'\nprint 1\nset print\n",
    "plot 'script.gp' using (system('touch %s'), 1)\n",
};

TEST(no_script_starts_a_program)
{
    need_gnuplot();
    if (!jail_available()) test_skip("this kernel has no seccomp filter");
    const char *folder = test_folder("gnuplot_jail");
    char *absolute = realpath(folder, NULL);
    for (int open = 0; open < 2; open++)
        for (size_t i = 0; i < COUNT_OF(vectors); i++) {
            const char *canary = arena_print(&arena, "%s/%zu-%d", absolute, i, open);
            const char *at = strstr(vectors[i], "%s");
            draw(
                arena_print(&arena, "%.*s%s%s", (int)(at - vectors[i]), vectors[i], canary, at + 2),
                open, 0);
            /* A process that gnuplot started may end later, so the test waits for its file. */
            for (int wait = 0; open && !file_exists(canary) && wait < 200 * test_slow(); wait++)
                usleep(10000);
            if (open && !file_exists(canary)) fail_msg("vector %zu proves nothing", i);
        }
    for (size_t i = 0; i < COUNT_OF(vectors); i++)
        if (file_exists(arena_print(&arena, "%s/%zu-0", absolute, i)))
            fail_msg("vector %zu ran a program in the jail", i);
    free(absolute);
}

TEST(no_script_writes_elsewhere)
{
    need_gnuplot();
    if (syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
        test_skip("this kernel has no Landlock");
    char *absolute = realpath(test_folder("gnuplot_write"), NULL);
    for (int open = 0; open < 2; open++) {
        const char *file = arena_print(&arena, "%s/%d", absolute, open);
        draw(arena_print(&arena, "set print '%s'\nprint 1\nset print\n", file), open, 0);
        assert_int_equal(file_exists(file), open);
    }
    free(absolute);
}

static void *thread(void *argument)
{
    return argument;
}

/* Makes system calls in the jail, in a child process. Returns the number of the first call with a
 * wrong result, or 0. */
static int try_everything(void)
{
    pthread_t other;
    void *answer = NULL;
    if (!jail_enter("/bin/true")) return 1;
    if (fork() >= 0 || errno != EPERM) return 2;
    if (vfork() >= 0) return 3;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EPERM) return 4;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) >= 0) return 5;
    /* The jail allows execve only for the path at one address. An equal path at another address is
     * refused. */
    char *copy = strdup("/bin/true");
    if (execve(copy, (char *[]){copy, NULL}, NULL) == 0 || errno != EPERM) return 6;
    free(copy);
    if (pthread_create(&other, NULL, thread, &answer) != 0) return 7;
    if (pthread_join(other, &answer) != 0) return 8;
    return 0;
}

TEST(jail_allows_threads_and_nothing_else)
{
    test_alone(); /* valgrind itself makes calls that a jail refuses */
    if (!jail_available()) test_skip("this kernel has no seccomp filter");
    assert_int_equal(STATUS_OF(_exit(try_everything())), 0);
}

/* Names that a user could give. shown: the text in SVG; NULL: the name as typed. */
static const struct {
    const char *name, *shown;
} names[] = {
    {"`touch CANARY`", NULL},
    {"$(touch CANARY)", NULL},
    {"< touch CANARY", "&lt; touch CANARY"},
    {"|touch CANARY", NULL},
    {"'; system('touch CANARY') #", NULL},
    {"\"; system(\"touch CANARY\"); \"", NULL},
    {"one\n!touch CANARY", "one !touch CANARY"},
    {"END\n1 1\nEOD", "END 1 1 EOD"},
    {"<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"},
    {"Arial\" onload=\"alert(1)", NULL},
    {"CDATA ]]> or ]]]>", "CDATA ]]? or ]]]?"}, /* "]]>" is invalid in the text of XML */
    {"\\input{/etc/passwd} $x^2$ a_b {/=50 X} @A", NULL},
    {"%s%n \\n \\042 ~ # ! ? NaN", NULL},
    {" leading and trailing ", NULL},
    {"\"5\"4 \\3\\\"2", NULL},
    {"Übergröße 日本語 ü", NULL},
    {"'; DROP TABLE stage; --", NULL},
    {"\x1b[31mred\a", "?[31mred?"},
};

/* Returns the name with the path of a file that must not be created. The path is short, so that the
 * name is drawn as a whole. */
static const char *armed(const char *name, const char *canary)
{
    const char *at = strstr(name, "CANARY");
    if (!at) return name;
    return arena_print(&arena, "%.*s%s%s", (int)(at - name), name, canary, at + strlen("CANARY"));
}

TEST(names_are_drawn_as_typed)
{
    need_gnuplot();
    const char *canary = arena_print(&arena, "/tmp/canary-%d", (int)getpid());
    for (int open = 0; open < 2; open++) {
        struct canvas *canvas = canvas_open(&arena, "bars");
        const char *name[COUNT_OF(names)];
        canvas_text(canvas, "label_x", armed("`touch CANARY`", canary));
        canvas_text(canvas, "label_y", armed("'; system('touch CANARY') #", canary));
        canvas_text(canvas, "key_left", "");
        canvas_text(canvas, "key_right", "");
        canvas_number(canvas, "right", 0);
        canvas_number(canvas, "from_zero", open);
        canvas_number(canvas, "lies", 15);
        canvas_number(canvas, "room", 34);
        canvas_number(canvas, "tics", COUNT_OF(names));
        canvas_axis(canvas, "left", 1, 2, 0.1, 0.1);
        canvas_block(canvas);
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            name[i] = armed(names[i].name, canary);
            canvas_row(canvas, (double[]){(double)i + 1, 1.5, 1.4, 1.6}, 4);
        }
        canvas_names(canvas, "name", name, NULL, COUNT_OF(names), 99);
        const struct gnuplot_file *file = canvas_close(canvas, GNUPLOT_SVG);
        const struct gnuplot_result result =
            gnuplot_run(&(struct gnuplot_job){CANVAS_FILES, file, GNUPLOT_SVG, 0, open}, &arena);
        if (result.failure) fail_msg("%s", result.failure);
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            const char *shown = armed(names[i].shown ? names[i].shown : names[i].name, canary);
            if (!strstr(result.image, arena_print(&arena, ">%s<", shown)))
                fail_msg("not in the figure as typed: %s", names[i].name);
            if (strstr(file[0].bytes, names[i].name)) fail_msg("in the script: %s", names[i].name);
        }
    }
    assert_false(file_exists(canary));
}

static const char simple[] = "set terminal svg\nset output 'figure.svg'\nplot x\n";

TEST(no_jail_no_harm)
{
    need_gnuplot();
    const struct gnuplot_result in = draw(simple, false, 0), out = draw(simple, true, 0);
    assert_null(in.failure);
    assert_null(out.failure);
    assert_int_equal(in.bytes, out.bytes);
    assert_memory_equal(in.image, out.image, in.bytes);
}

TEST(same_script_same_bytes)
{
    need_gnuplot();
    static const char *const terminal[] = {"svg", "pdfcairo", "pngcairo"};
    for (int format = GNUPLOT_SVG; format <= GNUPLOT_PNG; format++) {
        struct gnuplot_result result[2];
        const char *script =
            arena_print(&arena, "set terminal %s\nset output 'figure.%s'\nset title 'A'\nplot x\n",
                        terminal[format], gnuplot_format_names[format]);
        const struct gnuplot_file file = {"script.gp", script, strlen(script)};
        const struct gnuplot_job job = {1, &file, (enum gnuplot_format)format, 0, false};
        for (int i = 0; i < 2; i++) {
            result[i] = gnuplot_run(&job, &arena);
            assert_null(result[i].failure);
        }
        const char key[] = "/CreationDate", date[] = "/CreationDate (D:20000101000000";
        const bool dated = memmem(result[0].image, result[0].bytes, key, strlen(key));
        if (format == GNUPLOT_PDF && !dated) continue; /* compressed by cairo 1.18 */
        assert_int_equal(result[0].bytes, result[1].bytes);
        assert_memory_equal(result[0].image, result[1].image, result[0].bytes);
        if (dated) assert_non_null(memmem(result[0].image, result[0].bytes, date, strlen(date)));
    }
}

/* Installs a fake gnuplot as the only program on the path. */
static void pretend(const char *script)
{
    const char *folder = test_folder("gnuplot_stub");
    char *absolute = realpath(folder, NULL);
    if (script) {
        const char *path = arena_print(&arena, "%s/gnuplot", absolute);
        put_text(path, script);
        assert_int_equal(chmod(path, 0755), 0);
    }
    setenv("PATH", absolute, 1);
    free(absolute);
}

TEST(whatever_goes_wrong_is_one_line)
{
    static const struct {
        const char *stub, *says;
    } cases[] = {
        {NULL, "gnuplot is not installed"},
        {"#!/bin/sh\necho no such terminal >&2\nexit 3\n", "ended with status 3: no such terminal"},
        {"#!/bin/sh\nprintf 'first\\nlast \\033[31m\\n' >&2\nexit 1\n", "last ?[31m"},
        {"#!/bin/sh\nkill -SEGV $$\n", "ended by signal 11"},
        {"#!/bin/sh\nexit 0\n", "wrote no svg"},
        {"#!/bin/sh\necho half > figure.svg\n", "wrote no svg"},
        {"#!/bin/sh\nwhile :; do :; done\n", "took more than 1 s"},
    };
    char *path = strdup(getenv("PATH"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pretend(cases[i].stub);
        const struct gnuplot_result result =
            draw(simple, false, strstr(cases[i].says, "more") ? 1 : 0);
        assert_non_null(result.failure);
        assert_null(result.image);
        if (!strstr(result.failure, cases[i].says))
            fail_msg("said: %s\n  expected: %s", result.failure, cases[i].says);
    }
    setenv("PATH", path, 1);
    free(path);
}

TEST(nothing_is_left)
{
    need_gnuplot();
    const char *folder = test_folder("gnuplot_temporary");
    char *absolute = realpath(folder, NULL);
    setenv("TMPDIR", absolute, 1);
    assert_null(draw(simple, false, 0).failure);
    draw("nonsense\n", false, 0);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(absolute), 0); /* fails unless the folder is empty */
    free(absolute);
}

/* If Ctrl-C interrupts gnuplot, the temporary folder is removed, and then the signal ends the
 * program. */
TEST(an_interrupt_leaves_nothing)
{
    need_gnuplot();
    const char *folder = test_folder("gnuplot_interrupted");
    char *absolute = realpath(folder, NULL);
    int status, count = 0;
    setenv("TMPDIR", absolute, 1);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        draw("pause 1\n", true, 0);
        _exit(0);
    }
    unsetenv("TMPDIR");
    for (int wait = 0; !count && wait < 500 * test_slow(); wait++, usleep(10000))
        file_folder_names(&arena, absolute, &count);
    assert_int_equal(count, 1);
    kill(child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    assert_int_equal(rmdir(absolute), 0); /* fails unless the folder is empty */
    free(absolute);
}

TEST(axes_are_round)
{
    static const struct {
        double low, high, below, above;
        const char *says;
    } cases[] = {
        {33.1, 38.2, 0, 0, "a_low = 33\na_high = 39\na_step = 1\n"},
        {0.61, 0.79, 0, 0, "a_low = 0.6\na_high = 0.8\na_step = 0.05\n"},
        {0.1, 5, 0.5, 0, "a_low = 0\na_high = 5\na_step = 1\n"}, /* the limit is not below 0 */
        {7, 7, 0.5, 0.5, "a_low = 6.6\na_high = 7.4\na_step = 0.2\n"},
        {0, 2701, 0, 0, "a_low = 0\na_high = 3000\na_step = 500\n"},
        {-1, 1, 0, 0, "a_low = -1\na_high = 1\na_step = 0.5\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct canvas *canvas = canvas_open(&arena, "bars");
        canvas_axis(canvas, "a", cases[i].low, cases[i].high, cases[i].below, cases[i].above);
        const struct gnuplot_file *file = canvas_close(canvas, GNUPLOT_SVG);
        if (!strstr(file[0].bytes, cases[i].says))
            fail_msg("case %zu: %.*s", i, 200, strstr(file[0].bytes, "a_low"));
    }
}

/* Reads the items of "array NAME[n] = [..]" in the script. Returns their number. */
static int array_of(const char *script, const char *name, const char *item[])
{
    static char copy[200];
    const char *at = strstr(script, arena_print(&arena, "\narray %s[", name));
    int count = 0;
    assert_non_null(at);
    at = strstr(at, "= [") + 3;
    snprintf(copy, sizeof copy, "%.*s", (int)strcspn(at, "]"), at);
    for (char *word = strtok(copy, ", "); word; word = strtok(NULL, ", "))
        item[count++] = arena_text(&arena, word);
    return count;
}

/* gnuplot's point types 4, 6, 8, .. are hollow, and thick lines would fill them. So these types are
 * not used. Each of the first thirty series has a distinct pair of color and point. */
TEST(series_do_not_look_alike)
{
    const char *color[30], *point[30];
    struct canvas *canvas = canvas_open(&arena, "curve");
    canvas_row(canvas, (double[]){0}, 1);
    canvas_text(canvas, "name", "x");
    const struct gnuplot_file *file = canvas_close(canvas, GNUPLOT_PNG);
    const int colors = array_of(file[0].bytes, "colors", color);
    const int points = array_of(file[0].bytes, "points", point);
    assert_int_equal(colors * points, 30);
    for (int i = 0; i < points; i++)
        if (atoi(point[i]) >= 4 && atoi(point[i]) % 2 == 0) fail_msg("%s is hollow", point[i]);
    for (int i = 0; i < 30; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(color[i % colors], color[k % colors]) &&
                !strcmp(point[i % points], point[k % points]))
                fail_msg("series %d and %d look alike", k + 1, i + 1);
}

TEST(long_texts_are_cut)
{
    char text[401];
    memset(text, 'x', 400);
    text[400] = 0;
    struct canvas *canvas = canvas_open(&arena, "bars");
    canvas_text(canvas, "a", text);
    memcpy(text + 115, "äöüäöüäöü", strlen("äöüäöüäöü"));
    canvas_text(canvas, "b", text);
    canvas_text(canvas, "c", "");
    canvas_names(canvas, "d", (const char *[]){"short", "a name that is too long for its place"},
                 (const double[]){3, 7.5}, 2, 12);
    const struct gnuplot_file *file = canvas_close(canvas, GNUPLOT_SVG);
    const char *line = file[2].bytes;
    assert_int_equal(strcspn(line, "\t"), 120);
    assert_memory_equal(line + 117, "…", 3);
    line += strcspn(line, "\n") + 1;
    assert_memory_equal(line + strcspn(line, "\t") - 5, "ä…", 5);
    line += strcspn(line, "\n") + 1;
    assert_string_equal(line, "\\0040\t0\nshort\t3\n2: a name that is t…\t7.5\n");
    assert_int_equal(canvas->captions, 1);
    assert_string_equal(*canvas->caption, "In full: 2: a name that is too long for its place.");
}
