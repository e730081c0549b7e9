/* Options of the section `train`. Defaults are those of Vaswani et al. 2017. Options about stored
 * files and logging do not change numbers, so they are not part of the id. */
#include "core/train/options.h"

#include "core/tensor/ops.h"

#define FIELD(member) offsetof(struct train_options, member)

static const struct option rows[] = {
    ROW_INT("epochs", FIELD(epochs), "10", 0, 100000, OPTION_ID,
            "passes over the training text; 0, or steps given alone: steps decide",
            .beside = "steps", .then = "0"),
    ROW_INT("steps", FIELD(steps), "0", 0, 1e9, OPTION_ID,
            "optimizer steps; 0: epochs decide; both: what ends first"),
    ROW_INT("batch_tokens", FIELD(batch_tokens), "4096", 16, 1e7, OPTION_ID,
            "real tokens of the larger side per optimizer step"),
    ROW_INT("batch_pairs", FIELD(batch_pairs), "64", 1, 1e6, OPTION_ID,
            "pairs of statements per optimizer step (task: logic)"),
    ROW_INT("accumulate", FIELD(accumulate), "1", 1, 1024, OPTION_ID,
            "micro-batches that a step is computed in (less memory, the same masks)"),
    ROW_REAL("rate", FIELD(rate), "1", 0, 1000, OPTION_ID,
             "factor of the schedule rate * D^-1/2 * min(s * warmup^-3/2, s^-1/2)"),
    ROW_INT("warmup", FIELD(warmup), "4000", 1, 1e9, OPTION_ID, "steps until the rate is highest",
            .when = "schedule = rsqrt"),
    ROW_CHOICE("schedule", FIELD(schedule), "rsqrt", "rsqrt|constant", OPTION_ID,
               "rsqrt: as rate says; constant: the rate itself, at every step"),
    ROW_CHOICE(
        "loss", FIELD(loss), "mean", "mean|sum", OPTION_ID,
        "what gradients are of: the mean over a step's target tokens (or pairs), or the sum"),
    ROW_REAL("beta1", FIELD(beta1), "0.9", 0, 0.999999, OPTION_ID, "of Adam"),
    ROW_REAL("beta2", FIELD(beta2), "0.98", 0, 0.999999, OPTION_ID, "of Adam"),
    ROW_REAL("epsilon", FIELD(epsilon), "1e-9", 1e-15, 1, OPTION_ID, "of Adam"),
    ROW_REAL("label_smoothing", FIELD(label_smoothing), "0.1", 0, 0.9, OPTION_ID,
             "probability that is spread over all other words"),
    ROW_REAL("l2", FIELD(l2), "0", 0, 1, OPTION_ID, "coupled L2 of every parameter, through Adam"),
    ROW_REAL("clip", FIELD(clip), "0", 0, 1e9, OPTION_ID,
             "largest norm of the whole gradient, to which l2 is added afterwards; 0: no clipping"),
    ROW_CHOICE(
        "precision", FIELD(precision), "fp32", PRECISION_WORDS, OPTION_ID,
        "of activations and products; masters and statistics are fp32 (bf16, tf32: a GPU, emu)"),
    ROW_INT("validate_every", FIELD(validate_every), "0", 0, 1e9, OPTION_ID,
            "steps between validations (each saves a checkpoint); 0: once an epoch"),
    ROW_INT("validate_sentences", FIELD(validate_sentences), "0", 0, 1e9, OPTION_ID,
            "first sentences of dev that are translated greedily for BLEU; 0: loss only"),
    ROW_CHOICE("select", FIELD(select), "loss", "loss|bleu", OPTION_ID,
               "what the best checkpoint is best in"),
    ROW_INT("patience", FIELD(patience), "0", 0, 1e6, OPTION_ID,
            "early stopping: after so many validations without a better one; 0: never"),
    ROW_INT("keep_last", FIELD(keep_last), "2", 2, 1000, OPTION_NO_ID,
            "newest checkpoints that training can go on from; older ones are removed"),
    ROW_INT("keep_best", FIELD(keep_best), "5", 1, 1000, OPTION_NO_ID,
            "best checkpoints that are kept; the others are removed"),
    ROW_INT("keep_average", FIELD(keep_average), "5", 1, 1000, OPTION_NO_ID,
            "newest checkpoints that are kept for average(N)"),
    ROW_INT("save_every", FIELD(save_every), "0", 0, 1e9, OPTION_NO_ID,
            "steps between further checkpoints that only serve to continue; 0: none"),
    ROW_INT("log_every", FIELD(log_every), "50", 1, 1e9, OPTION_NO_ID,
            "steps between rows of the training loss"),
};
const struct section train_section = {"train", "optimizer, schedule, validation, checkpoints", rows,
                                      COUNT_OF(rows), sizeof(struct train_options)};
