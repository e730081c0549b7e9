/* The model is that of the training that a stage reads, or of its own. */
#include "experiments/stage/stage_code.h"

#include <string.h>

#include "attention/term.h"
#include "code.h"
#include "experiments/grid/sections.h"

struct digest_of {
    const char *name, *code;
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

static bool model_has(const struct stage *stage, const char *term, const char *fusion)
{
    const struct stage *trained = stage_trained(stage), *of = trained ? trained : stage;
    if (!stage->kind->computes || !(of->kind->settings & SETTINGS_MODEL)) return false;
    const struct translator_options *options = &of->settings->translator;
    return has(&options->encoder.attention, term, fusion) ||
           has(&options->decoder.attention, term, fusion) ||
           has(&options->decoder.cross, term, fusion);
}

json_t *stage_code_json(const struct stage *stage)
{
    json_t *code = json_pack("{s:s}", stage->kind->name, stage->kind->code);
    for (size_t i = 0; i < COUNT_OF(terms); i++)
        if (model_has(stage, terms[i].name, NULL))
            json_object_set_new(code, terms[i].name, json_string(terms[i].code));
    for (size_t i = 0; i < COUNT_OF(fusions); i++)
        if (model_has(stage, NULL, fusions[i].name))
            json_object_set_new(code, fusions[i].name, json_string(fusions[i].code));
    return code;
}

const char *stage_code(const struct stage *stage, struct arena *arena)
{
    const char *text = NULL, *name;
    json_t *code = stage_code_json(stage), *digest;
    json_object_foreach(code, name, digest)
        text = arena_print(arena, "%s%s%s %s", text ? text : "", text ? ", " : "", name,
                           json_string_value(digest));
    json_decref(code);
    return text;
}
