/* Maps names of options in PyTorch, fairseq, and the trainers of Hugging Face and Lightning to
 * options of sanlab. */
#include "core/config/foreign.h"

#include <string.h>

#include "core/base/base.h"

const struct foreign_option foreign_options[] = {
    {"train.rate", " lr learning_rate "},
    {"train.warmup", " warmup_steps warmup_updates "},
    {"train.batch_tokens", " batch_size max_tokens "},
    {"train.epochs", " max_epoch max_epochs num_epochs num_train_epochs "},
    {"train.steps", " max_steps max_update "},
    {"train.accumulate", " update_freq gradient_accumulation_steps accumulate_grad_batches "},
    {"train.label_smoothing", " smoothing "},
    {"train.clip", " clip_norm max_grad_norm gradient_clip_val "},
    {"train.epsilon", " eps "},
    {"train.precision", " fp16 bf16 "},
    {"model.dropout", " dropout "},
    {"model.relu_dropout", " activation_dropout "},
    {"model.width", " d_model embed_dim hidden_size "},
    {"model.heads", " nhead num_heads num_attention_heads "},
    {"model.feedforward", " d_ff ffn_embed_dim dim_feedforward intermediate_size "},
    {"model.norm", " norm_first "},
    {"encoder.layers", " num_layers encoder_layers num_encoder_layers "},
    {"decoder.layers", " decoder_layers num_decoder_layers "},
    {"corpus.source", " source_lang "},
    {"corpus.target", " target_lang "},
    {"evaluate.bleu.beam", " beam_size num_beams "},
    {"evaluate.bleu.length_penalty", " lenpen "},
    {NULL, NULL},
};

const char *foreign_meant(const char *word)
{
    SCOPED(heap_free) char *whole = heap_print(" %s ", word);
    for (const struct foreign_option *at = foreign_options; at->option; at++)
        if (strstr(at->words, whole)) return at->option;
    return NULL;
}
