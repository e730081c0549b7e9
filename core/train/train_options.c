/* Options of the section `train`. Their defaults are from Vaswani et al. 2017. Options about
 * checkpoints and logging do not affect results, so they are not part of the id. */
#include "core/train/train_options.h"

#include <string.h>

#include "core/config/scalar.h"
#include "core/tensor/ops.h"

#define FIELD(member) offsetof(struct train_options, member)

/* Reads [{dev_loss: 1.9}, {step: 2000}]. */
static void keep_at_read(const struct tree *value, void *field, struct arena *arena)
{
    static const char *const keys[] = {"dev_loss", "step", NULL};
    const int count = value ? value->count : 0;
    if (value && (value->kind != TREE_LIST || count > KEEP_AT_MOST))
        die_at(value->location,
               "train.keep_at: expected a list of at most %d maps, as in "
               "[{dev_loss: 1.9}, {step: 2000}]",
               KEEP_AT_MOST);
    struct checkpoint_at *at = ARENA_ARRAY(arena, struct checkpoint_at, count + 1);
    for (int i = 0; i < count; i++) {
        const struct tree *item = value->item[i];
        tree_only_keys(item, "train.keep_at", keys);
        if (item->count != 1)
            die_at(item->location, "train.keep_at: expected one key in each map: dev_loss or step");
        at[i].by_step = !strcmp(item->key[0]->text, "step");
        at[i].value = at[i].by_step
                          ? scalar_int(item->item[0], "train.keep_at: step", 0, 1e9)
                          : scalar_real(item->item[0], "train.keep_at: dev_loss", 1e-9, 1e9);
    }
    *(struct keep_at *)field = (struct keep_at){count, at};
}
/* The metadata of checkpoints omits the option (json is NULL), so it changes no byte of them. */
static const struct option_custom keep_at_custom = {"list of {dev_loss: NUMBER} and {step: NUMBER}",
                                                    keep_at_read, NULL, NULL};

static const struct option rows[] = {
    OPTION_INT("epochs", FIELD(epochs), "10", 0, 100000, OPTION_ID,
               "passes over the training text; 0 (the default if steps is given): no limit",
               .beside = "steps", .then = "0"),
    OPTION_INT("steps", FIELD(steps), "0", 0, 1e9, OPTION_ID,
               "optimizer steps; 0: no limit; with epochs, the earlier end counts"),
    OPTION_INT("batch_tokens", FIELD(batch_tokens), "4096", 16, 1e7, OPTION_ID,
               "most tokens of a side per optimizer step (there is no padding)"),
    OPTION_INT("batch_pairs", FIELD(batch_pairs), "64", 1, 1e6, OPTION_ID,
               "pairs of statements per optimizer step (task: logic only)"),
    OPTION_INT("accumulate", FIELD(accumulate), "1", 1, 1024, OPTION_ID,
               "micro-batches per optimizer step (less memory, same dropout masks)"),
    OPTION_REAL(
        "rate", FIELD(rate), "1", 0, 1000, OPTION_ID,
        "factor of the learning rate in rate * D^-1/2 * min(s * warmup^-3/2, s^-1/2), s: step; "
        "with another schedule, the highest learning rate"),
    OPTION_INT("warmup", FIELD(warmup), "4000", 1, 1e9, OPTION_ID,
               "steps until the learning rate is highest", .when = "schedule != constant"),
    OPTION_CHOICE(
        "schedule", FIELD(schedule), "rsqrt", "rsqrt|constant|cosine|linear", OPTION_ID,
        "learning rate by step: the formula of train.rate, constantly rate, or rate * s / "
        "warmup and then along half a cosine or a line to floor * rate at the last step"),
    OPTION_REAL("floor", FIELD(floor), "0", 0, 1, OPTION_ID,
                "learning rate at the last step, as a factor of rate",
                .when = "schedule = cosine or schedule = linear"),
    OPTION_CHOICE("loss", FIELD(loss), "mean", "mean|sum", OPTION_ID,
                  "function that is minimized: mean or sum of the losses of a step's target tokens "
                  "(or pairs)"),
    OPTION_REAL("beta1", FIELD(beta1), "0.9", 0, 0.999999, OPTION_ID,
                "decay rate of Adam's first moment"),
    OPTION_REAL("beta2", FIELD(beta2), "0.98", 0, 0.999999, OPTION_ID,
                "decay rate of Adam's second moment"),
    OPTION_REAL("epsilon", FIELD(epsilon), "1e-9", 1e-15, 1, OPTION_ID,
                "constant added to the denominator of Adam's update"),
    OPTION_REAL("label_smoothing", FIELD(label_smoothing), "0.1", 0, 0.9, OPTION_ID,
                "probability mass that is spread over all other words"),
    OPTION_REAL("l2", FIELD(l2), "0", 0, 1, OPTION_ID,
                "coefficient of coupled L2, added to the gradient of every parameter before Adam"),
    OPTION_REAL("weight_decay", FIELD(weight_decay), "0", 0, 100, OPTION_ID,
                "decoupled weight decay, as in AdamW: a step subtracts the learning rate * "
                "weight_decay * x from a parameter x"),
    OPTION_CHOICE("decayed", FIELD(decayed), "all", "all|weights", OPTION_ID,
                  "parameters that weight_decay shrinks: all, or all but biases, gains and other "
                  "vectors and the tables of words",
                  .when = "weight_decay > 0"),
    OPTION_REAL("clip", FIELD(clip), "0", 0, 1e9, OPTION_ID,
                "largest norm of the whole gradient before l2 is added; 0: no clipping"),
    OPTION_CHOICE("precision", FIELD(precision), "fp32", PRECISION_WORDS, OPTION_ID,
                  "precision of activations and products; masters and statistics are fp32 (bf16, "
                  "tf32: GPU or emu)"),
    OPTION_INT("validate_every", FIELD(validate_every), "0", 0, 1e9, OPTION_ID,
               "steps between validations, each with a checkpoint; 0: once per epoch"),
    OPTION_INT("validate_sentences", FIELD(validate_sentences), "0", 0, 1e9, OPTION_ID,
               "sentences of dev, from the first, translated greedily for BLEU; 0: loss only"),
    OPTION_CHOICE(
        "select", FIELD(select), "loss", "loss|bleu", OPTION_ID,
        "dev metric that decides which checkpoint is best (bleu needs validate_sentences above 0)"),
    OPTION_INT("patience", FIELD(patience), "0", 0, 1e6, OPTION_ID,
               "validations without a better one before training stops early; 0: never"),
    OPTION_INT("keep_last", FIELD(keep_last), "2", 2, 1000, OPTION_NO_ID,
               "number of newest checkpoints kept to resume from"),
    OPTION_INT("keep_best", FIELD(keep_best), "5", 1, 1000, OPTION_NO_ID,
               "number of best checkpoints kept, by train.select"),
    OPTION_INT("keep_average", FIELD(keep_average), "5", 1, 1000, OPTION_NO_ID,
               "number of newest validated checkpoints kept for average(N)"),
    OPTION_CUSTOM("keep_at", FIELD(keep_at), "[]", &keep_at_custom, OPTION_NO_ID,
                  "crossings whose two checkpoints are kept for at(..): [{dev_loss: 1.9}, {step: "
                  "2000}]; a grid adds those of its at(..)"),
    OPTION_INT("save_every", FIELD(save_every), "0", 0, 1e9, OPTION_NO_ID,
               "steps between extra checkpoints that only serve to resume; 0: none"),
    OPTION_INT("log_every", FIELD(log_every), "50", 1, 1e9, OPTION_NO_ID,
               "steps between logged values of the training loss"),
};
const struct section train_section = {"train", "optimizer, schedule, validation, checkpoints", rows,
                                      COUNT_OF(rows), sizeof(struct train_options)};

bool train_ends_low(const struct train_options *options)
{
    return options->schedule == SCHEDULE_COSINE || options->schedule == SCHEDULE_LINEAR;
}
