/* All offers, from the names in the files of the kinds. */
#include "results/offer.h"

#include <string.h>

#define OFFER(kind) extern const struct offer offer_##kind;
#include "offer.def"
#undef OFFER

const char *const dimension_names[] = {
    [DIMENSION_LAYER] = "layer", [DIMENSION_HEAD] = "head", [DIMENSION_SET] = "set",
    [DIMENSION_CLASS] = "class", [DIMENSIONS] = NULL};

const struct offer *const *offers(void)
{
#define OFFER(kind) &offer_##kind,
    static const struct offer *const all[] = {
#include "offer.def"
        NULL};
#undef OFFER
    return all;
}

const struct offer *offer_of(const char *kind)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if (!strcmp((*offer)->kind, kind)) return *offer;
    return NULL;
}

const struct measure *offer_measure(const char *kind, const char *name)
{
    const struct offer *offer = offer_of(kind);
    for (int i = 0; offer && i < offer->measures; i++)
        if (!strcmp(offer->measure[i].name, name)) return &offer->measure[i];
    return NULL;
}
