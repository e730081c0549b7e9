/* The option schema, assembled from the rows that each room exports: what one point of a grid says,
 * read and checked. */
#ifndef EXPERIMENTS_PLAN_SETTINGS_H
#define EXPERIMENTS_PLAN_SETTINGS_H

#include "core/decode/beam.h"
#include "core/model/options.h"
#include "core/text/prepare.h"
#include "core/train/pace.h"
#include "core/train/translating.h"
#include "probes/gates.h"

/* evaluate.bleu: which text is translated, how, and with which checkpoint. */
struct score_options {
    int split; /* enum split_name */
    const char *checkpoint;
    struct beam_options beam;
};

struct settings {
    struct corpus_options corpus;
    struct translator_options translator;
    struct train_options train;
    bool scored; /* evaluate.bleu was given */
    struct score_options score;
    bool gated; /* evaluate.gates was given */
    struct gates_options gates;
    bool timed; /* evaluate.speed was given */
    struct pace_options pace;
};

/* One bit per section, for what a kind of stage depends on. */
enum settings_part {
    PART_CORPUS = 1,
    PART_MODEL = 2, /* model, encoder and decoder */
    PART_TRAIN = 4,
    PART_SCORE = 8,
    PART_GATES = 16,
    PART_SPEED = 32
};

/* The encoder, whatever model it is a part of. */
static inline const struct encoder_options *settings_encoder(const struct settings *settings)
{
    return &settings->translator.encoder;
}

/* Reads every section of a point's tree; dies at the place of what is wrong. */
void settings_read(struct settings *settings, const struct tree *point, struct arena *arena);
/* The training that they mean, on a corpus. */
struct translating settings_translating(const struct settings *settings, const struct ops *ops,
                                        const struct corpus *corpus, uint32_t seed);
/* The lines of the parts' options that change numbers. */
void settings_canonical(const struct settings *settings, unsigned parts, FILE *out);
/* Names of the parts' sections ("train", "evaluate.bleu"), NULL-terminated. */
const char *const *settings_sections(unsigned parts, struct arena *arena);
/* What options are that nobody sets: {train: {epochs: 10, ..}, ..}. Without those that must be
 * given. */
const struct tree *settings_defaults(struct arena *arena);
/* Those of them that are others for what a point sets (steps alone: {train: {epochs: 0}}), without
 * what it sets itself; NULL: none. */
const struct tree *settings_defaults_beside(struct arena *arena, const struct tree *point);
/* The row of an option ("train.epochs"); NULL: there is none. */
const struct option *settings_option(const char *name);
/* Names of all options ("train.epochs"), ended by NULL. */
const char *const *settings_names(struct arena *arena);
/* Every option of every section. */
void settings_help(FILE *out);

#endif
