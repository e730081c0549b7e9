#!/usr/bin/env python3
"""Speed of training a preset in PyTorch, eager and fp32, on the batches that the C program
packs, padded here: real target tokens per second after a few steps to warm up."""

import itertools
import time

import torch

import model


def main():
    parser = model.arguments(__doc__)
    parser.add_argument("--warm", type=int, default=5, help="steps before the clock starts")
    parser.add_argument("--cpu-time", action="store_true", help="processor time, of one thread")
    parser.set_defaults(steps=20)
    arguments = parser.parse_args()
    trainer = model.Trainer(arguments)
    model.print_products()
    batches = list(itertools.islice(trainer.batches(), arguments.warm + arguments.steps))
    clock = time.process_time if arguments.cpu_time else time.perf_counter
    tokens = 0
    for number, sentences in enumerate(batches):
        if number == arguments.warm:
            begin = clock()
        count = trainer.step(number, sentences)[1]
        tokens += count if number >= arguments.warm else 0
    seconds = clock() - begin
    print(f"target tokens/s {tokens / seconds:.0f} (PyTorch {torch.__version__} eager fp32, "
          f"{arguments.threads} threads, {arguments.steps} steps of at most "
          f"{arguments.batch_tokens} tokens, {seconds:.2f} s)")


if __name__ == "__main__":
    main()
