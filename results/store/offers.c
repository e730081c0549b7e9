/* Defines the list of all offers. make writes offer.def from the names of offers in the files of
 * the kinds. A test may define another list instead of linking this file. */
#include "results/store/offer.h"

#define OFFER(kind) extern const struct offer offer_##kind;
#include "offer.def"
#undef OFFER

const struct offer *const *offers(void)
{
#define OFFER(kind) &offer_##kind,
    static const struct offer *const all[] = {
#include "offer.def"
        NULL};
#undef OFFER
    return all;
}
