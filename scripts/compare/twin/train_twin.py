#!/usr/bin/env python3
"""Trains preset `small` in PyTorch on the same subwords and batches as the C program, and prints
what the C program's validation should be near at equal steps: losses on the dev split per target
token, plain (smoothing 0) and smoothed, and target tokens per second of training."""

import itertools
import time

import torch

import corpus
import model


@torch.no_grad()
def validate(translator, split, smoothing):
    """Returns the loss per target token: (plain, smoothed)."""
    translator.training = False
    total, tokens = [0.0, 0.0], 0
    for sentences in corpus.cut(split, range(split.sentences), 4096):
        sides = [split.padded(side, sentences) for side in (corpus.SOURCE, corpus.TARGET)]
        for i, value in enumerate((0.0, smoothing)):
            loss, count = translator.loss(*sides, value)
            total[i] += loss.item()
        tokens += count
    translator.training = True
    return total[0] / tokens, total[1] / tokens


def main():
    parser = model.arguments(__doc__)
    parser.add_argument("--validate-every", type=int, default=100, help="steps")
    arguments = parser.parse_args()
    trainer = model.Trainer(arguments)
    dev = corpus.Split(f"{arguments.corpus}/dev.shard")
    print(f"# PyTorch {torch.__version__}, fp32, eager, {arguments.threads} threads")
    print("step\ttrain_loss\tdev_loss_plain\tdev_loss_smoothed\ttarget_tokens_per_s", flush=True)
    tokens, seconds, total = 0, 0.0, 0.0
    for number, sentences in enumerate(itertools.islice(trainer.batches(), arguments.steps)):
        begin = time.perf_counter()
        loss, count = trainer.step(number, sentences)
        seconds += time.perf_counter() - begin
        total, tokens = total + loss * count, tokens + count
        if (number + 1) % arguments.validate_every == 0 or number + 1 == arguments.steps:
            plain, smoothed = validate(trainer.model, dev, arguments.label_smoothing)
            print(f"{number + 1}\t{total / tokens:.5f}\t{plain:.5f}\t{smoothed:.5f}"
                  f"\t{tokens / seconds:.0f}", flush=True)
            tokens, seconds, total = 0, 0.0, 0.0


if __name__ == "__main__":
    main()
