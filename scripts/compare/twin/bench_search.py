#!/usr/bin/env python3
"""Speed of the C program's beam search (core/decode/beam.h) in PyTorch, eager: the same rule,
batches and precision, keys and values in a cache that is reordered with the hypotheses, finished
sentences taken out of the batch. Hypotheses stay on the device: it is waited for once a step, to know which
sentences go on. Tokens are of best hypotheses, with <eos>."""

import argparse
import json
import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import corpus
import model
from translator import sinusoids  # scripts/golden

EOS = 1
LENGTH_PENALTY, EXTRA = 0.6, 50
TOKENS = 32  # tokens in a batch per possible sentence, as in core/decode/crew.c


def read_weights(path):
    """Reads a safetensors file of float32 tensors."""
    data = Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(np.frombuffer(
        data, "<f4", math.prod(t["shape"]), 8 + size + t["data_offsets"][0])
        .reshape(t["shape"]).copy()) for name, t in header.items()}


def penalty(tokens):
    return ((5.0 + tokens) / 6) ** LENGTH_PENALTY


class Searcher:
    def __init__(self, preset, weights, beam, device, dtype=torch.float32):
        self.beam, self.device, self.dtype = beam, device, dtype
        self.D, self.H = preset["model"]["width"], preset["model"]["heads"]
        self.layers = {side: range(1, preset[side]["layers"] + 1)
                       for side in ("encoder", "decoder")}
        self.p = {path: value.to(device, dtype) for path, value in weights.items()}
        share = preset["model"]["share"]
        self.source = self.p["embedding" if share == "all" else "source.embedding"]
        self.target = self.p["embedding" if share == "all" else "target.embedding"]
        self.softmax = self.p["target.softmax"] if share == "none" else self.target
        self.position = sinusoids(1024, self.D).to(device, dtype)

    def linear(self, path, x):
        return F.linear(x, self.p[path + ".weight"].T, self.p[path + ".bias"])

    def norm(self, path, x):
        return F.layer_norm(x, (self.D,), self.p[path + ".gain"], self.p[path + ".offset"], 1e-6)

    def heads(self, x):
        return x.unflatten(-1, (self.H, -1)).transpose(1, 2)

    def attend(self, path, query, key, value, mask=None):
        out = F.scaled_dot_product_attention(self.heads(query), key, value, mask)
        return self.linear(path + ".output", out.transpose(1, 2).flatten(2))

    def feedforward(self, path, x):
        inner = F.relu(self.linear(path + ".inner", self.norm(path + ".norm", x)))
        return x + self.linear(path + ".outer", inner)

    def encode(self, source):
        """Returns keys and values of every decoder layer, and the mask that is added to energies."""
        mask = torch.where(source != 0, 0.0, -math.inf).to(self.dtype)[:, None, None, :]
        x = F.embedding(source, self.source) * math.sqrt(self.D)
        if "encoder.bias" in self.p:
            x = x + self.p["encoder.bias"]
        x = x + self.position[:x.shape[1]]
        for layer in self.layers["encoder"]:
            path = f"encoder.{layer}.attention"
            q, k, v = self.linear(path + ".qkv", self.norm(path + ".norm", x)).chunk(3, dim=-1)
            x = x + self.attend(path, q, self.heads(k), self.heads(v), mask)
            x = self.feedforward(f"encoder.{layer}.feedforward", x)
        memory = self.norm("encoder.norm", x)
        cross = []
        for layer in self.layers["decoder"]:
            k, v = self.linear(f"decoder.{layer}.cross.keyvalue", memory).chunk(2, dim=-1)
            cross.append((self.heads(k), self.heads(v)))
        return cross, mask

    def step(self, token, cache, cross, mask):
        """Returns log-probabilities of the next token of every row, [sentences, rows each, V]. Writes keys
        and values of the token to the last position of the cache [positions, layers, rows, 2 D]."""
        positions, _, rows, _ = cache.shape
        if token is None:
            x = torch.zeros(rows, 1, self.D, dtype=self.dtype, device=self.device)
        else:
            x = F.embedding(token[:, None], self.target) * math.sqrt(self.D)
        x = x + self.position[positions - 1]
        for layer in self.layers["decoder"]:
            path = f"decoder.{layer}.attention"
            y = self.linear(path + ".qkv", self.norm(path + ".norm", x))
            q, kv = y.split([self.D, 2 * self.D], dim=-1)
            cache[-1, layer - 1] = kv[:, 0]
            k, v = (t.unflatten(-1, (self.H, -1)).permute(1, 2, 0, 3)
                    for t in cache[:, layer - 1].chunk(2, dim=-1))
            x = x + self.attend(path, q, k, v)
            path = f"decoder.{layer}.cross"
            q = self.linear(path + ".query", self.norm(path + ".norm", x))
            # The rows of a sentence are queries of its keys, which are stored once per sentence.
            q = q.view(len(mask), -1, self.D)
            x = x + self.attend(path, q, *cross[layer - 1], mask).view(rows, 1, self.D)
            x = self.feedforward(f"decoder.{layer}.feedforward", x)
        logits = F.linear(self.norm("decoder.norm", x[:, 0]), self.softmax)
        return F.log_softmax(logits, dim=-1, dtype=torch.float32).view(len(mask), -1, len(self.softmax))

    @torch.inference_mode()
    def search(self, source, lengths):
        """Returns the best hypothesis of every sentence, as lists of ids."""
        beam, wide = self.beam, 2 * self.beam if self.beam > 1 else 1
        source = source.to(self.device)
        limit = torch.from_numpy(lengths + EXTRA).double().to(self.device)
        sentences, most = len(source), int(lengths.max()) + EXTRA
        layers = len(self.layers["decoder"])
        cross, mask = self.encode(source)
        rooms = [torch.empty(most * layers * sentences * beam * 2 * self.D, dtype=self.dtype,
                             device=self.device) for _ in range(2)]  # two caches, used alternately

        def cache_of(room, positions, rows):
            shape = positions, layers, rows, 2 * self.D
            return room[:math.prod(shape)].view(shape)

        found = torch.zeros(sentences, most, dtype=torch.long, device=self.device)
        count = torch.zeros(sentences, dtype=torch.long, device=self.device)
        live = torch.arange(sentences, device=self.device)     # sentences in the batch
        # Per sentence in the batch: log-probabilities and words of its alive hypotheses; its best
        # finished hypothesis.
        alive = torch.zeros(sentences, 1, dtype=torch.double, device=self.device)
        tokens = torch.zeros(sentences, 0, dtype=torch.long, device=self.device)
        score = torch.full((sentences,), -math.inf, dtype=torch.double, device=self.device)
        done, ended = found.clone(), count.clone()
        cache = cache_of(rooms[0], 1, sentences)
        for t in range(most):
            log_p = self.step(tokens[:, -1] if t else None, cache, cross, mask)
            top, token = log_p.topk(wide, dim=2)
            top, index = (top + alive[:, :, None]).flatten(1).topk(wide, dim=1)
            token = token.flatten(1).gather(1, index)
            first_row = torch.arange(len(live), device=self.device)[:, None] * alive.shape[1]
            parent = first_row + index // wide
            ends = token == EOS
            # The best hypothesis that ends here, if it is better than the best finished one.
            best, at = (top / penalty(t + 1)).masked_fill(~ends, -math.inf).max(dim=1)
            better = best > score
            words = tokens[parent.gather(1, at[:, None])[:, 0]]
            done[:, :t] = torch.where(better[:, None], words, done[:, :t])
            done[:, t].masked_fill_(better, EOS)
            ended = ended.masked_fill(better, t + 1)
            score = torch.where(better, best, score)
            # The best hypotheses that continue.
            alive, index = top.masked_fill(ends, -math.inf).topk(min(beam, wide), dim=1)
            parent = parent.gather(1, index).flatten()
            tokens = torch.cat([tokens[parent], token.gather(1, index).view(-1, 1)], dim=1)
            over = (t + 1 >= limit) | (alive[:, 0] / penalty(limit) <= score)
            keep = (~over).nonzero()[:, 0]
            if len(keep) < len(live):
                unfinished = tokens.view(len(live), -1, t + 1)[:, 0]
                none = score == -math.inf
                done[:, :t + 1] = torch.where(none[:, None], unfinished, done[:, :t + 1])
                ended = ended.masked_fill(none, t + 1)
                found[live[over]], count[live[over]] = done[over], ended[over]
                if not len(keep):
                    break
                row = (keep[:, None] * beam + torch.arange(beam, device=self.device)).flatten()
                parent, tokens, mask = parent[row], tokens[row], mask[keep]
                cross = [(k[keep], v[keep]) for k, v in cross]
                live, limit, alive, score = live[keep], limit[keep], alive[keep], score[keep]
                done, ended = done[keep], ended[keep]
            rooms.reverse()
            torch.index_select(cache, 2, parent, out=cache_of(rooms[0], t + 1, len(parent)))
            cache = cache_of(rooms[0], t + 2, len(parent))
        return [ids[:n] for ids, n in zip(found.tolist(), count.tolist())]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("corpus", help="folder of a prepared corpus with a joint vocabulary")
    parser.add_argument("--preset", choices=model.PRESETS, default="small")
    parser.add_argument("--weights", help="model.safetensors; the starting values by default")
    parser.add_argument("--sentences", type=int, default=256, help="first ones of the test split")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--batch", type=int, default=128, help="sentences")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cpu; cuda: starting values are other ones")
    parser.add_argument("--precision", choices=("fp32", "tf32", "bf16"), default="fp32",
                        help="of products; bf16: of weights and activations, too")
    parser.add_argument("--cpu-time", action="store_true", help="processor time, of one thread")
    parser.add_argument("--hypotheses", help="file for the ids that were found")
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    clock = time.process_time if a.cpu_time else time.perf_counter
    size = corpus.vocabulary_size(a.corpus)
    preset = model.PRESETS[a.preset]
    if a.device == "cpu":
        model.print_products()
    weights = read_weights(a.weights) if a.weights else model.start_values(
        a.preset, size, 1, exact=a.device == "cpu")
    torch.backends.cuda.matmul.allow_tf32 = a.precision == "tf32"
    dtype = torch.bfloat16 if a.precision == "bf16" else torch.float32
    searcher = Searcher(preset, weights, a.beam, a.device, dtype)
    if a.device != "cpu":
        print(f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, "
              f"{torch.cuda.get_device_name()}, TF32 of products "
              f"{torch.backends.cuda.matmul.allow_tf32}", flush=True)
    test = corpus.Split(f"{a.corpus}/test.shard")
    lengths = test.length[corpus.SOURCE]
    order = sorted(range(min(a.sentences, test.sentences)), key=lambda s: -lengths[s])
    batches = corpus.cut(test, order, max(TOKENS * a.batch, lengths.max()), a.batch)

    def translate(sentences):
        """Translates a batch. Waits for the device to return the ids."""
        return searcher.search(test.padded(corpus.SOURCE, sentences), lengths[sentences])

    translate(batches[0])
    seconds, found = [], {}
    for _ in range(a.rounds):
        begin = clock()
        for sentences in batches:
            found.update(zip(sentences.tolist(), translate(sentences)))
        seconds.append(clock() - begin)
    taken, tokens = np.median(seconds), sum(map(len, found.values()))
    where = f"{a.threads} threads" if a.device == "cpu" else a.device
    print(f"target tokens/s {tokens / taken:.0f}, {len(found) / taken:.1f} sentences/s (PyTorch "
          f"{torch.__version__} eager {a.precision}, {where}, {len(found)} sentences, {len(batches)} batches, "
          f"{tokens} tokens, {taken:.2f} s)")
    if a.hypotheses:
        Path(a.hypotheses).write_text("".join(
            " ".join(map(str, found[s])) + "\n" for s in sorted(found)))


if __name__ == "__main__":
    main()
