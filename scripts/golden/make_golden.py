#!/usr/bin/env python3
"""Writes tests/golden/*.safetensors: results of small translators in PyTorch, in float64.

    python3 scripts/golden/make_golden.py [FOLDER]      needs torch and numpy

The tests of the C code compare with these files and need neither. pairs.safetensors has a classifier
of pairs (pairs.py). Contents of every other file:

    source.token, source.start, target.token, target.start   I32, five sentences, packed
    micro.sentences       I32, sentences in each micro-batch of an optimizer step
    encoder.output        [T, D] without dropout
    output.PATH           [T, heads] centers and windows of Gaussian terms, [T, units] master gates
                          of ON-LSTM, without dropout
    loss                  per target token, label-smoothed, without dropout
    gradient.PATH         of that loss, every parameter
    moments.PATH          [2] sum and sum of squares of the initial parameter
    parameter.PATH        the initial parameter itself (some files only)
    training.loss         [10] losses of steps 0..9 on the same sentences, dropout on
    training.norm         [10] norms of their gradients, before clipping and L2
    trained.moments.PATH  [2] of the parameter after the ten steps
    trained.sum           [1] sum of all parameters after the ten steps
    hypothesis.token, hypothesis.start, hypothesis.score     beam search after the ten steps, where
                          the configuration has a section `beam`: hypothesis k of sentence b is
                          number b * beam + k, best first, each with its <eos>; any id may be
                          generated, <pad> and <unk> as well

Possible agreement of another float64 program: a relative change of 1e-13 in an initial value changes
losses and gradients by at most 1e-12, and the parameters after ten steps by 1e-8 (gradients of key
biases are zero up to rounding, since softmax ignores a constant; Adam amplifies the rounding)."""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import torch

import pairs
import philox
from translator import Adam, AdamW, Translator, beam_search

STEPS = 10
SOURCE_LENGTHS, TARGET_LENGTHS = [5, 1, 9, 3, 6], [4, 2, 1, 9, 7]  # with <eos>


def case(seed, sizes, model, attention=(), train=None, micro=(5,), beam=None, encoder=None,
         decoder=None):
    options = {
        "model": {"width": 16, "heads": 4, "feedforward": 24, "norm": "pre", "share": "none",
                  "source_bias": False, "dropout": 0.1, "attention_dropout": 0.2,
                  "relu_dropout": 0.15} | model,
        "encoder": {"layers": 2, "position": "sinusoid"} | (encoder or {}),
        "decoder": {"layers": 2, "position": "sinusoid"} | (decoder or {}),
        "train": {"rate": 0.5, "beta1": 0.9, "beta2": 0.98, "epsilon": 1e-9, "warmup": 4,
                  "label_smoothing": 0.1, "l2": 0.0, "clip": 0.0} | (train or {}),
    }
    if attention:
        options["encoder"]["attention"] = list(attention)
    if beam:
        options["beam"] = beam
    return {"seed": seed, "sizes": sizes, "options": options, "micro": list(micro)}


def entry(layers, *terms, **others):
    return {"layers": layers} | others | ({"terms": list(terms)} if terms else {})


def gauss(center, window, **others):
    return {"gauss": {"center": center, "window": window} | others}


def small(seed, sizes, layers, encoder=(), decoder=(), cross=(), model=None, position="sinusoid",
          **others):
    """Width 12, 2 heads; lists of attention entries for the three places."""
    stack = {"position": position}
    places = {name: list(entries) for name, entries in (("attention", decoder), ("cross", cross))
              if entries}
    return case(seed, sizes, {"width": 12, "heads": 2, "feedforward": 16} | (model or {}), encoder,
                beam=BEAM, encoder=stack | {"layers": layers[0]},
                decoder=stack | {"layers": layers[1]} | places, **others)


BEAM = {"beam": 4, "length_penalty": 0.6, "extra": 8}
HYBRID = ["global", {"window": 1}]
HYSAN, HYSAN_DECODER = ["global", "forward", "backward", {"window": 2}], ["global", {"window": 2}]
LOCALNESS = ["localness", {"relpos": 2}]
PRINTED = {"localness": {"scaling": "paper_from_1", "bias": False}}
AFTER_2017 = {"rate": 0.02, "warmup": 3, "weight_decay": 0.5}
CASES = {
    "base": case(10, (29, 31), {"width": 12, "heads": 2, "feedforward": 16, "source_bias": True},
                 train={"rate": 0.6}, beam=BEAM),
    "post_norm": case(2, (30, 30), {"norm": "post", "share": "all", "relu_dropout": 0.0},
                      train={"rate": 0.2, "l2": 1e-3}, micro=(3, 2)),
    "gate": case(9, (28, 33), {"dropout": 0.3},
                 [{"layers": "1", "branches": HYBRID, "fusion": "gate"}],
                 train={"rate": 0.6, "clip": 0.5}, micro=(3, 2), beam=BEAM),
    "gate_input": case(70000, (31, 27), {"heads": 2, "source_bias": True},
                       [{"layers": "1-2", "branches": HYBRID,
                         "fusion": {"gate": {"source": "input"}}}],
                       train={"label_smoothing": 0.0, "l2": 1e-4, "clip": 1.0}),
    "concat": case(4000000005, (32, 30), {"share": "target", "attention_dropout": 0.1},
                   [{"layers": "1", "branches": ["global", {"window": 2}], "fusion": "concat"},
                    {"layers": "2", "branches": [{"window": 1}]}]),
    # Yang et al. 2018, with Shaw's relative positions.
    "localness": small(11, (21, 20), (2, 2), [entry("1", *LOCALNESS)], [entry("1-2", *LOCALNESS)],
                       train={"rate": 0.6}, micro=(3, 2)),
    "localness_cross": small(12, (17, 18), (1, 1), cross=[entry("1", *LOCALNESS)]),
    "gauss_layer": small(13, (17, 16), (1, 1), *3 * [[entry("1", gauss("query", "layer"))]]),
    "gauss_head": small(14, (16, 17), (2, 2),
                        [entry("1", gauss("query", "head")), entry("2", "neighbor_sigma")],
                        [entry("1", "neighbor_sigma"), entry("2", gauss("query", "head"))]),
    "gauss_paper": small(215, (17, 16), (1, 1),
                         *3 * [[entry("1", gauss("query", "query", scaling="paper"))]]),
    "gauss_cut": small(16, (16, 18), (1, 1),
                       *3 * [[entry("1", gauss("query", {"fixed": 2}, hard_cut=True))]]),
    # Yang et al.'s equations as printed, Song et al.'s positions.
    "equations": small(22, (17, 19), (2, 2),
                       *3 * [[entry("1", PRINTED), entry("2", gauss("query", "layer", bias=False))]],
                       position="interleaved", model={"attention_bias": False}),
    # Rows without a key within D of P: next to a window; target words after the end of the source.
    "gauss_beside": small(21, (17, 18), (1, 1),
                          *2 * [[entry("1", gauss("query", {"fixed": 1}, hard_cut=True),
                                       branches=HYBRID, fusion="concat")]],
                          [entry("1", gauss("self", {"fixed": 1.5}, heads=1, hard_cut=True))]),
    # A subset of heads, a separate hidden width, two branches under one term.
    "gauss_heads": small(17, (18, 16), (2, 1),
                         [entry("1", {"local_h": {"heads": 1}}),
                          entry("2", gauss("self", "layer", heads=1))],
                         [entry("1", {"neighbor": {"heads": 1, "hidden": 5}}, branches=HYBRID,
                                fusion="concat")]),
    # Xu et al. 2019: the local branch without dropout, as in the released code. The other two forms of
    # the gate. Relative positions for keys only or values only.
    "hybrid": small(118, (17, 18), (1, 1),
                    [entry("1", {"relpos": {"k": 1, "values": False}},
                           branches=["global", {"window": 1, "dropout": False}],
                           fusion={"gate": {"source": "input", "heads": "each"}})],
                    [entry("1", {"relpos": {"k": 3, "keys": False}},
                           branches=["global", {"window": 2}],
                           fusion={"gate": {"source": "query", "heads": "one"}})]),
    # Song et al. 2018, e1: squeeze gates shared by a block's branches, and one for each. Then follows the
    # sum in T2T's model, without biases of attention and without positions.
    "hysan": small(19, (20, 21), (2, 2),
                   [entry("1-2", branches=HYSAN, fusion={"squeeze": 4})],
                   [entry("1", branches=HYSAN_DECODER, fusion={"squeeze": 4}),
                    entry("2", branches=HYSAN_DECODER,
                          fusion={"squeeze": {"r": 4, "share": "branch"}})],
                   train={"rate": 0.6}, micro=(3, 2)),
    "hysan_sum": small(120, (19, 19), (1, 1), [entry("1", branches=HYSAN, fusion="sum")],
                       [entry("1", branches=HYSAN_DECODER, fusion="sum")], position="none",
                       model={"share": "all", "attention_bias": False, "zero_bias": True}),
    # Hao et al. 2019: attention on ON-LSTM with the short-cut connection; then one direction without
    # projection, chunks, and the hybrid gate on top.
    "shortcut": case(23, (20, 19), {"width": 8, "heads": 2, "feedforward": 12},
                     encoder={"layers": 4, "stack": [{"onlstm": 2}, {"san": 2}], "shortcut": True},
                     decoder={"layers": 1}, train={"rate": 0.6}, micro=(3, 2), beam=BEAM),
    "recurrent_post_norm": case(24, (19, 21), {"width": 12, "heads": 2, "feedforward": 16,
                                               "norm": "post"},
                                [{"layers": "3", "branches": HYBRID, "fusion": "gate"}],
                                encoder={"layers": 3, "stack": [
                                    {"lstm": {"layers": 1, "direction": "forward"}},
                                    {"onlstm": {"layers": 1, "chunk": 4}}, {"san": 1}]},
                                decoder={"layers": 1}, train={"rate": 0.4}, micro=(2, 3),
                                beam=BEAM),
    # Rotary positions below predicted windows, a gate and relative positions; T5's buckets, shared by two
    # layers, and one-sided.
    "rope": small(27, (19, 20), (2, 2),
                  [entry("1", {"rope": {}}, "localness", branches=HYBRID, fusion="gate"),
                   entry("2", {"rope": {"pairs": "halves", "base": 100}})],
                  [entry("1", {"rope": {}}, gauss("query", "layer"), {"relpos": 2}),
                   entry("2", {"rope": {"share": 2 / 3}})], position="none", train={"rate": 0.2}),
    "t5": small(28, (20, 19), (2, 2), [entry("1-2", {"t5": {"buckets": 8, "distance": 5}})],
                [entry("1", {"t5": {"buckets": 8, "distance": 6}}),
                 entry("2", {"t5": {"buckets": 12, "distance": 7, "table": "layer"}}, "rope")],
                position="none"),
    # AdamW and schedules that end low, by PyTorch's own classes.
    "cosine": case(25, (18, 19), {"width": 12, "heads": 2, "feedforward": 16},
                   train=AFTER_2017 | {"schedule": "cosine", "floor": 0.1, "decayed": "all"}),
    "linear": case(26, (19, 18), {"width": 12, "heads": 2, "feedforward": 16, "share": "target"},
                   train=AFTER_2017 | {"schedule": "linear", "floor": 0.0, "decayed": "weights"}),
}
STORED = ["base", "localness", "hysan"]  # these files have their initial parameters


def yaml(value, top=True):
    """Returns a configuration as YAML, one section per line."""
    if isinstance(value, dict):
        pairs = [f"{key}: {yaml(item, top=False)}" for key, item in value.items()]
        return "\n".join(pairs) + "\n" if top else "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(yaml(item, top=False) for item in value) + "]"
    if isinstance(value, str) and value[0].isdigit():
        return f'"{value}"'
    return str(value).lower().replace("e-0", "e-")


def write_safetensors(path, tensors, metadata):
    """Writes u64 length of the header, JSON header and data; little-endian. F64 precedes I32, so that
    all data is aligned."""
    header, data = {"__metadata__": metadata}, b""
    for name, value in sorted(tensors.items(), key=lambda item: item[1].dtype.kind != "f"):
        kind, layout = ("F64", "<f8") if value.dtype.kind == "f" else ("I32", "<i4")
        raw = value.astype(layout).tobytes()
        header[name] = {"dtype": kind, "shape": list(value.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def starts(lengths):
    return np.concatenate([[0], np.cumsum(list(lengths))]).astype(np.int32)


def sentences(random, lengths, vocabulary):
    """Random ids of real words (3 and up) and <unk> (2), each sentence closed by <eos> (1)."""
    return [torch.tensor([*random.integers(2, vocabulary, n - 1), 1]) for n in lengths]


def moments(parameter):
    value = parameter.detach().numpy()
    return np.array([value.sum(), (value**2).sum()])


def gradients(translator, source, target, micro, step=None):
    """Returns the loss per target token of one optimizer step; leaves its gradient in the parameters."""
    tokens = sum(map(len, target))
    source_row, target_row = starts(map(len, source)), starts(map(len, target))
    total, first = 0.0, 0
    for count in micro:
        part = sum(translator.loss(source[b], target[b], int(source_row[b]), int(target_row[b]),
                                   step) for b in range(first, first + count)) / tokens
        part.backward()
        total, first = total + part.item(), first + count
    return total


def dump(name, seed, sizes, options, micro):
    random = np.random.default_rng(seed)
    source = sentences(random, SOURCE_LENGTHS, sizes[0])
    target = sentences(random, TARGET_LENGTHS, sizes[1])
    translator = Translator(options, *sizes, seed)
    parameter = translator.parameter
    out = {
        "source.token": torch.cat(source).numpy(), "source.start": starts(SOURCE_LENGTHS),
        "target.token": torch.cat(target).numpy(), "target.start": starts(TARGET_LENGTHS),
        "micro.sentences": np.array(micro),
        "encoder.output": torch.cat([translator.encode(s) for s in source]).detach().numpy(),
    }
    translator.kept = {}
    out["loss"] = np.array([gradients(translator, source, target, [len(source)])])
    out |= {"output." + path: torch.cat(rows).numpy() for path, rows in translator.kept.items()}
    translator.kept = None
    for path, p in parameter.items():
        out["gradient." + path] = p.grad.numpy()
        out["moments." + path] = moments(p)
        if name in STORED:
            out["parameter." + path] = p.detach().numpy().copy()
        p.grad = None

    train, losses, norms = options["train"], [], []
    adam = AdamW(parameter, train, STEPS) if "schedule" in train else Adam(parameter, train,
                                                                           translator.D)
    for step in range(STEPS):
        losses.append(gradients(translator, source, target, micro, step))
        norms.append(adam.update(step))
    out["training.loss"], out["training.norm"] = np.array(losses), np.array(norms)
    out |= {"trained.moments." + path: moments(p) for path, p in parameter.items()}
    out["trained.sum"] = np.array([sum(moments(p)[0] for p in parameter.values())])

    if "beam" in options:
        found = [beam_search(translator, s, **options["beam"]) for s in source]
        assert all(len(f) == options["beam"]["beam"] for f in found), "too few finished"
        tokens = [t for f in found for _, t in f]
        out["hypothesis.token"] = np.concatenate(tokens)
        out["hypothesis.start"] = starts(map(len, tokens))
        out["hypothesis.score"] = np.array([[score for score, _ in f] for f in found])
    return out


def dump_pairs(folder):
    seed, micro = 31, [3, 1]
    tensors = pairs.dump(seed, micro)
    write_safetensors(folder / "pairs.safetensors", tensors, {
        "configuration": yaml(pairs.OPTIONS), "seed": str(seed), "words": str(pairs.WORDS),
        "made": f"scripts/golden/make_golden.py, PyTorch {torch.__version__}, float64"})
    print(f"pairs: loss {tensors['loss'][0]:.6f}, training "
          + " ".join(f"{loss:.3f}" for loss in tensors["training.loss"]))


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else
                  Path(__file__).resolve().parents[2] / "tests" / "golden")
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    philox.check()
    dump_pairs(folder)
    for name, made in CASES.items():
        tensors = dump(name, **made)
        source_size, target_size = made["sizes"]
        write_safetensors(folder / f"{name}.safetensors", tensors, {
            "configuration": yaml(made["options"]), "seed": str(made["seed"]),
            "source_size": str(source_size), "target_size": str(target_size),
            "made": f"scripts/golden/make_golden.py, PyTorch {torch.__version__}, float64"})
        print(f"{name}: loss {tensors['loss'][0]:.6f}, training "
              + " ".join(f"{loss:.3f}" for loss in tensors["training.loss"]))


if __name__ == "__main__":
    main()
