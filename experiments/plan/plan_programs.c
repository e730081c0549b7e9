/* The programs that the stages to be done will start, because options of the grid name them. */
#include <string.h>

#include "core/base/shell.h"
#include "experiments/plan/plan.h"

struct started {
    const struct texts *words;
    const char *title; /* of the first stage that starts it */
    int stages;
};

static bool same_words(const struct texts *a, const struct texts *b)
{
    int i = 0;
    if (a->count != b->count) return false;
    while (i < a->count && !strcmp(a->text[i], b->text[i])) i++;
    return i == a->count;
}

static void add(struct arena *arena, struct started **list, int *count, const struct stage *stage,
                const struct texts *words)
{
    int i = 0;
    while (i < *count && !same_words((*list)[i].words, words)) i++;
    if (i == *count) {
        ARENA_MORE(arena, *list, *count);
        (*list)[(*count)++] = (struct started){words, stage->title, 0};
    }
    (*list)[i].stages++;
}

int plan_programs(struct arena *arena, const struct plan *plan, const char ***line)
{
    struct started *list = NULL;
    int count = 0;
    for (int i = 0; i < plan->count; i++) {
        const struct stage *stage = &plan->task[i]->stage;
        const struct texts *words = stage->kind->program ? stage->kind->program(stage) : NULL;
        if (words && task_is_open(plan->task[i])) add(arena, &list, &count, stage, words);
    }
    *line = ARENA_ARRAY(arena, const char *, count + 1);
    for (int i = 0; i < count; i++) {
        struct arena_stream stream;
        arena_stream_open(&stream);
        fprintf(stream.out, "program of %d %s stage%s:", list[i].stages, list[i].title,
                list[i].stages == 1 ? "" : "s");
        for (int w = 0; w < list[i].words->count; w++) {
            fputc(' ', stream.out);
            shell_put(list[i].words->text[w], stream.out);
        }
        (*line)[i] = arena_stream_close(arena, &stream);
    }
    return count;
}
