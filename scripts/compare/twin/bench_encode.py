#!/usr/bin/env python3
"""Speed of encoding sentences in PyTorch, eager and fp32: the mean of the encoder's output over the words of each
source sentence of the training split. Sentences are sorted by length. Reading and subwords are not measured."""

import time

import torch

import corpus
import model


@torch.inference_mode()
def main():
    parser = model.arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=20000)
    a = parser.parse_args()
    trainer = model.Trainer(a)
    model.print_products()
    translator, train = trainer.model, trainer.train
    translator.training = False
    lengths = train.length[corpus.SOURCE]
    order = sorted(range(min(a.sentences, train.sentences)), key=lambda s: lengths[s])
    batches = corpus.cut(train, order, a.batch_tokens)
    vectors = []
    for number, sentences in enumerate([batches[0], batches[-1], *batches]):
        if number == 2:
            begin = time.perf_counter()
        source = train.padded(corpus.SOURCE, sentences)
        output, mask = translator.encode(source)
        mask = mask[:, 0, 0, :, None].float()
        vectors.append((output * mask).sum(1) / mask.sum(1))
    seconds = time.perf_counter() - begin
    print(f"encoded in {seconds:.3f} s (PyTorch {torch.__version__} eager fp32, {a.threads} threads, "
          f"{len(order)} sentences, {len(batches)} batches)")


if __name__ == "__main__":
    main()
