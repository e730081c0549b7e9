/* Finds offers and measures by linear search, because the lists are short. */
#include "results/store/offer.h"

#include <string.h>

const struct offer *offer_of(const char *kind)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if (!strcmp((*offer)->kind, kind)) return *offer;
    return NULL;
}

const struct measure *offer_measures(const struct offer *offer)
{
    static const struct measure none;
    return offer && offer->measure ? offer->measure : &none;
}

const struct measure *offer_measure(const char *kind, const char *name)
{
    const struct measure *measure = offer_measures(offer_of(kind));
    while (measure->name && strcmp(measure->name, name) != 0) measure++;
    return measure->name ? measure : NULL;
}

const char *offer_title(const struct offer *offer, struct arena *arena)
{
    return arena_text_range(arena, offer->caption, strcspn(offer->caption, ":;"));
}

const char *offer_note(const struct offer *offer)
{
    const char *at = offer->caption ? strchr(offer->caption, ';') : NULL;
    return at ? at + strlen("; ") : NULL;
}

const char *offer_doubt(const struct offer *offer)
{
    return strchr(offer->doubt, ':') + strlen(": ");
}

bool offer_is_control(const struct measure *measure)
{
    return measure && !strncmp(measure->name, START_OF, strlen(START_OF));
}

bool offer_is_numeric(const struct offer *offer)
{
    return offer && !(offer->traits & (OFFER_EXACT | OFFER_MACHINE));
}

bool offer_is_size(const struct measure *measure)
{
    return measure && !strcmp(measure->name, "parameters");
}

bool offer_may_have(const struct offer *offer, const char *value)
{
    bool may = !offer || !offer->numbers;
    for (const char *at = may ? "" : offer->numbers; *at; at += strspn(at, " ")) {
        const size_t bytes = strcspn(at, " ");
        const bool prefix = strchr("._", at[bytes - 1]);
        may |= !strncmp(at, value, bytes) && (value[bytes] != 0) == prefix;
        at += bytes;
    }
    return may;
}

const char *offer_number(const char *kind, const char *name, const char *end, struct arena *arena)
{
    const struct offer *offer = kind ? offer_of(kind) : NULL;
    const char *wanted = arena_print(arena, "%s%s", name, end);
    return offer && offer->numbers && offer_may_have(offer, wanted) ? wanted : NULL;
}

static const struct measure *find_prefixed(const char *kind, const char *prefix, const char *name)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    return offer_measure(kind, whole);
}

const struct measure *offer_control(const char *kind, const char *name)
{
    return find_prefixed(kind, START_OF, name);
}

const struct measure *offer_share(const char *kind, const char *name)
{
    return find_prefixed(kind, SHARE_OF, name);
}

const char *offer_signature(const struct measure *measure)
{
    return measure && measure->signature ? measure->signature : "signature";
}

bool offer_trains(const struct offer *offer)
{
    return offer && offer_measure(offer->kind, OFFER_VALIDATION);
}

const struct offer *offer_that_trains(void)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        if (offer_trains(*offer)) return *offer;
    return NULL;
}

const struct measure *offer_read_by(observations_reader *reader, const char **kind)
{
    for (const struct offer *const *offer = offers(); *offer; offer++)
        for (const struct measure *measure = offer_measures(*offer); measure->name; measure++) {
            if (measure->observations != reader) continue;
            *kind = (*offer)->kind;
            return measure;
        }
    return NULL;
}
