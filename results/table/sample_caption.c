/* Describes how the values of a kind were computed: options, texts of the stages, and the fields of
 * a signature that belong to one part. Lists doubtful parts. */
#include <stdio.h>
#include <string.h>

#include "core/config/word.h"
#include "results/sheet/cell.h"
#include "results/store/offer.h"
#include "results/store/stage_folder.h"
#include "results/table/name_list.h"
#include "results/table/sample.h"

static const char *unrecorded(const struct sampler *sampler, const struct offer *offer,
                              const char *id)
{
    if (!offer->unrecorded) return NULL;
    return offer->unrecorded(arena_print(sampler->arena, "%s/stages/" STAGE_FOLDER,
                                         sampler->store->runs, offer->kind, id),
                             sampler->arena);
}

/* Returns the text `key` of the first stage of the kind that is done. Appends the kind's text for
 * stages of an older program (offer.h, unrecorded). NULL if there is neither. */
static const char *caption_words(struct sampler *sampler, const struct offer *offer,
                                 const char *key, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    const char *text = NULL;
    for (int s = 0; key && s < from->count; s++)
        for (int i = 0; i < from->seed[s].count && !text; i++) {
            const struct value_cache_stage *stage = &sample_stages(sampler, row)[s][i];
            const struct grid_stage *of = &from->seed[s].stage[i];
            if (strcmp(of->kind, offer->kind) || !sample_stage_done(stage)) continue;
            text = value_cache_word(sampler->cache, stage->number, key);
            const char *more = unrecorded(sampler, offer, of->id);
            if (more) text = arena_append(sampler->arena, text, "; ", more);
        }
    return text;
}

const char *sample_caption(struct sampler *sampler, const struct offer *offer, int row)
{
    struct arena *arena = sampler->arena;
    const struct grid_row *from = &sampler->grid->row[row];
    const char *text = NULL;
    bool has = false;
    for (int i = 0; from->count && i < from->seed[0].count; i++)
        has |= strcmp(from->seed[0].stage[i].kind, offer->kind) == 0;
    if (!has || !offer->caption) return NULL;
    for (const char *at = offer->caption + strcspn(offer->caption, ":;"); *at && *at != ';';) {
        at += strlen(", ");
        const int words = (int)strcspn(at, "{"), key = (int)strcspn(at + words + 1, "}");
        const char *value = layout_option(
            sampler->grid, from, arena_print(arena, "%s.%.*s", offer->section, key, at + words + 1),
            arena);
        const size_t length = value ? strlen(value) : 0;
        if (length > 1 && *value == '[') /* a list */
            value = arena_text_range(arena, value + 1, length - 2);
        if (value && !(offer->views && tree_get(from->entry, "vectors")))
            text = arena_append(arena, text, ", ", arena_print(arena, "%.*s%s", words, at, value));
        at += words + key + strlen("{}");
    }
    const char *more = caption_words(sampler, offer, offer_note(offer), row);
    if (offer->traits & OFFER_PARTS && !more) return NULL; /* no stage of the kind is done */
    return more ? arena_append(arena, text, "; ", more) : text;
}

const char *sample_doubts(struct sampler *sampler, const struct offer *offer,
                          const struct column *const *column, int count, int row)
{
    const struct grid_row *from = &sampler->grid->row[row];
    struct name_groups parts = {.arena = sampler->arena};
    char name[32], sign;
    double limit;
    CHECK(sscanf(offer->doubt, "%31s %c %lf:", name, &sign, &limit) == 3, "%s", offer->doubt);
    for (int s = 0; s < from->count; s++)
        for (int k = 0; k < from->seed[s].count; k++) {
            const struct value_cache_stage *stage = &sample_stages(sampler, row)[s][k];
            const char *part = from->seed[s].stage[k].part;
            bool wanted = false;
            for (int c = 0; c < count; c++)
                wanted |= word_same(column[c]->kind, offer->kind) &&
                          (sign == '>' || word_same(column[c]->value, offer->telling)) &&
                          sample_is_of(column[c], &from->seed[s], k);
            if (!wanted || !sample_stage_done(stage)) continue;
            const double value = value_cache_value(sampler->cache, stage->number,
                                                   name); /* NaN: absent, so not doubtful */
            if (sign == '>' ? value > limit : value < limit)
                name_groups_add(&parts, "", part ? part : "");
        }
    return parts.count ? name_list_text(&parts.group[0].names) : NULL;
}

const char *sample_signature(const char *signature, const struct column *column, bool own,
                             struct arena *arena)
{
    static const char *const of_part[] = {"task", "classifier", "items", NULL}; /* offer.h */
    const struct offer *offer = column->part ? offer_of(column->kind) : NULL;
    const char *text = NULL;
    if (!signature || !offer || !offer->views) return own ? NULL : signature;
    for (const char *field = signature; *field; field += *field == '|') {
        const size_t length = strcspn(field, "|");
        if (word_known(arena_text_range(arena, field, strcspn(field, ":|")), of_part) == own)
            text = arena_append(arena, text, "|", arena_text_range(arena, field, length));
        field += length;
    }
    return text;
}
