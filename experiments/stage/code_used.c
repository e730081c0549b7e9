/* Lists the digests of the code that computed a stage. The terms and fusions are those of the model
 * of the training that the stage reads, or of the stage itself. Each part occurs once in a text
 * (code_parts.h). */
#include "experiments/stage/code_used.h"

#include <string.h>

#include "attention/term.h"
#include "code.h"
#include "core/base/journal_read.h"
#include "experiments/stage/environment.h"
#include "results/store/code_parts.h"

/* ---- the code of a stage ---- */

enum code_kind { OF_KIND, OF_TERM, OF_FUSION };
static const struct {
    enum code_kind of;
    const char *title, *name, *code;
} codes[] = {
#define KIND(name) {OF_KIND, #name, #name, CODE_##name},
#include "kind.def"
#undef KIND
#define TERM(name) {OF_TERM, "term." #name, #name, TERM_CODE_##name},
#include "term.def"
#undef TERM
#define FUSION(name) {OF_FUSION, "fusion." #name, #name, FUSION_CODE_##name},
#include "fusion.def"
#undef FUSION
};

static bool has(const struct attention_list *list, enum code_kind of, const char *name)
{
    for (int l = 0; l < list->layers; l++) {
        const struct attention_spec *spec = &list->of_layer[l];
        if (of == OF_FUSION && spec->fusion && !strcmp(spec->fusion->name, name)) return true;
        for (int k = 0; of == OF_TERM && k < spec->terms; k++)
            if (!strcmp(spec->term[k].type->name, name)) return true;
    }
    return false;
}

static bool settings_have(const struct settings *settings, enum code_kind of, const char *name)
{
    const struct translator_options *options = &settings->translator;
    return has(&options->encoder.attention, of, name) ||
           has(&options->decoder.attention, of, name) || has(&options->decoder.cross, of, name);
}

/* True if the stage computes with a model that uses the term or fusion. For a stage that covers the
 * whole grid, true if the model of any row uses it. */
static bool model_has(const struct stage *stage, enum code_kind of, const char *name)
{
    const struct stage *trained = stage_trained(stage), *model = trained ? trained : stage;
    if (!(stage->kind->traits & KIND_COMPUTES)) return false;
    for (int r = 0; r < stage->rows; r++)
        if (settings_have(stage->row[r].settings, of, name)) return true;
    return model->kind->traits & SETTINGS_MODEL && settings_have(model->settings, of, name);
}

const char *stage_code(const struct stage *stage, struct arena *arena)
{
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (codes[i].of == OF_KIND ? !strcmp(codes[i].name, stage->kind->name)
                                   : model_has(stage, codes[i].of, codes[i].name))
            text = arena_append(arena, text, CODE_PARTS_BETWEEN,
                                arena_print(arena, "%s %s", codes[i].title, codes[i].code));
    CHECK(text, "the kind %s has no code: its file is to be called kind_%s.c", stage->kind->name,
          stage->kind->name);
    return text;
}

/* ---- the code of a training from its first step on ---- */

static const char backend[] = "backend.";

static bool has_part(const char *text, const char *wanted, struct arena *arena)
{
    for (const char *part; (part = code_parts_next(&text, arena));)
        if (!strcmp(part, wanted)) return true;
    return false;
}

static const char *add_part(const char *text, const char *part, struct arena *arena)
{
    if (has_part(text, part, arena)) return text;
    return *text ? arena_print(arena, "%s" CODE_PARTS_BETWEEN "%s", text, part) : part;
}

static const char *add_all(const char *text, const char *more, struct arena *arena)
{
    for (const char *part; (part = code_parts_next(&more, arena));)
        text = add_part(text, part, arena);
    return text;
}

const char *code_used_text(const struct stage *stage, const struct stage_end *end,
                           struct arena *arena)
{
    const char *code = code_parts(stage->kind->name, end->code ? end->code : "unknown", arena);
    if (!end->backend || !end->backend_code) return code;
    return arena_print(arena, "%s" CODE_PARTS_BETWEEN "%s%s %s", code, backend, end->backend,
                       end->backend_code);
}

bool code_used_is_older(const struct stage *stage, const char *text)
{
    SCOPED(arena_free) struct arena arena = {0};
    const char *own = stage_code(stage, &arena);
    bool older = false;
    for (const char *part; !older && (part = code_parts_next(&text, &arena));) {
        const char *blank = strchr(part, ' '), *ours = NULL;
        const bool of_backend = blank && !strncmp(part, backend, strlen(backend));
        if (of_backend)
            ours = environment_backend(arena_text_range(&arena, part + strlen(backend),
                                                        (size_t)(blank - part) - strlen(backend)));
        older = of_backend ? ours && strcmp(ours, blank + 1) != 0 : !has_part(own, part, &arena);
    }
    return older;
}

const char *code_used_before(const struct stage *stage, struct arena *arena)
{
    const struct stage_end nothing = {0};
    const char *attempt = "", *used = "";
    struct journal_reader reader = journal_read(stage->folder, JOURNAL_EVENTS, 0);
    for (json_t *record; (record = journal_next(&reader));) {
        const char *event = journal_text(record, "event"), *text = journal_text(record, "text");
        if (!strcmp(event, "started"))
            attempt = *text ? arena_text(arena, text) : code_used_text(stage, &nothing, arena);
        else if (!strcmp(event, "begun") || !strcmp(event, "continued"))
            used = attempt;
        else if (!strcmp(event, "mixed_code") && *text)
            used = arena_text(arena, text);
        else if (!strcmp(event, "resumed"))
            used = add_all(used, attempt, arena);
    }
    return used;
}

void code_used_join(const struct stage *stage, struct stage_end *end, struct arena *arena)
{
    const char *used =
        add_all(code_used_before(stage, arena), code_used_text(stage, end, arena), arena);
    const char *begins = arena_print(arena, "%s%s ", backend, end->backend);
    end->code = "";
    end->backend_code = NULL;
    for (const char *part; (part = code_parts_next(&used, arena));) {
        const char *digest = part + strlen(begins);
        if (strncmp(part, backend, strlen(backend)) != 0)
            end->code = add_part(end->code, part, arena);
        else if (!strncmp(part, begins, strlen(begins)))
            end->backend_code =
                end->backend_code ? arena_print(arena, "%s+%s", end->backend_code, digest) : digest;
    }
}
