/* Makes a small text, which is the data set of the whole process (SANLAB_DATA), and grids over
 * it. */
#include "tests/support/planned.h"

#include "tests/support/test.h"

const char *runs;

void planned_open(void)
{
    here_open();
    runs = arena_print(&arena, "%s/runs", here);
    here_put("t.a", "x y z\nx x\n");
    here_put("t.b", "x y z\nx x\n");
    setenv("SANLAB_DATA", here, 1);
}

struct grid *planned_grid(const char *text, int words, const char *const *word)
{
    return grid_read(&arena, here_put("g.yaml", text), word, words, NULL);
}

struct plan *planned(const char *text)
{
    struct plan *plan = plan_build(&arena, planned_grid(text, 0, NULL), runs, NULL);
    plan_inspect_all(&arena, plan, 0);
    return plan;
}

const char *planned_rows(const struct grid *grid)
{
    const char *list = "";
    for (int i = 0; i < grid->rows; i++)
        list = arena_print(&arena, "%s%s\n", list, grid->row[i].name);
    return list;
}

void planned_put(const struct task *task, const char *file, const char *text)
{
    file_make_folder(task->stage.folder);
    put_text(arena_print(&arena, "%s/%s", task->stage.folder, file), text);
}
