"""Reference values for recboleModels.test.ts: rows and states of RecBole's own LightGCN, NGCF, DGCF and SRGNN.

    pip install 'torch==2.13.0' 'numpy<2' recbole==1.2.1
    python3 test/oracles/recboleModels.py > test/oracles/recboleModels.json

Weights are RecBole's start values in another scale; its padding user and item, which have no edges, are left out of what is
written. Nothing is dropped. The graphs are of leave-one-out's training part.
"""

import json
import os
import random
import tempfile

import scipy.sparse
import torch

if not hasattr(scipy.sparse.dok_matrix, "_update"):  # RecBole 1.2.1 calls it, newer scipy has none

    def update(self, values):
        for (row, column), value in values.items():
            self[int(row), int(column)] = value

    scipy.sparse.dok_matrix._update = update

from recbole.config import Config
from recbole.data import create_dataset, data_preparation
from recbole.utils import get_model, init_seed

USERS, ITEMS = 6, 9
draw = random.Random(3)
sequences = [[item] for item in range(USERS)]
for items in sequences:
    while len(items) < draw.randrange(4, 9):
        items.append(draw.choice([item for item in range(ITEMS) if item not in items]))

folder = tempfile.mkdtemp()
os.makedirs(f"{folder}/tiny")
with open(f"{folder}/tiny/tiny.inter", "w") as file:
    file.write("user_id:token\titem_id:token\ttimestamp:float\n")
    for user, items in enumerate(sequences):
        for time, item in enumerate(items):
            file.write(f"{user}\t{item}\t{time}\n")


def rounded(tensor):
    flat = tensor.detach().double().reshape(-1).tolist()
    return [float(f"{value:.9g}") for value in flat]


def made(name, **over):
    config = Config(
        model=name,
        dataset="tiny",
        config_dict={
            "data_path": folder,
            "use_gpu": False,
            "state": "ERROR",
            "seed": 1,
            "load_col": {"inter": ["user_id", "item_id", "timestamp"]},
            "eval_args": {"split": {"LS": "valid_and_test"}, "order": "TO", "group_by": "user", "mode": "full"},
            "embedding_size": 8,
            **over,
        },
    )
    init_seed(1, True)
    dataset = create_dataset(config)
    training, _, _ = data_preparation(config, dataset)
    model = get_model(name)(config, training.dataset)
    generator = torch.Generator().manual_seed(5)
    for parameter in model.parameters():
        parameter.data = 0.4 * torch.randn(parameter.shape, generator=generator)
    model.eval()
    users = [dataset.token2id("user_id", str(user)) for user in range(USERS)]
    items = [dataset.token2id("item_id", str(item)) for item in range(ITEMS)]
    return model, users, items


def graph(name, **over):
    model, users, items = made(name, **over)
    rows = torch.cat([part[ids] for part, ids in zip(model.forward(), (users, items))])
    weights = {}
    for parameter, value in model.state_dict().items():
        if value.shape[:1] == (USERS + 1,):
            value = value[users]
        elif value.shape[:1] == (ITEMS + 1,):
            value = value[items]
        weights[parameter] = rounded(value)
    return {"weights": weights, "rows": rounded(rows)}


model, _, items = made("SRGNN", step=2, train_neg_sample_args=None, MAX_ITEM_LIST_LENGTH=8)
states = []
for sequence in sequences:
    history = sequence[:5] + sequence[1:3]
    padded = [items[item] for item in history] + [0] * (8 - len(history))
    states.append(rounded(model.forward(torch.tensor([padded]), torch.tensor([len(history)]))))
weights = {name: rounded(value[items] if name == "item_embedding.weight" else value) for name, value in model.state_dict().items()}

print(
    json.dumps(
        {
            "users": USERS,
            "items": ITEMS,
            "sequences": sequences,
            "lightgcn": graph("LightGCN", n_layers=2),
            "ngcf": graph("NGCF", hidden_size_list=[6, 4], node_dropout=0.0, message_dropout=0.0),
            "dgcf": graph("DGCF", n_factors=4, n_iterations=2, n_layers=2),
            "srgnn": {"weights": weights, "histories": [s[:5] + s[1:3] for s in sequences], "states": states},
        },
        separators=(",", ":"),
    )
)
