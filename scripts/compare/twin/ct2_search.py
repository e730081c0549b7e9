#!/usr/bin/env python3
"""Speed of CTranslate2's search with the weights of a Transformer of ours: greedy and with a beam,
on the test sentences of a prepared corpus, on the CPU. Two rates, counted as `sanlab-dev bench
search` counts them:

    tokens/s    of best hypotheses, with <eos>
    expanded/s  hypotheses that a step extends: rows of the decoder, whatever becomes of them

Its search stops by another rule (as soon as `beam` hypotheses have ended), so that with a beam
only the second compares the programs and not the rules. It is counted exactly: a sentence's search
takes as many steps as its longest hypothesis has tokens, one row in the first of them and `beam`
in the others.

Words are their ids here, so nothing depends on the text. Options stand in the metadata of
model.safetensors (core/model/checkpoint.h); what CTranslate2 has no equation for is refused."""

import argparse
import json
import math
import sys
import tempfile
import time
from pathlib import Path

import ctranslate2
import numpy as np

import corpus

EOS, UNKNOWN, START = "1", "2", "0"  # ids; a decoder starts from a row of zeros, here that of <pad>
LENGTH_PENALTY, EXTRA = 0.6, 50


def read_model(path):
    """Returns the float32 tensors of a safetensors file, and the options of its training."""
    data = Path(path).read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:begin])
    options = json.loads(header.pop("__metadata__")["options"])
    return {name: np.frombuffer(data, "<f4", math.prod(t["shape"]), begin + t["data_offsets"][0])
            .reshape(t["shape"]) for name, t in header.items()}, options


def refuse(path, options):
    """Exits with the first option that CTranslate2's Transformer does not support."""
    encoder, decoder = options["encoder"], options["decoder"]
    plain = {"branches": ["global"], "terms": []}
    entries = [*encoder["attention"], *decoder["attention"], *decoder["cross"]]
    for what, fits in (("model.norm", options["model"]["norm"] in ("pre", "post")),
                       ("encoder.stack", all([*layer] == ["san"] for layer in encoder["stack"])),
                       ("encoder.shortcut", not encoder["shortcut"]),
                       ("attention", all(entry.get(key) == value for entry in entries
                                         for key, value in plain.items()))):
        if not fits:
            sys.exit(f"{path}: {what} is not a plain Transformer's; CTranslate2 has no such layer")


def waves(kind, D, timescale=10000):
    """Returns [1024, D]: sines and cosines, in halves or interleaved; zeros without positions."""
    k, turns = np.arange(D // 2), kind == "interleaved"
    angle = np.arange(1024)[:, None] * float(timescale) ** (-k / (D // 2 if turns
                                                                  else max(D // 2 - 1, 1)))
    both = np.sin(angle), np.cos(angle)
    at = np.stack(both, axis=2).reshape(1024, D) if turns else np.concatenate(both, axis=1)
    return (at * (kind != "none")).astype(np.float32)


class Converter:
    """Converts weights to CTranslate2's specification of a Transformer."""

    def __init__(self, tensors, options):
        self.tensors, self.options = tensors, options
        self.D = options["model"]["width"]

    def linear(self, layer, path):
        """Transposes W [K, N] to CTranslate2's [N, K]."""
        layer.weight = np.ascontiguousarray(self.tensors[path + ".weight"].T)
        layer.bias = self.tensors.get(path + ".bias", np.zeros(len(layer.weight), np.float32))

    def norm(self, layer, path):
        layer.gamma, layer.beta = self.tensors[path + ".gain"], self.tensors[path + ".offset"]

    def attention(self, layer, path, names):
        self.norm(layer.layer_norm, path + ".norm")
        for linear, name in zip(layer.linear, names):
            self.linear(linear, f"{path}.{name}")

    def feedforward(self, layer, path):
        self.norm(layer.layer_norm, path + ".norm")
        self.linear(layer.linear_0, path + ".inner")
        self.linear(layer.linear_1, path + ".outer")

    def table(self, name):
        """Returns a table. With share: target, target and softmax share it; with share: all, all tables do."""
        shared = "target.embedding" if name == "target.softmax" else name
        for path in (name, shared, "embedding"):
            if path in self.tensors:
                return self.tensors[path]
        sys.exit(f"there is no tensor {name}")

    def convert(self):
        encoder, decoder = self.options["encoder"], self.options["decoder"]
        model, pre = self.options["model"], self.options["model"]["norm"] == "pre"
        spec = ctranslate2.specs.TransformerSpec.from_config(
            (encoder["layers"], decoder["layers"]), model["heads"], pre_norm=pre)
        tables = [self.table(f"{name}") for name in ("source.embedding", "target.embedding")]
        wave = waves(encoder["position"], self.D, encoder["timescale"])
        if model["source_bias"]:
            wave = wave + self.tensors["encoder.bias"]
        tables[1] = tables[1].copy()
        tables[1][int(START)] = 0
        spec.encoder.embeddings[0].weight, spec.decoder.embeddings.weight = tables
        spec.encoder.scale_embeddings = spec.decoder.scale_embeddings = True
        spec.encoder.position_encodings.encodings = wave
        spec.decoder.position_encodings.encodings = waves(decoder["position"], self.D)
        spec.decoder.projection.weight = self.table("target.softmax")
        for l, layer in enumerate(spec.encoder.layer, 1):
            self.attention(layer.self_attention, f"encoder.{l}.attention", ["qkv", "output"])
            self.feedforward(layer.ffn, f"encoder.{l}.feedforward")
        for l, layer in enumerate(spec.decoder.layer, 1):
            self.attention(layer.self_attention, f"decoder.{l}.attention", ["qkv", "output"])
            self.attention(layer.attention, f"decoder.{l}.cross", ["query", "keyvalue", "output"])
            self.feedforward(layer.ffn, f"decoder.{l}.feedforward")
        if pre:
            self.norm(spec.encoder.layer_norm, "encoder.norm")
            self.norm(spec.decoder.layer_norm, "decoder.norm")
        spec.register_source_vocabulary([str(i) for i in range(len(tables[0]))])
        spec.register_target_vocabulary([str(i) for i in range(len(tables[1]))])
        spec.config.layer_norm_epsilon = 1e-6
        spec.config.add_source_eos = spec.config.add_source_bos = False
        spec.config.eos_token, spec.config.unk_token = EOS, UNKNOWN
        spec.config.bos_token = spec.config.decoder_start_token = START
        spec.validate()
        return spec


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="folder of a prepared corpus")
    parser.add_argument("weights", help="model.safetensors of a Transformer of ours")
    parser.add_argument("--sentences", type=int, default=256, help="first ones of the test split")
    parser.add_argument("--beam", type=int, default=4, help="1: greedy")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--compute", default="float32", help="type of the products, such as int8")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="of each worker")
    parser.add_argument("--cpu-time", action="store_true", help="processor time instead of wall time")
    parser.add_argument("--hypotheses", help="file for the ids that were found")
    a = parser.parse_args()
    clock = time.process_time if a.cpu_time else time.perf_counter
    tensors, options = read_model(a.weights)
    refuse(a.weights, options)
    with tempfile.TemporaryDirectory() as folder:
        Converter(tensors, options).convert().save(folder)
        translator = ctranslate2.Translator(folder, device="cpu", compute_type=a.compute,
                                            inter_threads=a.workers, intra_threads=a.threads)
    test = corpus.Split(f"{a.corpus}/test.shard")
    sentences = range(min(a.sentences, test.sentences))
    source = [[str(i) for i in test.ids(corpus.SOURCE, s)] for s in sentences]
    most = max(map(len, source)) + EXTRA

    def translate(source, hypotheses):
        return translator.translate_batch(
            source, beam_size=a.beam, num_hypotheses=hypotheses, length_penalty=LENGTH_PENALTY,
            max_batch_size=a.batch, max_decoding_length=most)

    def steps(hypotheses):
        return min(max(map(len, hypotheses)) + 1, most)

    translate(source[:a.batch], 1)
    seconds = []
    for _ in range(a.rounds):
        begin = clock()
        found = translate(source, 1)
        seconds.append(clock() - begin)
    tokens = sum(steps(result.hypotheses[:1]) for result in found)
    every = found if a.beam == 1 else translate(source, a.beam)
    expanded = sum(1 + a.beam * (steps(result.hypotheses) - 1) for result in every)
    median = float(np.median(seconds))
    print(f"target tokens/s {tokens / median:.0f} expanded/s {expanded / median:.0f} "
          f"(CTranslate2 {ctranslate2.__version__} {a.compute}, {a.workers} workers of {a.threads} "
          f"threads, beam {a.beam}, {len(source)} sentences, {tokens} tokens, {expanded} expanded, "
          f"{median:.2f} s)")
    if a.hypotheses:
        Path(a.hypotheses).write_text("".join(
            " ".join([*result.hypotheses[0], EOS][:most]) + "\n" for result in found))


if __name__ == "__main__":
    main()
