/* The program works in a hidden folder of the data folder, which goes away whatever happens. */
#include "core/corpus/data_make.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/child.h"
#include "core/base/file.h"
#include "core/base/mask_output.h"
#include "core/base/unfinished.h"
#include "core/corpus/data_settle.h"

static void run_program(const struct data_set *set, const char *out, struct arena *arena)
{
    const char *const word[] = {"python3", set->program,
                                arena_print(arena, "%s/raw", data_folder()), out, NULL};
    const struct child child = {.word = word,
                                .input = child_input(set->name, "", 0),
                                .output = STDERR_FILENO,
                                .bound = true};
    pid_t process;
    mask_line(stderr, "%s: python3 %s %s %s", set->name, word[1], word[2], word[3]);
    const int error = child_start(&child, &process);
    if (error) die("%s: python3: cannot be started: %s", set->name, strerror(error));
    unfinished_child(process);
    close(child.input);
    const char *how = child_wait(process, arena);
    unfinished_child(0);
    unfinished_pass();
    if (how) die("%s: python3 %s %s", set->name, set->program, how);
}

static const char *made_path(struct arena *arena, const char *folder, const struct data_file *file)
{
    return arena_print(arena, "%s/%s", folder, file->path);
}

void data_make_check(const struct data_set *set)
{
    struct arena arena = {0};
    if (!set->program) return;
    if (!child_find("python3", false, &arena))
        die("%s: its files are made by a Python program, and python3 is not installed (Debian: "
            "apt-get install python3)",
            set->name);
    if (!file_exists(set->program))
        die("%s: there is no %s, the program that makes its files", set->manifest, set->program);
    arena_free(&arena);
}

void data_make(const struct data_set *set)
{
    struct arena arena = {0};
    const char *out = arena_print(&arena, "%s/.%s.making", data_folder(), set->name);
    file_remove_tree(out);
    file_make_folder(out);
    unfinished_begin(out);
    run_program(set, out, &arena);
    for (int i = 0; i < set->mades; i++)
        if (!file_exists(made_path(&arena, out, &set->made[i])))
            die("%s: %s did not make %s", set->name, set->program, set->made[i].path);
    for (int right = 0; right < 2; right++) /* first the wrong ones: each of them ends it */
        for (int i = 0; i < set->mades; i++) {
            const struct data_file *file = &set->made[i];
            const char *from = made_path(&arena, out, file);
            const char *target = made_path(&arena, data_folder(), file);
            if (!right) data_settle_folder(set, target);
            if (right || data_settle_differs(file, from, &arena))
                data_settle(set, file, from, target);
        }
    unfinished_end();
    arena_free(&arena);
}
