/* Gradients of whole translation models, summed over the micro-batches of a step with all dropouts
 * on, against central differences. Gradients of shared parts (tables, residual streams, views) must
 * add up. */
#include "tests/support/test.h"

#include "core/cpu/cpu.h"
#include "tests/support/double_checks.h"

#define DROPOUTS "dropout: 0.2, attention_dropout: 0.1, relu_dropout: 0.3"

static const struct variant {
    const char *name, *yaml;
} variants[] = {
    {"pre_norm", "model: {width: 14, heads: 2, feedforward: 19, source_bias: true, " DROPOUTS "}\n"
                 "encoder.layers: 2\ndecoder.layers: 2\n"},
    {"post_norm", "model: {width: 18, heads: 3, feedforward: 7, norm: post, " DROPOUTS "}\n"
                  "encoder.layers: 2\ndecoder.layers: 1\n"},
    {"share_target", "model: {width: 16, heads: 1, feedforward: 16, share: target, " DROPOUTS "}\n"
                     "encoder: {layers: 1, position: none}\ndecoder.layers: 1\n"},
    {"share_all", "model: {width: 34, heads: 2, feedforward: 33, share: all, source_bias: true}\n"
                  "encoder.layers: 1\ndecoder: {layers: 1, position: none}\n"},
    {"positions", "model: {width: 14, heads: 2, feedforward: 9, " DROPOUTS "}\n"
                  "encoder: {layers: 1, position: interleaved}\ndecoder.layers: 1\n"},
    {"window", "model: {width: 12, heads: 3, feedforward: 9, " DROPOUTS "}\n"
               "encoder: {layers: 3, attention: [{layers: 1-2, branches: [{window: 1}]}]}\n"
               "decoder.layers: 1\n"},
    {"gate",
     "model: {width: 12, heads: 3, feedforward: 9, " DROPOUTS "}\n"
     "encoder:\n  layers: 3\n  attention:\n"
     "  - {layers: 1, branches: [global, {window: 1}], fusion: gate}\n"
     "  - {layers: 2, branches: [{window: 0}, {window: 40}], fusion: {gate: {source: input}}}\n"
     "  - {layers: 3, branches: [global, {window: 2}], fusion: {gate: {heads: one}}}\n"
     "decoder.layers: 1\n"},
    {"gate_post_norm", "model: {width: 12, heads: 2, feedforward: 9, norm: post, " DROPOUTS "}\n"
                       "encoder:\n  layers: 1\n  attention:\n"
                       "  - {layers: all, branches: [global, {window: 1}],\n"
                       "     fusion: {gate: {source: input, heads: each}}}\n"
                       "decoder.layers: 1\n"},
    {"concat", "model: {width: 12, heads: 2, feedforward: 9, share: all, " DROPOUTS "}\n"
               "encoder:\n  layers: 2\n  attention:\n"
               "  - {layers: 2, branches: [global, {window: 1}, {window: 3}], fusion: concat}\n"
               "decoder.layers: 1\n"},
    {"terms", "model: {width: 12, heads: 2, feedforward: 9, share: all, " DROPOUTS "}\n"
              "encoder:\n  layers: 2\n  attention:\n"
              "  - {layers: 1, terms: [localness, {relpos: 2}]}\n"
              "  - {layers: 2, terms: [{relpos: 1}, {neighbor: {heads: 1}},\n"
              "     {gauss: {window: layer}}], branches: [backward, {window: 1}, forward],\n"
              "     fusion: concat}\n"
              "decoder:\n  layers: 2\n  attention:\n"
              "  - {layers: 1, terms: [{relpos: 2}, {gauss: {window: layer, scaling: paper}}]}\n"
              "  - {layers: 2, terms: [localness, neighbor_sigma, {gauss: {window: head}}],\n"
              "     branches: [global, {window: 2, dropout: false}], fusion: gate}\n"
              "  cross:\n"
              "  - {layers: 1, terms: [localness, {relpos: 3}]}\n"
              "  - {layers: 2, terms: [{gauss: {window: layer}}, {local_h: {hidden: 5}}]}\n"},
    {"sum", "model: {width: 12, heads: 2, feedforward: 9, " DROPOUTS "}\n"
            "encoder:\n  layers: 2\n  attention:\n"
            "  - {layers: 1, branches: [global, {window: 1}, forward, backward], fusion: sum}\n"
            "decoder:\n  layers: 1\n"
            "  attention: [{layers: 1, branches: [global, {window: 1}], fusion: sum}]\n"},
    {"squeeze", "model: {width: 16, heads: 2, feedforward: 9, " DROPOUTS "}\n"
                "encoder:\n  layers: 2\n  attention:\n"
                "  - {layers: 2, branches: [global, forward, backward, {window: 1}],\n"
                "     fusion: squeeze}\n"
                "decoder:\n  layers: 1\n  attention:\n"
                "  - {layers: 1, branches: [global, {window: 1}], fusion: {squeeze: {r: 2}}}\n"},
    {"squeeze_by_branch",
     "model: {width: 12, heads: 3, feedforward: 9, norm: post, attention_bias: false, " DROPOUTS
     "}\n"
     "encoder:\n  layers: 1\n  attention:\n"
     "  - {layers: 1, branches: [global, {window: 0}, {window: 2}],\n"
     "     fusion: {squeeze: {r: 3, share: branch}}}\n"
     "decoder:\n  layers: 1\n  attention:\n"
     "  - {layers: 1, branches: [{window: 1}, global],\n"
     "     fusion: {squeeze: {r: 4, share: branch}}}\n"},
    {"shortcut_post_norm",
     "model: {width: 12, heads: 2, feedforward: 9, norm: post, share: all, " DROPOUTS "}\n"
     "encoder: {stack: [{san: 1}, {onlstm: {chunk: 6}}, {lstm: {direction: backward}}],\n"
     "          shortcut: true}\ndecoder.layers: 1\n"},
    {"without_biases",
     "model: {width: 12, heads: 2, feedforward: 9, attention_bias: false, " DROPOUTS "}\n"
     "encoder: {layers: 2, attention: [{layers: 2, branches: [global, backward], fusion: "
     "concat}]}\n"
     "decoder:\n  layers: 1\n"
     "  attention: [{layers: 1, branches: [global, {window: 2}], fusion: gate}]\n"},
};

static void gradients_agree(void **state)
{
    const struct variant *variant = *state;
    struct check_subject subject;
    struct finding finding = {0};
    check_open(&subject, cpu_ops(), variant->name, variant->yaml);
    check_gradients(&subject, &finding);
    if (!finding.ok) fail_msg("%s", finding.where);
    check_close(&subject);
}

int main(void)
{
    omp_set_num_threads(1);
    for (size_t i = 0; i < COUNT_OF(variants); i++)
        test_add(0, gradients_agree, &variants[i], "%s", variants[i].name);
    return tests_run();
}
