/* Defines the protocols, and two rules that they share: when a training stops, and how a setting is
 * chosen. */
#include "probes/protocol.h"

#include "core/base/number.h"

#define L2_GRID .l2s = 4, .l2 = {1e-5, 1e-4, 1e-3, 1e-2}
#define SENTEVAL .rate = 1e-3, .epochs = 4, .most = 204, .tenacity = 5
#define CHOSEN                                                                                     \
    .hiddens = 3, .hidden = {50, 100, 200}, .dropouts = 3, .dropout = {0, .1, .2}, L2_GRID
#define STOPS                                                                                      \
    "dev scored every 4 epochs, stopped at the 6th score that is not better, at most 204 epochs"
#define L2_TEXT "L2 of 1e-5, 1e-4, 1e-3, 1e-2 chosen on dev"
#define GRID_TEXT "50, 100 or 200 sigmoid units, dropout 0, 0.1 or 0.2 and " L2_TEXT

const struct protocol protocols[] = {
    {.name = "senteval",
     L2_GRID,
     SENTEVAL,
     .batch = 64,
     .text = "linear classifier, " L2_TEXT "; Adam 1e-3, batch 64; " STOPS},
    {.name = "fixed",
     .hidden = {200},
     .dropout = {.1},
     L2_GRID,
     SENTEVAL,
     .batch = 64,
     .text = "200 sigmoid units, dropout 0.1, " L2_TEXT "; Adam 1e-3, batch 64; " STOPS},
    {.name = "conneau2018",
     CHOSEN,
     SENTEVAL,
     .batch = 64,
     .text = GRID_TEXT "; Adam 1e-3, batch 64; " STOPS
                       " (inferred: all but units and dropout, which are the paper's; L2, Adam, "
                       "batch and stopping are SentEval's)"},
    {.name = "xu2019",
     CHOSEN,
     SENTEVAL,
     .batch = 1000,
     .text = GRID_TEXT "; Adam 1e-3, batch 1,000; " STOPS
                       " (inferred: units, dropout, L2, Adam and stopping, for the paper names "
                       "Conneau et al. 2018; that WordContent is linear)"},
    {.name = "hao2019",
     .hidden = {200},
     .dropout = {.3},
     .rate = 5e-4,
     .batch = 64,
     .epochs = 1,
     .most = 250,
     .tenacity = -1,
     .text = "200 sigmoid units, dropout 0.3, no L2; Adam 5e-4, batch 64; 250 epochs, the one that "
             "is best on dev (inferred: units, batch and "
             "which epoch; that WordContent is linear)"},
};
const int protocol_count = COUNT_OF(protocols);

const struct protocol word_protocol = {
    .name = "words",
    .hiddens = PROTOCOL_GRID,
    .hidden = {0, 10, 50, 200},
    .rate = 1e-3,
    .batch = 128,
    .epochs = 1,
    .updates = 200,
    .most = 40,
    .tenacity = 3,
    .text = "linear and 10, 50, 200 sigmoid units; Adam 1e-3, batch 128; dev scored after each "
            "epoch (at least 200 updates), stopped at the 4th score that is not better, at most 40 "
            "scores"};

int protocol_settings(const struct protocol *protocol, bool linear,
                      struct probe_setting setting[PROTOCOL_SETTINGS])
{
    const struct protocol *p = protocol;
    const int hiddens = !linear && p->hiddens ? p->hiddens : 1,
              dropouts = !linear && p->dropouts ? p->dropouts : 1, l2s = p->l2s ? p->l2s : 1;
    int count = 0;
    CHECK(hiddens * dropouts * l2s <= PROTOCOL_SETTINGS, "%s: too many settings", p->name);
    for (int h = 0; h < hiddens; h++)
        for (int d = 0; d < dropouts; d++)
            for (int l = 0; l < l2s; l++)
                setting[count++] = (struct probe_setting){linear ? 0 : p->hidden[h],
                                                          linear ? 0 : p->dropout[d], p->l2[l]};
    return count;
}

int protocol_epochs(const struct protocol *protocol, int updates)
{
    const int least = (protocol->updates + updates - 1) / updates;
    return least > protocol->epochs ? least : protocol->epochs;
}

double probe_item_work(double width, double units)
{
    /* Overhead of an item; overhead of each element of its vector, counted as units. */
    static const double beside = 1e4, beside_units = 10;
    return 6 * width * (units + beside_units) + beside;
}

bool probe_watch_add(struct probe_watch *watch, const struct protocol *protocol, int right)
{
    const bool better = !watch->evaluations || right > watch->best_right;
    watch->evaluations++;
    if (better)
        watch->best = watch->evaluations, watch->best_right = right;
    else if (protocol->tenacity >= 0 && watch->failures++ >= protocol->tenacity)
        watch->ended = true;
    if (watch->evaluations * protocol->epochs >= protocol->most) watch->ended = true;
    return better;
}

double probe_percent(int right, int items)
{
    char text[REAL_TEXT];
    snprintf(text, sizeof text, "%.2f", 100 * ((double)right / items));
    return number_read(text);
}

int probe_choose(const int *right, int settings, int items)
{
    int chosen = 0;
    for (int s = 1; s < settings; s++)
        if (probe_percent(right[s], items) > probe_percent(right[chosen], items)) chosen = s;
    return chosen;
}
