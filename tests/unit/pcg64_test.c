/* NumPy's stream: values of its documentation, and draws of its default_rng(SEED). */
#include "core/base/pcg64.h"
#include "tests/support/test.h"

TEST(documented_values)
{
    struct pcg64 random = pcg64_seed(12345);
    assert_true(pcg64_uniform(&random) == 0.22733602246716966);
    random = pcg64_seed(42);
    assert_true(pcg64_uniform(&random) == 0.7739560485559633);
    random = pcg64_seed(12345);
    static const uint32_t integers[] = {6, 2, 7};
    for (size_t i = 0; i < COUNT_OF(integers); i++)
        assert_int_equal(pcg64_below(&random, 10), integers[i]);
}

TEST(index_stream)
{
    static const uint32_t first[] = {2099, 682, 2368, 951, 613, 2394, 1929, 2030};
    struct pcg64 random = pcg64_seed(12345);
    for (size_t i = 0; i < COUNT_OF(first); i++)
        assert_int_equal(pcg64_below(&random, 3003), first[i]);
}

/* A bound near 2^32 redraws often; a bound of 1 draws nothing. The expected values are NumPy's:
 * default_rng(7).integers(0, bound, 5) */
TEST(bounds)
{
    static const struct {
        uint32_t bound, value[5];
    } cases[] = {
        {3000000000u, {2834714867u, 2052539810u, 2691641402u, 1734877356u, 2327057070u}},
        {1u << 31, {2029167941u, 1342382292u, 1469265226u, 1926751966u, 1241873585u}},
    };
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct pcg64 random = pcg64_seed(7);
        assert_int_equal(pcg64_below(&random, 1), 0);
        for (int i = 0; i < 5; i++)
            assert_int_equal(pcg64_below(&random, cases[c].bound), cases[c].value[i]);
    }
}
