"""The peers of the benchmarks sasrec-epoch and gru4rec-epoch: the same networks in PyTorch, trained on the same sequences.

Arguments: a folder with offsets.npy and items.npy (the training items of every user, numbered from 0, packed), the model
(sasrec or gru4rec), the form (padded: every sequence to 50, as published implementations do; grouped: by length within each
batch, the pads masked), threads, and epochs counted after one that warms up. Prints one JSON object: seconds of each counted
epoch, the mean loss of each, the version of torch."""

import json
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

folder, model_name, form = sys.argv[1:4]
threads, epochs = int(sys.argv[4]), int(sys.argv[5])
torch.set_num_threads(threads)
torch.manual_seed(1)
random = np.random.default_rng(1)

LENGTH, WIDTH, BATCH, DROPOUT = 50, 64, 512, 0.3
# Longest sequences of the groups: padding at most doubles a sequence, and there are few groups.
GROUPS = (2, 4, 8, 16, 32, LENGTH)

offsets = np.load(f"{folder}/offsets.npy").astype(np.int64)
items = np.load(f"{folder}/items.npy").astype(np.int64) + 1  # 0 is the pad
ITEMS = int(items.max())
users = [items[offsets[u] : offsets[u + 1]] for u in range(len(offsets) - 1)]
users = [one[-(LENGTH + 1) :] for one in users if len(one) >= 2]


class SASRec(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(ITEMS + 1, WIDTH, padding_idx=0)
        self.positions = nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                {
                    "query_norm": nn.LayerNorm(WIDTH, eps=1e-8),
                    "attention": nn.MultiheadAttention(WIDTH, 1, dropout=DROPOUT, batch_first=True),
                    "forward_norm": nn.LayerNorm(WIDTH, eps=1e-8),
                    "first": nn.Conv1d(WIDTH, WIDTH, 1),
                    "second": nn.Conv1d(WIDTH, WIDTH, 1),
                }
            )
            for _ in range(2)
        )
        self.last_norm = nn.LayerNorm(WIDTH, eps=1e-8)
        self.drop = nn.Dropout(DROPOUT)
        nn.init.xavier_normal_(self.items.weight)

    def forward(self, inputs):
        length = inputs.shape[1]
        pads = inputs == 0
        x = self.items(inputs) * WIDTH**0.5 + self.positions.weight[LENGTH - length :]
        x = self.drop(x).masked_fill(pads.unsqueeze(-1), 0)
        causal = torch.triu(torch.ones(length, length, dtype=torch.bool), 1)
        for block in self.blocks:
            query = block["query_norm"](x)
            attended, _ = block["attention"](query, x, x, attn_mask=causal, need_weights=False)
            y = block["forward_norm"](x + attended)
            inner = F.relu(self.drop(block["first"](y.transpose(1, 2))))
            x = y + self.drop(block["second"](inner)).transpose(1, 2)
            x = x.masked_fill(pads.unsqueeze(-1), 0)
        return self.last_norm(x)


class GRU4Rec(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(ITEMS + 1, WIDTH, padding_idx=0)
        self.gru = nn.GRU(WIDTH, WIDTH, bias=False, batch_first=True)
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.drop = nn.Dropout(DROPOUT)
        nn.init.xavier_normal_(self.items.weight)

    def forward(self, inputs):
        states, _ = self.gru(self.drop(self.items(inputs)))
        return self.dense(states)


def padded(batch, length):
    """Inputs and targets, padded at the left (SASRec) or the right (GRU4Rec)."""
    inputs = np.zeros((len(batch), length), dtype=np.int64)
    targets = np.zeros((len(batch), length), dtype=np.int64)
    for row, one in enumerate(batch):
        if model_name == "sasrec":
            inputs[row, length - len(one) + 1 :] = one[:-1]
            targets[row, length - len(one) + 1 :] = one[1:]
        else:
            inputs[row, : len(one) - 1] = one[:-1]
            targets[row, : len(one) - 1] = one[1:]
    return torch.from_numpy(inputs), torch.from_numpy(targets)


def groups(batch):
    if form == "padded":
        return [padded(batch, LENGTH)]
    parts, least = [], 0
    for longest in GROUPS:
        part = [one for one in batch if least < len(one) - 1 <= longest]
        least = longest
        if part:
            parts.append(padded(part, max(len(one) for one in part) - 1))
    return parts


network = SASRec() if model_name == "sasrec" else GRU4Rec()
optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.1, betas=(0.9, 0.98))


def loss_of(inputs, targets):
    """Summed over the positions that are no pads."""
    states = network(inputs)
    real = targets > 0
    states, targets = states[real], targets[real]
    if model_name == "gru4rec":
        return F.cross_entropy(states @ network.items.weight[1:].T, targets - 1, reduction="sum")
    negatives = torch.from_numpy(random.integers(1, ITEMS + 1, len(targets)))
    positive = (states * network.items(targets)).sum(-1)
    negative = (states * network.items(negatives)).sum(-1)
    return F.softplus(-positive).sum() + F.softplus(negative).sum()


def epoch():
    network.train()
    order = random.permutation(len(users))
    total = 0.0
    for start in range(0, len(users), BATCH):
        batch = [users[u] for u in order[start : start + BATCH]]
        positions = sum(len(one) - 1 for one in batch)
        optimizer.zero_grad()
        loss = sum(loss_of(*group) for group in groups(batch)) / positions
        loss.backward()
        optimizer.step()
        total += float(loss.detach())
    return total / -(-len(users) // BATCH)


seconds, losses = [], []
for number in range(epochs + 1):
    started = time.perf_counter()
    loss = epoch()
    if number > 0:
        seconds.append(time.perf_counter() - started)
        losses.append(loss)
json.dump({"seconds": seconds, "losses": losses, "torch": torch.__version__}, sys.stdout)
