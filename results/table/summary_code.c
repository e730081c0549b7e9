/* Numbers of two versions of a kind, a term or a fusion must not look like those of one. */
#include <string.h>

#include "results/store/code_parts.h"
#include "results/table/table_maker.h"

/* Sources that stages say they were done by, "train" or "term.gauss", and their digests. */
struct sources {
    const char *name;
    struct name_groups digests;
};

struct code {
    struct sources *all; /* [count] */
    int count;
    struct arena *arena;
};

static struct name_groups *digests_of(struct code *code, const char *name)
{
    for (int i = 0; i < code->count; i++)
        if (!strcmp(code->all[i].name, name)) return &code->all[i].digests;
    ARENA_MORE(code->arena, code->all, code->count);
    code->all[code->count] = (struct sources){name, {.arena = code->arena}};
    return &code->all[code->count++].digests;
}

static void add_stage(struct code *code, const char *kind, const char *text, const char *name)
{
    text = code_parts(kind, text, code->arena);
    for (const char *part; (part = code_parts_next(&text, code->arena));) {
        const size_t source = strcspn(part, " ");
        const char *digest = part + source + (part[source] == ' ');
        name_groups_add(digests_of(code, arena_text_range(code->arena, part, source)),
                        arena_print(code->arena, "%.8s", digest), name);
    }
}

void summary_caption_code(struct table_maker *maker)
{
    struct code code = {.arena = maker->arena};
    for (struct summary_place at = {0}; summary_next(maker->grid, &at); at.stage++) {
        const struct relation_stage *stage = sample_stage_at(&maker->sampler, &at);
        const struct summary_row *row = &maker->grid->row[at.row];
        const char *kind = summary_stage_at(maker->grid, &at)->kind, *text = NULL;
        if (!sample_stage_done(stage)) continue;
        text = relation_word(maker->sampler.relation, stage->number, "code");
        if (text)
            add_stage(&code, kind, text,
                      row->count > 1 ? arena_print(maker->arena, "%s/%lld", row->name,
                                                   (long long)row->seed[at.seed].seed)
                                     : row->name);
    }
    for (int i = 0; i < code.count; i++)
        if (code.all[i].digests.count > 1)
            sheet_caption(maker->arena, maker->sheet, "Done by different code of %s: %s.",
                          code.all[i].name, name_groups_text(&code.all[i].digests));
}
