/* The model is that of the training that a stage reads, or of its own. */
#include "experiments/stage/stage_code.h"

#include <string.h>

#include "attention/term.h"
#include "code.h"
#include "experiments/grid/sections.h"

struct digest_of {
    const char *name, *code;
};
static const struct digest_of kinds[] = {
#define KIND(name) {#name, CODE_##name},
#include "kind.def"
#undef KIND
};
static const struct digest_of terms[] = {
#define TERM(name) {#name, TERM_CODE_##name},
#include "term.def"
#undef TERM
};
static const struct digest_of fusions[] = {
#define FUSION(name) {#name, FUSION_CODE_##name},
#include "fusion.def"
#undef FUSION
};

static bool has(const struct attention_list *list, const char *term, const char *fusion)
{
    for (int l = 0; l < list->layers; l++) {
        const struct attention_spec *spec = &list->of_layer[l];
        if (fusion && spec->fusion && !strcmp(spec->fusion->name, fusion)) return true;
        for (int k = 0; term && k < spec->terms; k++)
            if (!strcmp(spec->term[k].type->name, term)) return true;
    }
    return false;
}

static bool settings_have(const struct settings *settings, const char *term, const char *fusion)
{
    const struct translator_options *options = &settings->translator;
    return has(&options->encoder.attention, term, fusion) ||
           has(&options->decoder.attention, term, fusion) ||
           has(&options->decoder.cross, term, fusion);
}

/* A stage of all rows has the models of all of them. */
static bool model_has(const struct stage *stage, const char *term, const char *fusion)
{
    const struct stage *trained = stage_trained(stage), *of = trained ? trained : stage;
    if (!(stage->kind->traits & KIND_COMPUTES)) return false;
    for (int r = 0; r < stage->rows; r++)
        if (settings_have(stage->row[r].settings, term, fusion)) return true;
    return of->kind->traits & SETTINGS_MODEL && settings_have(of->settings, term, fusion);
}

const char *stage_code(const struct stage *stage, struct arena *arena)
{
    const char *text = NULL;
    for (size_t i = 0; i < COUNT_OF(kinds) && !text; i++)
        if (!strcmp(kinds[i].name, stage->kind->name))
            text = arena_print(arena, "%s %s", kinds[i].name, kinds[i].code);
    CHECK(text, "the kind %s has no code: its file is to be called kind_%s.c", stage->kind->name,
          stage->kind->name);
    for (size_t i = 0; i < COUNT_OF(terms); i++)
        if (model_has(stage, terms[i].name, NULL))
            text = arena_print(arena, "%s, term.%s %s", text, terms[i].name, terms[i].code);
    for (size_t i = 0; i < COUNT_OF(fusions); i++)
        if (model_has(stage, NULL, fusions[i].name))
            text = arena_print(arena, "%s, fusion.%s %s", text, fusions[i].name, fusions[i].code);
    return text;
}
