#!/usr/bin/env python3
"""Speed of a probe in another program, by the protocol hao2019: 200 sigmoid units, Adam 5e-4, batch 64, 250 epochs.

    bench_probe.py torch|sklearn VECTORS.npy TASK.txt

It runs on one thread, because the products are small. PyTorch has dropout 0.3 and scores va after every
epoch, as sanlab. scikit-learn does neither."""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy

import numpy as np  # noqa: E402

UNITS, EPOCHS, BATCH, RATE, DROPOUT = 200, 250, 64, 5e-4, 0.3


def scikit(train, _):
    from sklearn import __version__
    from sklearn.neural_network import MLPClassifier
    found = MLPClassifier(UNITS, activation="logistic", alpha=0, batch_size=BATCH, learning_rate_init=RATE,
                          max_iter=EPOCHS, n_iter_no_change=EPOCHS, tol=0)
    return f"scikit-learn {__version__}", lambda: found.fit(*train) and found


def pytorch(train, dev):
    import torch
    torch.set_num_threads(1)
    x, y, dev_x, dev_y = map(torch.from_numpy, (*train, *dev))
    model = torch.nn.Sequential(torch.nn.Linear(x.shape[1], UNITS), torch.nn.Dropout(DROPOUT), torch.nn.Sigmoid(),
                                torch.nn.Linear(UNITS, int(y.max()) + 1))
    adam = torch.optim.Adam(model.parameters(), lr=RATE)

    def fit():
        best = 0
        for _ in range(EPOCHS):
            model.train()
            for rows in torch.randperm(len(x)).split(BATCH):
                adam.zero_grad()
                torch.nn.functional.cross_entropy(model(x[rows]), y[rows]).backward()
                adam.step()
            model.eval()
            with torch.inference_mode():
                best = max(best, (model(dev_x).argmax(1) == dev_y).float().mean().item())
        return best

    return f"PyTorch {torch.__version__}", fit


def main():
    package, vectors, task = sys.argv[1:]
    with open(task, encoding="utf-8") as file:
        split, label = zip(*(line.split("\t")[:2] for line in file))
    x, y = np.load(vectors), np.unique(label, return_inverse=True)[1]
    train, dev = ((x[rows], y[rows]) for rows in (np.array(split) == name for name in ("tr", "va")))
    version, fit = {"torch": pytorch, "sklearn": scikit}[package](train, dev)
    begin = time.perf_counter()
    found = fit()
    seconds = time.perf_counter() - begin
    accuracy = found if isinstance(found, float) else found.score(*dev)
    print(f"probed in {seconds:.3f} s ({version}, accuracy of va {100 * accuracy:.1f})")


if __name__ == "__main__":
    main()
