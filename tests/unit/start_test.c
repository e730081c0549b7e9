/* Tests digests of the start values and step sizes of a training. They must be equal on all
 * processors, compilers and libcs. elementary_test, position_test and step_test check the
 * numbers. */
#include "tests/support/test.h"

#include "core/base/digest.h"
#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

static bool equal;

static void expect(const char *what, const void *bytes, size_t count, const char *digest)
{
    char text[DIGEST_TEXT];
    digest_bytes(bytes, count, text);
    if (!strcmp(text, digest)) return;
    print_error("%s: %s\n", what, text);
    equal = false;
}

TEST(start_values)
{
    enum { ROWS = 100, COLUMNS = 300 };
    static const struct {
        enum parameter_start start;
        const char *path, *digest;
    } kinds[] = {
        {START_GLOROT, "glorot",
         "ac376f8bee100562bccca46ac2bba3863d08727297c8e565f81b6f30415abf06"},
        {START_BIAS, "bias", "38b3f9a3d7d07e1a7531d93d760d18ffb803331da6f59d608176791415a3300f"},
        {START_UNIFORM, "uniform",
         "78029528b0c4edb35fddfb5abb20cdbe80ded7eccd4351824bc49a595dedff3b"},
        {START_NORMAL, "normal",
         "fb65f81ac9e1516451ed6ffda9e71a80f421b070fe06b6c5b00c70bffac12600"},
        {START_CONSTANT, "constant",
         "2c2fa817cf0a7b6abf7d30e75a02e0157a71474502ce9c39b2cd5c3fd018924b"},
        {START_ONE, "one", "9a13a50bf326a19b1f09e28b611feb902345a8128bf89a7dc81426c8dcc8386f"},
        {START_ZERO, "zero", "9a413b131ecf0ccfb02a837ddb33766d8604cc00da7937b79bd363b53c8d7d86"},
    };
    struct parameters parameters = {.arena = &arena};
    equal = true;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        parameter_get(&parameters, kinds[i].path, ROWS, COLUMNS, kinds[i].start, 0.07);
    parameters_place(&parameters, cpu_ops(), false);
    parameters_start(&parameters, 1234);
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        expect(kinds[i].path, parameters.master + parameters.item[i]->offset,
               ROWS * COLUMNS * sizeof(real), kinds[i].digest);
    parameters_release(&parameters);
    assert_true(equal);
}

TEST(sinusoids)
{
    struct test_model m;
    test_model_open(&m, cpu_ops(),
                    "model: {width: 64, heads: 2, feedforward: 8}\n"
                    "encoder: {layers: 1, position: sinusoid}\n"
                    "decoder: {layers: 1, position: interleaved}\n");
    const size_t bytes = CHECK_LONGEST * 64 * sizeof(real);
    equal = true;
    expect("halves", m.train->positional[0]->data, bytes,
           "ca1cfd2128664635ec705cf9f3feafdfb5ec4e237d36f850153125797e8ec16e");
    expect("interleaved", m.train->positional[1]->data, bytes,
           "3106669198a860eb001df81062eda6509b1a221ffeaed2d5df96da8be013a0fb");
    check_close(&m);
    assert_true(equal);
}

TEST(rates)
{
    enum { STEPS = 20000 };
    static double rate[STEPS], correction[2][STEPS];
    const struct train_options options = {.rate = 2, .warmup = 4000};
    for (int s = 0; s < STEPS; s++) {
        rate[s] = train_rate(&options, 512, s, STEPS);
        correction[0][s] = train_correction(0.9, s);
        correction[1][s] = train_correction(0.98, s);
    }
    equal = true;
    expect("rate", rate, sizeof rate,
           "17b0467fc344009656d01c7581e638df8415d7c787f934710ce6c2162b79d48b");
    expect("correction", correction, sizeof correction,
           "d25b5becddee7eb677da242e952e4aa5f7683385c9c778f6c54ea9bf17e47487");
    assert_true(equal);
}
