/* Tests position encodings, channel by channel, against the formulas. One kind has the sines in the
 * first half of the channels, as THUMT does. The other alternates sines and cosines (Vaswani et al.
 * 2017, section 3.5; Song et al. 2018, eq. 5). */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

enum { WIDTH = 14 };

static double halves(int position, int channel, double base)
{
    const int half = WIDTH / 2;
    const double angle = position / pow(base, channel % half / (half - 1.0));
    return channel < half ? sin(angle) : cos(angle);
}

static double interleaved(int position, int channel, double base)
{
    const int i = channel / 2;
    const double angle = position / pow(base, 2.0 * i / WIDTH);
    return channel % 2 ? cos(angle) : sin(angle);
}

static double nothing(int position, int channel, double base)
{
    return 0;
}

static const struct {
    const char *word;
    double (*wave)(int position, int channel, double base);
} kinds[] = {{"none", nothing}, {"sinusoid", halves}, {"interleaved", interleaved}};

static void clear(struct test_model *m, const char *path)
{
    const struct parameter *table = parameter_find(&m->model->parameters, path);
    for (int64_t i = 0; i < (int64_t)table->rows * table->columns; i++) test_set(m, path, i, 0);
}

static void expect(struct test_model *m, const struct batch *batch, const char *path,
                   enum field_name side, int kind, double base)
{
    const struct field *field = &batch->field[side];
    const double limit = sizeof(real) == sizeof(float) ? 1e-7 : 1e-13;
    struct graph *list = test_model_list(m, GRAPH_INFER, path);
    const struct step step = check_step(1);
    check_forward(list, &step, batch);
    const real *got = test_read(m, list, path);
    for (int b = 0; b < field->B; b++)
        for (int t = field->start[b]; t < field->start[b + 1]; t++)
            for (int c = 0; c < WIDTH; c++) {
                const double is = (double)got[t * WIDTH + c];
                const double wanted = kinds[kind].wave(t - field->start[b], c, base);
                if (!(fabs(is - wanted) <= limit))
                    fail_msg("%s, %s: position %d, channel %d is %.17g, expected %.17g", path,
                             kinds[kind].word, t - field->start[b], c, is, wanted);
            }
    graph_release(list);
}

/* With embedding tables of zeros, the embedding is the position encoding. Encoder and decoder have
 * different kinds. The timescale is 1000 in the encoder, and the default, 10000, in the decoder. */
TEST(positions_are_as_printed)
{
    for (int e = 0; e < 3; e++)
        for (int d = 0; d < 3; d++) {
            struct test_model m;
            char yaml[200];
            snprintf(yaml, sizeof yaml,
                     "model: {width: %d, heads: 2, feedforward: 7}\n"
                     "encoder: {layers: 1, timescale: 1000, position: %s}\n"
                     "decoder: {layers: 1, position: %s}\n",
                     WIDTH, kinds[e].word, kinds[d].word);
            test_model_open(&m, cpu_ops(), yaml);
            clear(&m, "source.embedding");
            clear(&m, "target.embedding");
            const struct batch batch = test_batch(5, 4, 20);
            expect(&m, &batch, "encoder.embedding", FIELD_SOURCE, e, 1000);
            expect(&m, &batch, "decoder.embedding", FIELD_TARGET, d, 10000);
            check_close(&m);
        }
}
