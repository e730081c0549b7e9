/* Simulates the false positive rate of a family of rows, by the rule of results/stats/pooled.h. A
 * baseline and twelve systems have the same true value, and the first system is compared with the
 * baseline. The unit of values is the standard deviation of one training. It is 0.42 BLEU, as in
 * level_test.c. `make test-level` simulates 100,000 cases of each setting; docs/metrics.md has its
 * results. */

#include "core/base/random.h"
#include "results/stats/difference.h"
#include "tests/support/test.h"

enum { ROWS = 13, MOST = 10, SAMPLES = 20, LEVELS = 3, LONG = 50000 };
static const double alpha[LEVELS] = {0.05, 0.01, 0.05 / 12}, one_bleu = 1 / 0.42;

enum noise { EQUAL, STUDENT, ONE_ROW, BOTH_ROWS, FAILING, NOISES };
static const char *const names[NOISES] = {"equal deviations", "t with 3 degrees",
                                          "3:1, one row of the pair", "3:1, both rows of the pair",
                                          "seeds fail, probability .15"};

struct setting {
    enum noise noise;
    int a, b;         /* numbers of seeds of the pair; the other rows have `a` seeds */
    int rows;         /* rows of the family: ROWS, or 2 for the pair alone */
    double sentences; /* variance of a row's value over sentences; 0: no sentences */
};

/* Rates of cases with p below each level, by the rule and by the plain pooled t. */
struct levels {
    double rule[LEVELS], plain[LEVELS];
};

static int cases_of(void)
{
    const char *wanted = getenv("LEVEL_CASES");
    return wanted ? 10 * atoi(wanted) : 2000;
}

/* Returns the error of a training. Its random numbers begin at index `at`. */
static double error_of(struct random_key key, uint64_t at, enum noise noise, int row)
{
    const double normal = random_normal(key, at);
    if (noise == STUDENT) {
        double squares = 0; /* chi-squared; the result has variance 1 */
        for (uint64_t i = 1; i <= 3; i++) squares += pow(random_normal(key, at + i), 2);
        return normal / sqrt(squares);
    }
    if (noise == ONE_ROW) return row == 0 ? 3 * normal : normal;
    if (noise == BOTH_ROWS) return row < 2 ? 3 * normal : normal;
    if (noise == FAILING && random_normal(key, at + 1) < -1.0364334) return normal - 10;
    return normal;
}

/* Writes resampled differences between two sides. A side has the variance `sentences`, so the
 * differences have twice this variance. */
static void resample(double *sample, double sentences)
{
    double squares = 0;
    for (int i = 0; i < SAMPLES; i++) squares += pow(i - (SAMPLES - 1) / 2., 2) / (SAMPLES - 1);
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = (i - (SAMPLES - 1) / 2.) * sqrt(2 * sentences / squares);
}

/* Returns p of Student's t with only the pooled variance, for comparison. */
static double plain_p(double d, const struct setting *setting, const struct pooled_row *row)
{
    double squares = 0, freedom = 0;
    for (int i = 0; i < setting->rows; i++) {
        squares += (row[i].seeds - 1) * row[i].variance;
        freedom += row[i].seeds - 1;
    }
    const double error =
        sqrt(squares / freedom * (1. / setting->a + 1. / setting->b) + 2 * setting->sentences);
    return 2 * student_share(-fabs(d) / error, freedom);
}

static void simulate(const struct setting *setting, struct random_key key, double better,
                     const struct difference_side *items, struct levels *levels, int cases)
{
    double value[ROWS][MOST];
    struct pooled_row row[ROWS];
    for (int i = 0; i < setting->rows; i++) {
        const uint64_t at = (uint64_t)i << 32;
        const int seeds = i == 1 ? setting->b : setting->a;
        const double mean =
            sqrt(setting->sentences) * random_normal(key, at) + (i == 0 ? better : 0);
        for (int s = 0; s < seeds; s++)
            value[i][s] = mean + error_of(key, at + 4 * (uint64_t)s + 1, setting->noise, i);
        row[i] = pooled_row(value[i], seeds);
    }
    const struct difference_side a = {setting->a, value[0], items[0].sample},
                                 b = {setting->b, value[1], items[1].sample};
    const struct difference_design design = {.others = setting->rows - 2,
                                             .other = row + 2,
                                             .items = 200,
                                             .strata = 1,
                                             .samples = SAMPLES};
    const struct difference_known known = difference_of(&a, &b, &design, &arena);
    const double p = difference_p(&known), plain = plain_p(known.value, setting, row);
    for (int k = 0; k < LEVELS; k++) {
        levels->rule[k] += (double)(p < alpha[k]) / cases;
        levels->plain[k] += (double)(plain < alpha[k]) / cases;
    }
}

static struct levels levels_of(const struct setting *setting, double better, int cases)
{
    double zero[SAMPLES] = {0}, sample[SAMPLES];
    struct difference_side items[2] = {{0}};
    struct levels levels = {{0}, {0}};
    resample(sample, setting->sentences);
    if (setting->sentences > 0) {
        items[0].sample = sample;
        items[1].sample = zero;
    }
    for (int i = 0; i < cases; i++)
        simulate(setting, (struct random_key){(uint32_t)i + 1, (uint32_t)setting->noise}, better,
                 items, &levels, cases);
    return levels;
}

/* Fails if a rate exceeds its level by more than two standard errors. */
static void expect_levels(const struct levels *levels, int cases)
{
    for (int k = 0; k < LEVELS; k++)
        assert_true(levels->rule[k] <= alpha[k] + 2 * sqrt(alpha[k] * (1 - alpha[k]) / cases));
}

static const int seeds[][2] = {{2, 2}, {3, 3}, {5, 5}, {2, 5}, {3, 10}};

/* Prints one line: the rates by the rule, the rate by the plain pooled t, and the power if both
 * rows have three seeds. Returns the rates. */
static struct levels report(const struct setting *setting, int cases)
{
    const struct levels levels = levels_of(setting, 0, cases);
    const double *rule = levels.rule;
    print_message("  | %d, %d | %s | %.4f | %.4f | %.4f | %.4f |", setting->a, setting->b,
                  names[setting->noise], rule[0], rule[1], rule[2], levels.plain[2]);
    if (setting->a == 3 && setting->b == 3)
        print_message(" %.3f |\n", levels_of(setting, one_bleu, cases / 10).rule[2]);
    else
        print_message(" |\n");
    return levels;
}

static void heading(const char *what, int cases)
{
    print_message("%s, %d cases: p < .05, .01 and .05/12, plain pooled t at .05/12, and the power "
                  "at .05/12 of 1 BLEU\n",
                  what, cases);
}

TEST(levels_of_a_family)
{
    const int cases = cases_of();
    heading("thirteen rows", cases);
    for (enum noise noise = 0; noise < NOISES; noise++)
        for (size_t n = 0; n < COUNT_OF(seeds); n++) {
            const struct setting setting = {noise, seeds[n][0], seeds[n][1], ROWS, 0};
            const struct levels levels = report(&setting, cases);
            const double plain = levels.plain[LEVELS - 1];
            if (noise == EQUAL || noise == STUDENT) expect_levels(&levels, cases);
            if (noise > STUDENT) /* few cases cannot show a factor of two */
                assert_true(levels.rule[LEVELS - 1] < (cases < LONG ? plain : plain / 2));
        }
}

/* Sentences add a variance of 0.03, 0.12 or 1. The variance of seeds is 1. */
TEST(levels_with_sentences)
{
    static const double sentences[] = {0.03, 0.12, 1};
    static const int rows[] = {ROWS, 2};
    const int cases = cases_of();
    for (size_t r = 0; r < COUNT_OF(rows); r++)
        for (size_t v = 0; v < COUNT_OF(sentences); v++) {
            heading(arena_print(&arena, "%d rows, sentences with a variance of %g", rows[r],
                                sentences[v]),
                    cases);
            for (enum noise noise = EQUAL; noise <= STUDENT; noise++)
                for (size_t n = 0; n < 3; n++) {
                    const struct setting setting = {noise, seeds[n][0], seeds[n][1], rows[r],
                                                    sentences[v]};
                    const struct levels levels = report(&setting, cases);
                    expect_levels(&levels, cases);
                }
        }
}

/* A pair without other rows uses only its own variance. */
TEST(levels_of_a_pair)
{
    const int cases = cases_of();
    heading("a pair alone", cases);
    for (enum noise noise = EQUAL; noise <= STUDENT; noise++)
        for (size_t n = 0; n < COUNT_OF(seeds); n++) {
            const struct setting setting = {noise, seeds[n][0], seeds[n][1], 2, 0};
            const struct levels levels = report(&setting, cases);
            expect_levels(&levels, cases);
        }
}

/* Values of one row by seed, such as slopes, are tested against 0. Only this row's own variance is
 * known. Two seeds can agree by chance, so the variance of sentences dominates in some cases. Even
 * then no level is exceeded. */
TEST(levels_of_one_row)
{
    static const double sentences[] = {0.03, 0.3, 3}, level[] = {0.05, 0.01, 0.001};
    const double zero[MOST] = {0}, none[SAMPLES] = {0};
    const int cases = cases_of();
    for (size_t v = 0; v < COUNT_OF(sentences); v++)
        for (int n = 2; n < 5; n++) {
            double sample[SAMPLES], rate[COUNT_OF(level)] = {0};
            resample(sample, sentences[v] / 2);
            const struct difference_side theirs = {n, zero, none};
            const struct difference_design design = {
                .paired = true, .items = 200, .strata = 1, .samples = SAMPLES};
            for (int i = 0; i < cases; i++) {
                const struct random_key key = {(uint32_t)i + 1, (uint32_t)n};
                double value[MOST];
                const double mean = sqrt(sentences[v]) * random_normal(key, 0);
                for (int s = 0; s < n; s++) value[s] = mean + random_normal(key, (uint64_t)s + 1);
                const struct difference_side ours = {n, value, sample};
                const struct difference_known known =
                    difference_of(&ours, &theirs, &design, &arena);
                for (size_t k = 0; k < COUNT_OF(level); k++)
                    rate[k] += (double)(difference_p(&known) < level[k]) / cases;
            }
            print_message("  one row, %d seeds, sentences with a variance of %g: %.4f, %.4f, "
                          "%.5f\n",
                          n, sentences[v], rate[0], rate[1], rate[2]);
            for (size_t k = 0; k < COUNT_OF(level); k++)
                assert_true(rate[k] <= level[k] + 2 * sqrt(level[k] * (1 - level[k]) / cases));
        }
}
