/* Lists limits, dotted lines and texts for values in figures. A value that is not listed has no
 * limits, and its label is the header of its column. */
#include "plots/figure.h"

#include <math.h>
#include <string.h>

#define ACCURACY .axis = "Accuracy (%)", .high = 100
#define TEST ACCURACY, .against = "majority", .sized = "Number of operators", .learned = "bins"

/* Entries by KIND.NAME. A * at the end matches all suffixes. The first match is used. */
static const struct {
    const char *value;
    struct figure_words words;
} known[] = {
    {"gates.gate",
     {.high = 1,
      .middle = 0.5,
      .points = "mean gate (weight of the second branch) over positions and heads",
      .balance = "both branches weigh the same"}},
    {"gates.*", {.high = 1}},
    {"localness.window", {.axis = "Mean window (tokens)", .high = INFINITY}},
    {"localness.distance", {.axis = "Mean distance of the center (tokens)", .high = INFINITY}},
    {"master.forget", {.axis = "Openness of the master forget gate", .high = 1}},
    {"master.input", {.axis = "Openness of the master input gate", .high = 1}},
    {"ablate.rise", {.axis = "Rise of the loss (nats per token)"}},
    {"ablatepos.rise", {.axis = "Rise of the loss (nats per word)"}},
    {"contrast.accuracy", {.axis = "Right (%)", .high = 100, .middle = 50}},
    {"contrast.share", {.high = 1, .middle = 0.5}},
    {"probe.accuracy", {ACCURACY}},
    {"probe.share_accuracy", {.axis = "Accuracy (%)"}},
    {"score.bleu", {.high = 100}},
    {"lengths.bleu", {.axis = "BLEU, by words of the source", .high = 100}},
    {"chrf.chrf", {.high = 100}},
    {"score.test_loss", {.axis = "Test loss (nats per token)", .high = INFINITY}},
    {"logic.accuracy", {TEST}},
    {"inference.accuracy", {TEST}},
    {"logic.majority", {0}},
    {"inference.majority", {0}},
    {"inference.dev", {0}},
    {"logic.*", {ACCURACY}},
    {"inference.*", {ACCURACY}},
};

static bool fits(const char *value, const struct column *column)
{
    const size_t kind = strlen(column->kind), length = strlen(value);
    if (strncmp(value, column->kind, kind) != 0 || value[kind] != '.') return false;
    return value[length - 1] == '*' || !strcmp(value + kind + 1, column->measure->name);
}

struct figure_words figure_words(const struct column *column)
{
    column = column_first(column); /* the mean of a group has the limits of its first column */
    for (size_t i = 0; i < COUNT_OF(known) && column->kind && column_offered(column); i++)
        if (fits(known[i].value, column)) return known[i].words;
    return (struct figure_words){0};
}
