/* Resolves attention entries: parses layer ranges, checks the entries, and assigns a composition to
 * each layer. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "attention/term.h"

/* Parses a number at *text and advances *text. Returns 0 if there is no number from 1 to 9999. */
static int number(const char **text)
{
    if (!isdigit((unsigned char)**text)) return 0;
    char *end;
    long n = strtol(*text, &end, 10);
    *text = end;
    return n > 0 && n < 10000 ? (int)n : 0;
}

/* Parses lower(1/3) or upper(1/2), a fraction of `layers` layers, to a range of layers. The number
 * of layers in the range is rounded up for lower and down for upper. */
static bool read_share(const char *text, int layers, int *from, int *to)
{
    const bool upper = !strncmp(text, "upper(", 6);
    if (!upper && strncmp(text, "lower(", 6)) return false;
    text += 6;
    int over = number(&text), under = *text == '/' ? (text++, number(&text)) : 0;
    if (!over || !under || over > under || strcmp(text, ")")) return false;
    /* With this rounding, lower(1/3) and upper(2/3) partition a stack of any depth. */
    int share = upper ? layers * over / under : (layers * over + under - 1) / under;
    *from = upper ? layers - share + 1 : 1;
    *to = upper ? layers : share;
    return true;
}

/* Returns the number of layers with attention; `all` and fractions refer to these layers. */
static int attending(const struct attention_size *size)
{
    int count = 0;
    for (int l = 0; l < size->layers; l++) count += !size->recurrent || !size->recurrent[l];
    return count;
}

static void claim_layer(struct attention_list *list, int *owner, int which, int l)
{
    const struct attention_entry *entry = &list->entry[which];
    if (owner[l - 1])
        die_at(entry->location,
               "layers: %s has layer %d, which \"%s\" already has; expected each layer once",
               entry->layers, l, list->entry[owner[l - 1] - 1].layers);
    owner[l - 1] = which + 1;
}

/* Assigns an entry to layers `from` to `to` of the stack, from 1. */
static void claim(struct attention_list *list, int *owner, int which, int from, int to,
                  const struct attention_size *size)
{
    const struct attention_entry *entry = &list->entry[which];
    if (from > to)
        die_at(entry->location, "layers: %s selects none of %d layers; expected at least one",
               entry->layers, list->layers);
    if (to > list->layers)
        die_at(entry->location, "layers: %s is beyond the last layer of the stack, %d",
               entry->layers, list->layers);
    for (int l = from; l <= to; l++) {
        if (size->recurrent && size->recurrent[l - 1])
            die_at(entry->location,
                   "layers: %s has layer %d, which is recurrent; expected layers of kind san",
                   entry->layers, l);
        claim_layer(list, owner, which, l);
    }
}

/* Assigns an entry to the from-th .. to-th layers with attention. */
static void claim_share(struct attention_list *list, int *owner, int which, int from, int to,
                        const struct attention_size *size)
{
    const struct attention_entry *entry = &list->entry[which];
    if (from > to)
        die_at(entry->location, "layers: %s selects none of %d layers; expected at least one",
               entry->layers, attending(size));
    for (int l = 1, nth = 0; l <= size->layers; l++)
        if ((!size->recurrent || !size->recurrent[l - 1]) && ++nth >= from && nth <= to)
            claim_layer(list, owner, which, l);
}

/* Sorts terms by name, because their order has no meaning: terms are summed. Terms of one type keep
 * their order, which determines their names ("gauss", "gauss2"). */
static void sort_terms(struct attention_spec *spec)
{
    for (int k = 1; k < spec->terms; k++) {
        const struct term_choice term = spec->term[k];
        int to = k;
        for (; to && strcmp(spec->term[to - 1].type->name, term.type->name) > 0; to--)
            spec->term[to] = spec->term[to - 1];
        spec->term[to] = term;
    }
}

/* Normalizes an entry, so that entries with the same meaning are equal. Dies if `place` does not
 * allow a branch. */
static void check_entry(struct attention_entry *entry, enum attention_place place,
                        const struct attention_size *size)
{
    struct attention_spec *spec = &entry->spec;
    sort_terms(spec);
    for (int k = 0; k < spec->terms; k++) {
        const struct term_type *type = spec->term[k].type;
        if (type->map && place == ATTENTION_CROSS)
            die_at(entry->location,
                   "terms: %s compares positions of one sentence; expected it in encoder.attention "
                   "or decoder.attention",
                   type->name);
        if (type->check) type->check(spec->term[k].options, size, entry->location);
    }
    if (spec->fusion && spec->fusion->check) spec->fusion->check(spec, size, entry->location);
    for (int r = 0; r < spec->branches; r++) {
        const struct attention_reach reach = spec->branch[r];
        /* In the decoder every branch is causal, so forward equals global. */
        if (place == ATTENTION_DECODER && reach.before == ATTENTION_FAR)
            spec->branch[r] = attention_plain.branch[0];
        if (place == ATTENTION_DECODER && reach.before == 0 && reach.after == ATTENTION_FAR)
            die_at(entry->location,
                   "branches: backward reads later words, which a decoder does not "
                   "have; expected global, forward or {window: m}");
        if (place == ATTENTION_CROSS &&
            (reach.before != ATTENTION_FAR || reach.after != ATTENTION_FAR))
            die_at(entry->location,
                   "branches: expected global, because a target word has no position "
                   "in the source sentence");
    }
}

void attention_resolve(struct attention_list *list, enum attention_place place,
                       const struct attention_size *size, struct arena *arena)
{
    const int layers = size->layers;
    int *owner = ARENA_ARRAY(arena, int, layers + 1);
    list->layers = layers;
    for (int i = 0; i < list->count; i++) {
        const char *text = list->entry[i].layers;
        int from, to;
        check_entry(&list->entry[i], place, size);
        const bool all = !strcmp(text, "all");
        const int attend = attending(size);
        if (all) from = 1, to = attend;
        if (all || read_share(text, attend, &from, &to)) {
            /* If all layers are recurrent, the entry has no effect. */
            if (attend) claim_share(list, owner, i, from, to, size);
            continue;
        }
        for (;;) {
            from = to = number(&text);
            if (from && *text == '-') text++, to = number(&text);
            if (!from || !to || (*text && *text != ','))
                die_at(list->entry[i].location,
                       "layers: expected 1-2, 3, 1,4-6, all, lower(1/3) or upper(1/2), got \"%s\"",
                       list->entry[i].layers);
            claim(list, owner, i, from, to, size);
            if (!*text) break;
            text++;
        }
    }
    struct attention_spec *spec = ARENA_ARRAY(arena, struct attention_spec, layers);
    for (int l = 0; l < layers; l++)
        spec[l] = owner[l] ? list->entry[owner[l] - 1].spec : attention_plain;
    for (int l = 0; l < layers; l++) spec[l].unbiased = size->unbiased;
    list->of_layer = spec;
    list->recurrent = size->recurrent;
}
