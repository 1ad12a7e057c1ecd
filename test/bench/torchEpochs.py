"""The peers of the benchmark `backends`: the same networks in PyTorch, on the same sequences, with as many steps an epoch.

Arguments: a folder with offsets.npy and items.npy (the training items of every user, numbered from 0, packed), and a JSON
object: case (sasrec, gru4rec, bert4rec, lightgcn, dlr2, mf-bpr), form (padded: every sequence to its longest, as published
implementations do; grouped: by length within each batch), device (cpu or cuda), threads, steps (of an epoch), epochs (counted,
after one that warms up), items, batch, length, width, heads, blocks, layers, dropout, channels, image. Prints one JSON object:
seconds and processor seconds of each counted epoch, the mean loss of each, the version of torch, the device, and the most
memory that tensors took on a GPU."""

import json
import resource
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

folder, o = sys.argv[1], json.loads(sys.argv[2])
torch.set_num_threads(o["threads"])
torch.manual_seed(1)
random = np.random.default_rng(1)
device = torch.device(o["device"])
if device.type == "cuda" and not torch.cuda.is_available():
    sys.exit("this PyTorch reaches no CUDA device")

LENGTH, WIDTH, BATCH, DROPOUT, ITEMS = o["length"], o["width"], o["batch"], o["dropout"], o["items"]
GROUPS = (2, 4, 8, 16, 32, LENGTH + 1)
offsets = np.load(f"{folder}/offsets.npy").astype(np.int64)
known = np.load(f"{folder}/items.npy").astype(np.int64)
USERS = len(offsets) - 1


def there(array):
    return torch.from_numpy(array).to(device)


class Blocks(nn.Module):
    """SASRec's blocks, or BERT4Rec's."""

    def __init__(self, bidirectional):
        super().__init__()
        self.bidirectional = bidirectional
        self.items = nn.Embedding(ITEMS + 2, WIDTH, padding_idx=0)  # the pad first, the mask last
        self.positions = nn.Embedding(LENGTH, WIDTH)
        inner = 4 * WIDTH if bidirectional else WIDTH
        self.blocks = nn.ModuleList(
            nn.ModuleDict(
                {
                    "norm": nn.LayerNorm(WIDTH),
                    "attention": nn.MultiheadAttention(WIDTH, o["heads"], dropout=DROPOUT, batch_first=True),
                    "after": nn.LayerNorm(WIDTH),
                    "first": nn.Linear(WIDTH, inner),
                    "second": nn.Linear(inner, WIDTH),
                }
            )
            for _ in range(o["blocks"])
        )
        self.last = nn.LayerNorm(WIDTH)
        self.drop = nn.Dropout(DROPOUT)
        self.out = nn.Linear(WIDTH, ITEMS) if bidirectional else None
        nn.init.xavier_normal_(self.items.weight)

    def forward(self, inputs):
        length = inputs.shape[1]
        pads = inputs == 0
        x = self.drop(self.items(inputs) * WIDTH**0.5 + self.positions.weight[LENGTH - length :])
        causal = None if self.bidirectional else torch.triu(torch.ones(length, length, dtype=torch.bool, device=device), 1)
        for block in self.blocks:
            if self.bidirectional:
                attended, _ = block["attention"](x, x, x, key_padding_mask=pads, need_weights=False)
                y = block["norm"](x + self.drop(attended))
                x = block["after"](y + self.drop(block["second"](self.drop(F.gelu(block["first"](y))))))
            else:
                query = block["norm"](x)
                attended, _ = block["attention"](query, x, x, attn_mask=causal, need_weights=False)
                y = block["after"](x + attended)
                x = y + self.drop(block["second"](F.relu(self.drop(block["first"](y)))))
                x = x.masked_fill(pads.unsqueeze(-1), 0)
        return x if self.bidirectional else self.last(x)


class Gru4Rec(nn.Module):
    def __init__(self):
        super().__init__()
        self.items = nn.Embedding(ITEMS + 2, WIDTH, padding_idx=0)
        self.gru = nn.GRU(WIDTH, WIDTH, bias=False, batch_first=True)
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.drop = nn.Dropout(DROPOUT)
        nn.init.xavier_normal_(self.items.weight)

    def forward(self, inputs):
        return self.dense(self.gru(self.drop(self.items(inputs)))[0])


class Factors(nn.Module):
    """Matrix factorisation, and LightGCN with a graph."""

    def __init__(self, graph):
        super().__init__()
        self.nodes = nn.Parameter(nn.init.xavier_normal_(torch.empty(USERS + ITEMS, WIDTH)))
        self.graph = graph

    def forward(self):
        if self.graph is None:
            return self.nodes
        total = last = self.nodes
        for _ in range(o["layers"]):
            last = self.graph @ last
            total = total + last
        return total / (o["layers"] + 1)


class Dlr2(nn.Module):
    """Feature network, S and G of LEPORID's Appendix G."""

    def __init__(self):
        super().__init__()
        channels, rows, image = o["channels"], o["recent"] + 1, o["image"]
        self.users, self.items = nn.Embedding(USERS, WIDTH), nn.Embedding(ITEMS + 1, WIDTH, padding_idx=ITEMS)
        Convolution = nn.Conv2d if image else nn.Conv1d
        given = 1 if image else WIDTH
        self.stem = Convolution(given, channels, 1) if given != channels else nn.Identity()
        self.one = nn.ModuleList([Convolution(channels, channels, 3, padding=1) for _ in range(2)])
        self.two = nn.ModuleList(
            [Convolution(channels, 2 * channels, 3, padding=1, stride=2), Convolution(2 * channels, 2 * channels, 3, padding=1)]
        )
        self.down = Convolution(channels, 2 * channels, 1, stride=2)
        places = -(-rows // 2) * (-(-WIDTH // 2) if image else 1)
        self.out = nn.Linear(places * 2 * channels, WIDTH)
        self.s, self.g = self.tower(2 * WIDTH, 1), self.tower(WIDTH, WIDTH)

    def tower(self, width, last):
        layers = []
        for wide in o["tower"]:
            layers += [nn.Linear(width, wide), nn.ReLU()]
            width = wide
        return nn.Sequential(*layers, nn.Linear(width, last))

    def state(self, users, recent):
        x = torch.cat([self.users(users).unsqueeze(1), self.items(recent)], 1)
        x = self.stem(x.unsqueeze(1) if o["image"] else x.transpose(1, 2))
        y = F.relu(self.one[1](F.relu(self.one[0](x)))) + x
        z = F.relu(self.two[1](F.relu(self.two[0](y)))) + self.down(y)
        return self.out(z.flatten(1))

    def loss(self, users, recent, positives, negatives):
        state = self.state(users, recent)
        came, other = self.items(positives), self.items(negatives)
        near, far = (self.s(torch.cat([state, item], 1)) for item in (came, other))
        made = torch.tanh(self.g(state))
        gap = (came - made).norm(dim=1) - (other - made).norm(dim=1)
        return near.square().mean() + F.relu(0.5 - far).square().mean() + F.relu(gap + 0.5).mean()


def normalised_graph():
    owners = np.repeat(np.arange(USERS), np.diff(offsets))
    rows = np.concatenate([owners, known + USERS])
    columns = np.concatenate([known + USERS, owners])
    pairs = np.unique(np.stack([rows, columns]), axis=1)
    degrees = np.bincount(pairs[0], minlength=USERS + ITEMS)
    values = 1 / np.sqrt(degrees[pairs[0]] * degrees[pairs[1]])
    matrix = torch.sparse_coo_tensor(there(pairs), there(values.astype(np.float32)), (USERS + ITEMS,) * 2)
    return matrix.coalesce().to_sparse_csr()


case = o["case"]
sequences = [known[offsets[u] : offsets[u + 1]] + 1 for u in range(USERS)]
longest = LENGTH if case == "bert4rec" else LENGTH + 1
sequences = [one[-longest:] for one in sequences if len(one) >= 2]
network = {
    "sasrec": lambda: Blocks(False),
    "bert4rec": lambda: Blocks(True),
    "gru4rec": Gru4Rec,
    "lightgcn": lambda: Factors(normalised_graph()),
    "mf-bpr": lambda: Factors(None),
    "dlr2": Dlr2,
}[case]().to(device)
# one kernel for all parameters where there is a GPU: what PyTorch's users get by default
optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.1)


def groups(batch):
    if o["form"] == "padded":
        return [(batch, LENGTH)]
    parts, least = [], 0
    for most in GROUPS:
        part = [one for one in batch if least < len(one) <= most + 1]
        least = most + 1
        if part:
            longest_of = max(len(one) for one in part)
            parts.append((part, longest_of if case == "bert4rec" else longest_of - 1))
    return parts


def padded(part, length):
    """Inputs and targets, padded at the right for GRU4Rec and at the left for the others; 0 is the pad."""
    inputs, targets = np.zeros((2, len(part), length), dtype=np.int64)
    for row, one in enumerate(part):
        if case == "bert4rec":
            masked = random.random(len(one)) < o["maskRate"]
            masked[random.integers(len(one))] = True
            inputs[row, length - len(one) :] = np.where(masked, ITEMS + 1, one)
            targets[row, length - len(one) :] = np.where(masked, one, 0)
        else:
            place = slice(0, len(one) - 1) if case == "gru4rec" else slice(length - len(one) + 1, length)
            inputs[row, place], targets[row, place] = one[:-1], one[1:]
    return there(inputs), there(targets)


def sequence_loss(batch):
    total, positions = 0.0, 0
    for part, length in groups(batch):
        inputs, targets = padded(part, length)
        real = targets > 0
        states, wanted = network(inputs)[real], targets[real]
        positions += len(wanted)
        if case == "bert4rec":
            total = total + F.cross_entropy(network.out(states), wanted - 1, reduction="sum")
        elif case == "gru4rec":
            total = total + F.cross_entropy(states @ network.items.weight[1:-1].T, wanted - 1, reduction="sum")
        else:
            negatives = there(random.integers(1, ITEMS + 1, len(wanted)))
            scores = [(states * network.items(ids)).sum(-1) for ids in (wanted, negatives)]
            total = total + F.softplus(-scores[0]).sum() + F.softplus(scores[1]).sum()
    return total / positions


OWNERS = np.repeat(np.arange(USERS), np.diff(offsets))


def loss_of(step, order):
    if case in ("sasrec", "gru4rec", "bert4rec"):
        places = [(step * BATCH + k) % len(sequences) for k in range(min(BATCH, len(sequences)))]
        return sequence_loss([sequences[order[place]] for place in places])
    drawn = random.integers(0, len(known), BATCH)
    users, positives = OWNERS[drawn], known[drawn]
    negatives = random.integers(0, ITEMS, BATCH)
    if case == "dlr2":
        recent = np.stack([np.maximum(drawn - back, offsets[users]) for back in range(o["recent"], 0, -1)], 1)
        return network.loss(there(users), there(known[recent]), there(positives), there(negatives))
    nodes = network()
    hidden, came, other = (nodes[there(ids)] for ids in (users, positives + USERS, negatives + USERS))
    return F.softplus(-(hidden * (came - other)).sum(-1)).mean()


def epoch():
    network.train()
    order = random.permutation(len(sequences))
    total = 0.0
    for step in range(o["steps"]):
        optimizer.zero_grad()
        loss = loss_of(step, order)
        loss.backward()
        optimizer.step()
        total += float(loss.detach())
    return total / o["steps"]


def processor():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


seconds, spent, losses = [], [], []
for number in range(o["epochs"] + 1):
    started, before = time.perf_counter(), processor()
    loss = epoch()
    if number > 0:
        seconds.append(time.perf_counter() - started)
        spent.append(processor() - before)
        losses.append(loss)
name = torch.cuda.get_device_name(device) if device.type == "cuda" else "processor"
peak = torch.cuda.max_memory_allocated(device) if device.type == "cuda" else 0
answer = {"seconds": seconds, "processorSeconds": spent, "losses": losses, "torch": torch.__version__, "device": name}
json.dump({**answer, "peakTensorBytes": peak}, sys.stdout)
