/* Sentences by what they gain: both ends of one sorted list. */
#include <stdlib.h>

#include "core/corpus/corpus.h"
#include "results/compare/compare_parts.h"
#include "results/sheet/number.h"

/* A sentence and its BLEU in both systems, a mean over their runs. */
struct gain {
    int sentence;
    double bleu[COMPARED], gain;
};

static int compare_gains(const void *a, const void *b)
{
    const struct gain *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->sentence - y->sentence;
}

static void put_line(const char *name, const char *text, FILE *out)
{
    fprintf(out, "  %-10s", name);
    sheet_put(text, out);
    fputc('\n', out);
}

static void put_sentence(struct comparison *comparison, const struct gain *gain)
{
    struct arena scratch = {0};
    FILE *out = comparison->out;
    const int s = gain->sentence;
    const struct side *side = &comparison->corpus->split[comparison->split].side[SIDE_SOURCE];
    fprintf(out, "line %d: A %s, B %s, %s\n", s + 1, number_fixed(&scratch, gain->bleu[0], 1),
            number_fixed(&scratch, gain->bleu[1], 1), number_signed(&scratch, gain->gain, 1));
    put_line("source",
             corpus_text(&scratch, comparison->corpus, SIDE_SOURCE, side->token + side->start[s],
                         (int)(side->start[s + 1] - side->start[s])),
             out);
    put_line("reference", comparison->reference[s], out);
    put_line("A", comparison->system[0].hypothesis[0][s], out);
    put_line("B", comparison->system[1].hypothesis[0][s], out);
    arena_free(&scratch);
}

static void put_list(struct comparison *comparison, const char *title, const struct gain *gain,
                     int count, int step)
{
    FILE *out = comparison->out;
    const bool several = comparison->system[0].runs > 1 || comparison->system[1].runs > 1;
    fprintf(out, "\n%s%s\n", title, several ? " (mean BLEU; the first hypothesis of each)" : "");
    int shown = 0;
    for (; shown < count && step * gain->gain > 0; shown++, gain += step)
        put_sentence(comparison, gain);
    if (!shown) fputs("none\n", out);
}

void compare_sentences(struct comparison *comparison, int count)
{
    const int sentences = comparison->sentences;
    struct gain *gain = heap_alloc(sizeof *gain * (size_t)sentences);
    for (int s = 0; s < sentences; s++) {
        gain[s].sentence = s;
        for (int i = 0; i < COMPARED; i++) {
            const struct compare_system *system = &comparison->system[i];
            for (int run = 0; run < system->runs; run++)
                gain[s].bleu[i] += bleu_sentence(&system->stats[run][s]) / system->runs;
        }
        gain[s].gain = gain[s].bleu[1] - gain[s].bleu[0];
    }
    qsort(gain, (size_t)sentences, sizeof *gain, compare_gains);
    if (count > sentences) count = sentences;
    put_list(comparison, "Largest gains of B over A, BLEU of the sentence", gain, count, 1);
    put_list(comparison, "Largest losses of B against A", gain + sentences - 1, count, -1);
    free(gain);
}
