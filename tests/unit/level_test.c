/* Simulates the false positive rate of the significance tests, with measured noise. The BLEU of
 * twelve trainings of the Transformer in experiments/evidence/calibration.yaml has a standard
 * deviation of 0.42, with a 95% interval of 0.30 to 0.71. `make test-level` simulates more
 * cases. */

#include "core/base/random.h"
#include "results/stats/significance.h"
#include "tests/support/test.h"

enum { SENTENCES = 200, SAMPLES = 200, SYSTEMS = 7 };
static const double alpha = 0.05, bleu_noise = 0.42;

/* Noise of the BLEU of one sentence. `system`: standard deviation of a part that all trainings of a
 * system have in common; `training`: standard deviation of a part that differs between trainings. A
 * bootstrap then measures a standard deviation of 0.33 or 0.39 BLEU per training, as for the real
 * rows. */
struct noise {
    const char *name;
    double system, training;
};
static const struct noise noises[] = {
    {"sentences are the same for both systems", 0, 4.7},
    {"sentences differ by system", 3, 4.7},
};

/* Simulates the trainings of a system. Returns their values, and resamples of their mean, which is
 * linear in the items. Each case has its own key, and each system its own random numbers. */
static struct difference_side simulate(struct random_key key, int system, int seeds, double better,
                                       const struct noise *noise)
{
    double *value = ARENA_ARRAY(&arena, double, seeds),
           *mean = ARENA_ARRAY(&arena, double, SENTENCES),
           *sample = ARENA_ARRAY(&arena, double, SAMPLES);
    const double own =
        sqrt(bleu_noise * bleu_noise - noise->training * noise->training / SENTENCES);
    const uint64_t base = (uint64_t)system << 32;
    for (int s = 0; s < seeds; s++) {
        const uint64_t at = base + (uint64_t)(s + 1) * (SENTENCES + 1);
        const double training = better + own * random_normal(key, at);
        for (int i = 0; i < SENTENCES; i++) {
            const double item = training + noise->system * random_normal(key, base + (uint64_t)i) +
                                noise->training * random_normal(key, at + 1 + (uint64_t)i);
            value[s] += item / SENTENCES;
            mean[i] += item / seeds;
        }
    }
    const void *const run = mean;
    const int end[] = {SENTENCES};
    significance_draw(&statistic_mean, (struct strata){1, end},
                      &(struct significance_options){.samples = SAMPLES, .seed = key.seed}, &run, 1,
                      sample);
    return (struct difference_side){seeds, value, sample};
}

static struct difference_known compare(const struct difference_side *a,
                                       const struct difference_side *b)
{
    const struct difference_design design = {.items = SENTENCES, .strata = 1, .samples = SAMPLES};
    return difference_of(a, b, &design, &arena);
}

/* LEVEL_CASES overrides the usual number of cases. */
static int cases_of(int usual)
{
    const char *wanted = getenv("LEVEL_CASES");
    return wanted ? atoi(wanted) : usual;
}

static double share(int count, int cases)
{
    return (double)count / cases;
}

/* Fails if the count exceeds the level by more than two standard errors. */
static void expect_level(int count, int cases)
{
    assert_true(share(count, cases) <= alpha + 2 * sqrt(alpha * (1 - alpha) / cases));
}

TEST(level_of_bleu)
{
    static const int seeds[] = {1, 2, 3, 5};
    const int cases = cases_of(500);
    print_message("p < 0.05 of %d equal pairs, BLEU: claims (one-sided), tables (two-sided), and "
                  "sentences alone (one-sided)\n",
                  cases);
    for (size_t k = 0; k < COUNT_OF(noises); k++)
        for (size_t n = 0; n < COUNT_OF(seeds); n++) {
            int claims = 0, tables = 0, sentences = 0;
            for (int i = 0; i < cases; i++) {
                const struct random_key key = {(uint32_t)i + 1, (uint32_t)(10 * k + n)};
                const struct difference_side a = simulate(key, 0, seeds[n], 0, &noises[k]),
                                             b = simulate(key, 1, seeds[n], 0, &noises[k]);
                const struct difference_known known = compare(&a, &b);
                struct difference_known alone = known;
                alone.seeds = 1;
                assert_true(difference_by_seeds(&known) == (seeds[n] > 1));
                sentences += difference_above(&alone, 0) < alpha;
                claims += difference_by_seeds(&known) && difference_above(&known, 0) < alpha;
                tables += difference_by_seeds(&known) && difference_p(&known) < alpha;
                arena_free(&arena);
            }
            print_message("  n = %d, %s: %.3f, %.3f, and %.3f\n", seeds[n], noises[k].name,
                          share(claims, cases), share(tables, cases), share(sentences, cases));
            expect_level(claims, cases);
            expect_level(tables, cases);
            if (seeds[n] == 1 && !k)
                assert_true(share(sentences, cases) >
                            alpha + 2 * sqrt(alpha * (1 - alpha) / cases));
        }
}

/* Compares six systems with one. Counts the cases in which any p is below alpha, with and without
 * Holm's correction. */
TEST(level_of_a_family)
{
    enum { FAMILY = SYSTEMS - 1 };
    static const int seeds[] = {2, 3};
    const int cases = cases_of(200);
    print_message("some p < 0.05 of %d in %d equal families: with Holm, and without\n", FAMILY,
                  cases);
    for (size_t n = 0; n < COUNT_OF(seeds); n++) {
        int wrong = 0, raw = 0;
        for (int i = 0; i < cases; i++) {
            const struct random_key key = {(uint32_t)i + 1, 2000 + (uint32_t)n};
            struct difference_side side[SYSTEMS];
            double p[FAMILY], least = 1;
            for (int k = 0; k < SYSTEMS; k++) side[k] = simulate(key, k, seeds[n], 0, &noises[1]);
            for (int k = 0; k < FAMILY; k++) {
                const struct difference_known known = compare(&side[k + 1], &side[0]);
                p[k] = difference_above(&known, 0);
                least = fmin(least, p[k]);
            }
            raw += least < alpha;
            significance_holm(p, FAMILY);
            bool any = false;
            for (int k = 0; k < FAMILY; k++) any |= p[k] < alpha;
            wrong += any;
            arena_free(&arena);
        }
        print_message("  n = %d: %.3f, and %.3f\n", seeds[n], share(wrong, cases),
                      share(raw, cases));
        expect_level(wrong, cases);
    }
}

/* Adds a system to a side with a weight. `side` has room for all seeds and samples. */
static void add(struct difference_side *side, const struct difference_side *system, double weight)
{
    double *value = (double *)side->value, *sample = (double *)side->sample;
    for (int s = 0; s < system->seeds; s++) value[s] += weight * system->value[s];
    for (int b = 0; b < SAMPLES; b++) sample[b] += weight * system->sample[b];
}

/* Compares the weighted sum of systems with 0. Rows: the variance of each system. Otherwise: that
 * of the sums by seed. */
static struct difference_known compare_sums(const struct difference_side *system,
                                            const double *weight, int systems, bool rows)
{
    struct pooled_row own[SYSTEMS];
    struct difference_side side[2];
    for (int k = 0; k < 2; k++)
        side[k] =
            (struct difference_side){system->seeds, ARENA_ARRAY(&arena, double, system->seeds),
                                     ARENA_ARRAY(&arena, double, SAMPLES)};
    for (int i = 0; i < systems; i++) {
        add(&side[weight[i] < 0], &system[i], fabs(weight[i]));
        own[i] = pooled_row(system[i].value, system[i].seeds);
        own[i].weight = weight[i];
    }
    const struct difference_design design = {.owns = rows ? systems : 0,
                                             .own = own,
                                             .paired = !rows,
                                             .items = SENTENCES,
                                             .strata = 1,
                                             .samples = SAMPLES};
    return difference_of(&side[0], &side[1], &design, &arena);
}

/* Simulates contrasts without a difference. In the last case two of three comparisons are true, so
 * that the claim that all are true is wrong. */
TEST(level_of_contrasts)
{
    static const struct {
        const char *name;
        double weight[5];
        int systems;
        bool rows;
    } contrasts[] = {{"difference of differences", {1, -1, -1, 1}, 4, true},
                     {"a row in both differences", {1, -2, 1}, 3, true},
                     {"slope", {-0.2, -0.1, 0, 0.1, 0.2}, 5, false},
                     {"in all of three", {0}, 4, true}};
    static const int seeds[] = {2, 3, 5};
    const int cases = cases_of(200);
    print_message("p < 0.05 of %d equal contrasts (one-sided)\n", cases);
    for (size_t k = 0; k < COUNT_OF(contrasts); k++)
        for (size_t n = 0; n < COUNT_OF(seeds); n++) {
            const int systems = contrasts[k].systems;
            int wrong = 0;
            for (int i = 0; i < cases; i++) {
                const struct random_key key = {(uint32_t)i + 1, 4000 + (uint32_t)(10 * k + n)};
                struct difference_side side[SYSTEMS];
                double p = 0;
                for (int m = 0; m < systems; m++)
                    side[m] = simulate(key, m, seeds[n], !contrasts[k].weight[0] && m > 1 ? 20 : 0,
                                       &noises[1]);
                for (int m = 1; m < systems && !contrasts[k].weight[0]; m++) {
                    const struct difference_known known = compare(&side[m], &side[0]);
                    p = fmax(p, difference_above(&known, 0));
                }
                if (contrasts[k].weight[0] != 0) {
                    const struct difference_known known =
                        compare_sums(side, contrasts[k].weight, systems, contrasts[k].rows);
                    p = difference_above(&known, 0);
                }
                wrong += p < alpha;
                arena_free(&arena);
            }
            print_message("  n = %d, %s: %.3f\n", seeds[n], contrasts[k].name, share(wrong, cases));
            expect_level(wrong, cases);
        }
}

/* Differences of several grids, each of two systems: with the grids as the unit, and the same noise
 * of corpora as of trainings. */
TEST(level_over_grids)
{
    static const int grids[] = {2, 3, 5};
    const int cases = cases_of(1000);
    print_message("p < 0.05 of %d claims over equal grids (one-sided)\n", cases);
    for (size_t n = 0; n < COUNT_OF(grids); n++) {
        int wrong = 0;
        for (int i = 0; i < cases; i++) {
            double value[5], zero[5] = {0};
            for (int g = 0; g < grids[n]; g++)
                value[g] = bleu_noise *
                           random_normal((struct random_key){(uint32_t)i + 1, 5000}, (uint64_t)g);
            const struct difference_side side[] = {{.seeds = grids[n], .value = value},
                                                   {.seeds = grids[n], .value = zero}};
            const struct difference_known known = difference_of(
                &side[0], &side[1], &(struct difference_design){.paired = true}, &arena);
            wrong += difference_above(&known, 0) < alpha;
            arena_free(&arena);
        }
        print_message("  %d grids: %.3f\n", grids[n], share(wrong, cases));
        expect_level(wrong, cases);
    }
}

/* The effects of options on BLEU: their standard deviation, and the share of their variance that is
 * the same for both systems. */
struct effects {
    double deviation, shared;
};

/* Simulates tuned rows: each search chooses the best of 12 trials by a noisy value, and trains
 * equally many of the seeds with its options. Searches have their own draws, the same for all
 * systems. */
static struct difference_side simulate_tuned(struct random_key key, int system, int searches,
                                             int seeds, struct effects effects)
{
    enum { TRIALS = 12 };
    double *value = ARENA_ARRAY(&arena, double, seeds);
    for (int u = 0; u < searches; u++) {
        const uint64_t draws = (uint64_t)u << 8, own = draws + ((uint64_t)(system + 1) << 32);
        double best = -1e9, chosen = 0;
        for (uint64_t t = 0; t < TRIALS; t++) {
            const double effect =
                effects.deviation * (sqrt(effects.shared) * random_normal(key, draws + t) +
                                     sqrt(1 - effects.shared) * random_normal(key, own + t));
            const double seen = effect + bleu_noise * random_normal(key, own + TRIALS + t);
            if (seen > best) best = seen, chosen = effect;
        }
        for (int s = u; s < seeds; s += searches)
            value[s] = chosen + bleu_noise * random_normal(key, own + 2 * TRIALS + (uint64_t)s);
    }
    return (struct difference_side){.seeds = seeds, .value = value};
}

/* Returns how often two equal systems that are tuned differ, p < 0.05. */
static int wrong_tuned(int searches, int seeds, struct effects effects, uint32_t stream, int cases)
{
    int wrong = 0;
    for (int i = 0; i < cases; i++) {
        const struct random_key key = {(uint32_t)i + 1, stream};
        const struct difference_side a = simulate_tuned(key, 0, searches, seeds, effects),
                                     b = simulate_tuned(key, 1, searches, seeds, effects);
        const struct difference_known known =
            difference_of(&a, &b, &(struct difference_design){0}, &arena);
        wrong += difference_p(&known) < alpha;
        arena_free(&arena);
    }
    return wrong;
}

/* The unit of a claim that one tuned system is better than another is the search. With one search,
 * seeds only measure its chosen options, so the rate is above the level. */
TEST(level_of_tuned_rows)
{
    static const double deviation[] = {0, 0.5, 1, 2}, shared[] = {1, 0.8, 0.5};
    static const int seeds[] = {3, 10};
    const int cases = cases_of(500);
    uint32_t stream = 6000;
    print_message("p < 0.05 of %d equal pairs of tuned rows (two-sided): one search, and a search "
                  "for each seed\n",
                  cases);
    for (size_t d = 0; d < COUNT_OF(deviation); d++)
        for (size_t h = 0; h < COUNT_OF(shared); h++)
            for (size_t n = 0; n < COUNT_OF(seeds); n++, stream++) {
                const struct effects effects = {deviation[d], shared[h]};
                const int one = wrong_tuned(1, seeds[n], effects, stream, cases),
                          each = wrong_tuned(seeds[n], seeds[n], effects, stream, cases);
                print_message("  n = %d, options %.1f BLEU, %.1f of it shared: %.3f, and %.3f\n",
                              seeds[n], deviation[d], shared[h], share(one, cases),
                              share(each, cases));
                expect_level(each, cases);
                /* With effects as large as the noise, one search is not enough. */
                if (deviation[d] >= 0.5 && shared[h] < 1 && seeds[n] == 10)
                    assert_true(share(one, cases) > alpha + 2 * sqrt(alpha * (1 - alpha) / cases));
            }
}

/* With five seeds, a difference of 2 BLEU is found in most cases. The test also prints how often
 * the detectable difference is found, which should be in 4 of 5 cases. */
TEST(power)
{
    static const int seeds[] = {2, 3, 5};
    const int cases = cases_of(200);
    print_message(
        "p < 0.05 of %d pairs of which one is better by 2 BLEU: claims, tables; and of what "
        "is called detectable\n",
        cases);
    for (size_t n = 0; n < COUNT_OF(seeds); n++) {
        int claims = 0, tables = 0, detected = 0;
        for (int i = 0; i < cases; i++) {
            const struct random_key key = {(uint32_t)i + 1, 3000 + (uint32_t)n};
            const struct difference_side a = simulate(key, 0, seeds[n], 2, &noises[1]),
                                         b = simulate(key, 1, seeds[n], 0, &noises[1]);
            const struct difference_known known = compare(&a, &b);
            claims += difference_above(&known, 0) < alpha;
            tables += difference_p(&known) < alpha;
            const double smallest = difference_detectable(&known, alpha, DIFFERENCE_POWER);
            detected += difference_above(&known, 2 - smallest) < alpha;
            arena_free(&arena);
        }
        print_message("  n = %d: %.3f, %.3f; %.3f\n", seeds[n], share(claims, cases),
                      share(tables, cases), share(detected, cases));
        if (seeds[n] == 5) assert_true(share(claims, cases) > 0.9 && share(tables, cases) > 0.8);
    }
}
