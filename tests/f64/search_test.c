/* Step-by-step decoding equals decoding in one pass, in double. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/test_model.h"

/* Returns the score of a hypothesis as target of its source sentence, in one pass over all its
 * tokens. */
static double forced_score(struct graph *list, const struct batch *one, const struct hypothesis *h,
                           double alpha)
{
    const struct step step = check_step(1);
    const int32_t start[] = {0, h->count};
    struct batch pair = *one;
    pair.field[FIELD_TARGET] = (struct field){
        .T = h->count, .B = 1, .longest = h->count, .token = h->token, .start = start};
    check_forward(list, &step, &pair);
    return -graph_losses(list).likelihood / pow((5.0 + h->count) / 6, alpha);
}

/* Hypotheses whose rows were reordered and dropped have the scores of one pass. A sentence alone
 * has the same translation as among others. */
static void search_scores_as_one_pass(void **state)
{
    const struct beam_options options = {.beam = 3, .length_penalty = .6, .extra = 4};
    enum { B = 6 };
    struct test_model m;
    test_model_open(&m, cpu_ops(), *state);
    /* An end now and then. */
    for (int64_t c = 28 * VOCABULARY_EOS; c < 28 * (VOCABULARY_EOS + 1); c++)
        test_set(&m, "target.softmax", c, 4 * test_get(&m, "target.softmax", c));
    struct graph *list = test_model_list(&m, GRAPH_INFER, NULL);
    struct searcher *searcher =
        searcher_open(&m.arena, m.model, &options, (struct capacity){{CHECK_ROWS}, B, 20});
    const struct batch batch = test_batch(12, B, 20);
    const struct translation *all = searcher_run(searcher, &batch);
    int several = 0;
    for (int b = 0; b < B; b++) {
        const struct batch one = test_batch_part(&batch, b, b + 1);
        assert_true(all[b].count >= 1);
        several += all[b].count > 1;
        for (int i = 0; i < all[b].count; i++) {
            const struct hypothesis *h = &all[b].hypothesis[i];
            const double expected = forced_score(list, &one, h, options.length_penalty);
            if (!(fabs(h->score - expected) <= 1e-12 * fabs(expected)))
                fail_msg("sentence %d, hypothesis %d: %.17g, in one pass %.17g", b, i, h->score,
                         expected);
        }
        const struct translation *alone = searcher_run(searcher, &one);
        assert_int_equal(alone->count, all[b].count);
        assert_int_equal(alone->hypothesis->count, all[b].hypothesis->count);
        assert_memory_equal(alone->hypothesis->token, all[b].hypothesis->token,
                            (size_t)alone->hypothesis->count * sizeof(int32_t));
    }
    assert_true(several > 0);
    searcher_close(searcher);
    graph_release(list);
    check_close(&m);
}

#define MODEL(options) "model: {width: 28, heads: 4, feedforward: 30" options "}\n"

static const struct variant {
    const char *name, *yaml;
} variants[] = {
    {"pre_norm", MODEL(", source_bias: true") "encoder.layers: 2\ndecoder.layers: 2\n"},
    {"post_norm", MODEL(", norm: post") "encoder.layers: 1\ndecoder.layers: 2\n"},
    {"no_positions", MODEL("") "encoder.layers: 1\ndecoder: {layers: 1, position: none}\n"},
    {"interleaved", MODEL("") "encoder.layers: 2\ndecoder: {layers: 2, position: interleaved}\n"},
    {"gate", MODEL("") "encoder: {layers: 2, attention: [{layers: 1,"
                       " branches: [global, {window: 1}], fusion: gate}]}\ndecoder.layers: 1\n"},
    {"gate_decoder",
     MODEL("") "encoder.layers: 1\ndecoder: {layers: 2, attention: [{layers: 1,"
               " branches: [global, {window: 1}], fusion: gate}, {layers: 2,"
               " branches: [{window: 2}, global], fusion: {gate: {source: input}}}]}\n"},
    {"sum_decoder",
     MODEL(", attention_bias: false") "encoder.layers: 1\n"
                                      "decoder: {layers: 2, attention: [{layers: 1-2,"
                                      " branches: [global, {window: 1}, {window: 0}], fusion: "
                                      "sum}]}\n"},
    {"squeeze_decoder", MODEL("") "encoder: {layers: 1, attention: [{layers: 1, branches:"
                                  " [global, backward], fusion: {squeeze: {r: 14}}}]}\n"
                                  "decoder: {layers: 2, attention: [{layers: 1, branches: [global,"
                                  " {window: 1}], fusion: {squeeze: {r: 7}}}, {layers: 2, branches:"
                                  " [{window: 2}, global, {window: 1}],"
                                  " fusion: {squeeze: {r: 2, share: branch}}}]}\n"},
    {"concat_decoder",
     MODEL(", norm: post") "encoder.layers: 1\n"
                           "decoder: {layers: 1, attention: [{layers: 1,"
                           " branches: [{window: 3}, {window: 1}], fusion: concat}]}\n"},
};

int main(void)
{
    for (size_t i = 0; i < COUNT_OF(variants); i++)
        test_add(0, search_scores_as_one_pass, variants[i].yaml, "%s", variants[i].name);
    omp_set_num_threads(1);
    return tests_run();
}
