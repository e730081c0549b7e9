#!/usr/bin/env python3
"""Speed of another program's BPE: learning 8,000 merges, and applying them to words separated by blanks.

    bench_bpe.py subword_nmt|tokenizers|sentencepiece FILE.."""

import io
import itertools
import sys
import tempfile
import time

MERGES = 8000


def subword_nmt(lines):
    from subword_nmt.apply_bpe import BPE
    from subword_nmt.learn_bpe import learn_bpe
    codes = io.StringIO()
    learn_bpe(lines, codes, MERGES)
    applied = BPE(io.StringIO(codes.getvalue()))
    return lambda text: [applied.process_line(line) for line in text]


def tokenizers(lines):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    found = Tokenizer(models.BPE(unk_token="<unk>"))
    found.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    alphabet = len(set(itertools.chain(*lines)))
    found.train_from_iterator(lines, trainers.BpeTrainer(
        vocab_size=MERGES + alphabet, special_tokens=["<unk>"], show_progress=False))
    return found.encode_batch


def sentencepiece(lines):
    import sentencepiece
    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines), model_prefix=f"{folder}/m", model_type="bpe", vocab_size=MERGES,
            minloglevel=2, num_threads=1)
        found = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/m.model")
    return lambda text: found.encode(text, out_type=str)


def main():
    package, *files = sys.argv[1:]
    lines = [line.rstrip("\n") for file in files for line in open(file, encoding="utf-8")]
    begin = time.perf_counter()
    apply = globals()[package](lines)
    print(f"learning {time.perf_counter() - begin:.3f}")
    sample = lines[::20] if package == "subword_nmt" else lines
    begin = time.perf_counter()
    apply(sample)
    words = sum(len(line.split()) for line in sample)
    print(f"applying {words / (time.perf_counter() - begin) / 1e6:.3f}")


if __name__ == "__main__":
    main()
