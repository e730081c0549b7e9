/* Symbols and n-grams as integers. For every n, an n-gram is looked up by a pair of integers. */
#include "core/decode/symbols.h"

#include <stdlib.h>

void symbols_add(struct symbols *symbols, int32_t symbol)
{
    ARENA_ADD(symbols->arena, symbols->symbol, symbols->count, symbol);
}

void symbols_add_word(struct symbols *symbols, struct hash_table *known, const char *word,
                      size_t bytes)
{
    symbols_add(symbols, (int32_t)*hash_table_at(known, word, bytes, (int64_t)known->count));
}

void grams_clear(struct grams *grams, size_t symbols, int order)
{
    const size_t capacity = symbols * (size_t)order + 1;
    pair_table_clear(&grams->longer, capacity);
    if (grams->capacity < capacity) {
        grams->capacity = 2 * capacity;
        grams->gram = heap_resize(grams->gram, sizeof *grams->gram * grams->capacity);
    }
    grams->gram[0] = (struct gram){0};
    grams->count = 1;
}

void grams_count(struct grams *grams, const struct symbols *symbols, int order)
{
    /* prefix[n]: number of the n-gram before the current symbol */
    int32_t prefix[GRAM_ORDER + 1] = {0};
    CHECK(order <= GRAM_ORDER, "n-grams of %d symbols", order);
    for (int i = 0; i < symbols->count; i++)
        for (int n = i + 1 < order ? i + 1 : order; n > 0; n--) {
            const int32_t id =
                *pair_table_at(&grams->longer, prefix[n - 1], symbols->symbol[i], grams->count);
            if (id == grams->count) grams->gram[grams->count++] = (struct gram){.order = n};
            grams->gram[id].here++;
            prefix[n] = id;
        }
}

void grams_keep(struct grams *grams)
{
    for (int32_t id = 1; id < grams->count; id++) {
        struct gram *gram = &grams->gram[id];
        if (gram->here > gram->most) gram->most = gram->here;
        gram->here = 0;
    }
}

void grams_free(struct grams *grams)
{
    pair_table_close(&grams->longer);
    free(grams->gram);
}
