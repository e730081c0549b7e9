#!/usr/bin/env python3
"""Writes the vectors of all layers of an encoder of Hugging Face, for rows `vectors: DIR` of a grid:

    examples/hf/layers.py MODEL DIR [TASK=FILE..]

MODEL is a name or a folder. Without TASK=FILE, the tasks are the ten of SentEval, in $SANLAB_DATA or data/. FILE has a
line for each sentence or single word. The text follows the last tab, as in SentEval's files. The vector of a sentence
is the mean over its tokens, special ones included.

    DIR/encoder.3/TASK.npy         layer 3
    DIR/encoder.3@start/TASK.npy   layer 3 of the same model with random weights: the control `start`
    DIR/bag/TASK.npy               embeddings of the tokens, without positions: the control `bag`"""

import os
import re
import sys
from pathlib import Path

import torch
from transformers import AutoConfig, AutoModel, AutoTokenizer

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import sanlab  # noqa: E402


def senteval():
    """Returns [(name, file)] of the ten tasks."""
    text = (ROOT / "experiments/tasks/senteval.yaml").read_text(encoding="utf-8")
    data = Path(os.environ.get("SANLAB_DATA", "data"))
    return [(name, data / file) for name, file in re.findall(r"name: (\w+), file: ([^,]+)", text)]


@torch.no_grad()
def views(model, tokenizer, sentences):
    """Returns the mean vectors [sentences, width] of the embeddings (index 0) and of each layer.

    Embeddings may have another width than layers."""
    order, parts = sorted(range(len(sentences)), key=lambda i: len(sentences[i])), []
    for at in range(0, len(order), 64):  # batches of similar length
        batch = tokenizer([sentences[i] for i in order[at:at + 64]], return_tensors="pt", padding=True, truncation=True)
        states = model(**batch, output_hidden_states=True).hidden_states[1:]
        mask = batch["attention_mask"].unsqueeze(-1).float()
        states = [model.get_input_embeddings()(batch["input_ids"]), *states]
        parts.append([(state.float() * mask).sum(1) / mask.sum(1) for state in states])
    return [torch.cat(view)[torch.tensor(order).argsort()].numpy() for view in zip(*parts)]


def main(name, folder, *tasks):
    tokenizer, config = AutoTokenizer.from_pretrained(name), AutoConfig.from_pretrained(name)
    torch.manual_seed(1)
    for suffix, model in ("", AutoModel.from_pretrained(name)), ("@start", AutoModel.from_config(config)):
        model = (model.get_encoder() if config.is_encoder_decoder else model).eval()
        for task, file in [word.split("=", 1) for word in tasks] or senteval():
            with open(file, encoding="utf-8") as lines:
                sentences = [line.rstrip().rsplit("\t", 1)[-1] for line in lines]
            for layer, array in enumerate(views(model, tokenizer, sentences)):
                if layer or not suffix:
                    sanlab.write_vectors(folder, {task: array}, layer=f"encoder.{layer}{suffix}" if layer else "bag")


main(*sys.argv[1:])
