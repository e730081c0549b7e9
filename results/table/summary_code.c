/* Numbers of two versions of a kind, a term or a fusion must not look like those of one. */
#include <string.h>

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

/* "train 4427979f5419530f, term.gauss ..", or of an older version the digest of all together. */
static void add_stage(struct code *code, const char *kind, const char *text, const char *name)
{
    if (!strchr(text, ' ')) text = arena_print(code->arena, "%s %s", kind, text);
    for (const char *at = text; *at; at += strspn(at, ", ")) {
        const size_t source = strcspn(at, " ");
        const char *digest = at + source + (at[source] == ' ');
        const size_t length = strcspn(digest, ",");
        name_groups_add(digests_of(code, arena_text_range(code->arena, at, source)),
                        arena_text_range(code->arena, digest, length < 8 ? length : 8), name);
        at = digest + length;
    }
}

void summary_caption_code(struct table_maker *maker)
{
    struct code code = {.arena = maker->arena};
    for (struct summary_place at = {0}; summary_next(maker->grid, &at); at.stage++) {
        const struct sample_stage *stage = sample_stage_at(&maker->sampler, &at);
        const struct summary_row *row = &maker->grid->row[at.row];
        const char *kind = summary_stage_at(maker->grid, &at)->kind, *text = NULL;
        if (strcmp(stage->status, "done") != 0) continue;
        sample_summary(&maker->sampler, stage->number, "code", &text);
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
