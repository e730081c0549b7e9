/* Option names of PyTorch, fairseq, and the trainers of Hugging Face and Lightning. */
#include "core/config/foreign.h"

#include <stddef.h>
#include <string.h>

const struct foreign_word foreign_words[] = {
    {"lr", "train.rate"},
    {"learning_rate", "train.rate"},
    {"warmup_steps", "train.warmup"},
    {"warmup_updates", "train.warmup"},
    {"batch_size", "train.batch_tokens"},
    {"max_tokens", "train.batch_tokens"},
    {"max_epoch", "train.epochs"},
    {"max_epochs", "train.epochs"},
    {"num_epochs", "train.epochs"},
    {"num_train_epochs", "train.epochs"},
    {"max_steps", "train.steps"},
    {"max_update", "train.steps"},
    {"update_freq", "train.accumulate"},
    {"gradient_accumulation_steps", "train.accumulate"},
    {"accumulate_grad_batches", "train.accumulate"},
    {"smoothing", "train.label_smoothing"},
    {"weight_decay", "train.l2"},
    {"clip_norm", "train.clip"},
    {"max_grad_norm", "train.clip"},
    {"gradient_clip_val", "train.clip"},
    {"eps", "train.epsilon"},
    {"fp16", "train.precision"},
    {"bf16", "train.precision"},
    {"dropout", "model.dropout"},
    {"activation_dropout", "model.relu_dropout"},
    {"d_model", "model.width"},
    {"embed_dim", "model.width"},
    {"hidden_size", "model.width"},
    {"nhead", "model.heads"},
    {"num_heads", "model.heads"},
    {"num_attention_heads", "model.heads"},
    {"d_ff", "model.feedforward"},
    {"ffn_embed_dim", "model.feedforward"},
    {"dim_feedforward", "model.feedforward"},
    {"intermediate_size", "model.feedforward"},
    {"norm_first", "model.norm"},
    {"num_layers", "encoder.layers"},
    {"encoder_layers", "encoder.layers"},
    {"num_encoder_layers", "encoder.layers"},
    {"decoder_layers", "decoder.layers"},
    {"num_decoder_layers", "decoder.layers"},
    {"source_lang", "corpus.source"},
    {"target_lang", "corpus.target"},
    {"beam_size", "evaluate.bleu.beam"},
    {"num_beams", "evaluate.bleu.beam"},
    {"lenpen", "evaluate.bleu.length_penalty"},
    {NULL, NULL},
};

const char *foreign_meant(const char *word)
{
    for (const struct foreign_word *at = foreign_words; at->word; at++)
        if (!strcmp(at->word, word)) return at->option;
    return NULL;
}
