/* The programs that the stages to be done will start, because options of the grid name them. */
#include <string.h>

#include "core/base/shell.h"
#include "experiments/plan/plan.h"

static bool same_words(const struct texts *a, const struct texts *b)
{
    int i = 0;
    if (a->count != b->count) return false;
    while (i < a->count && !strcmp(a->text[i], b->text[i])) i++;
    return i == a->count;
}

static void add(struct arena *arena, struct plan_program **list, int *count,
                const struct stage *stage, const struct texts *words)
{
    int i = 0;
    while (i < *count && !same_words((*list)[i].words, words)) i++;
    if (i == *count) {
        ARENA_MORE(arena, *list, *count);
        (*list)[(*count)++] = (struct plan_program){.words = words, .title = stage->title};
    }
    (*list)[i].stages++;
}

static const char *line_of(struct arena *arena, const struct plan_program *program)
{
    struct arena_stream stream;
    arena_stream_open(&stream);
    fprintf(stream.out, "program of %d %s stage%s:", program->stages, program->title,
            program->stages == 1 ? "" : "s");
    for (int w = 0; w < program->words->count; w++) {
        fputc(' ', stream.out);
        shell_put(program->words->text[w], stream.out);
    }
    return arena_stream_close(arena, &stream);
}

int plan_programs(struct arena *arena, const struct plan *plan, struct plan_program **program)
{
    int count = 0;
    *program = NULL;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        const struct texts *words = stage->kind->program ? stage->kind->program(stage) : NULL;
        if (words && task_is_open(plan->task[i])) add(arena, program, &count, stage, words);
    }
    for (int i = 0; i < count; i++) (*program)[i].line = line_of(arena, &(*program)[i]);
    return count;
}
