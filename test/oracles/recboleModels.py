"""Reference values for recboleModels.test.ts: rows and states of RecBole's own LightGCN, NGCF, DGCF, SRGNN, GRU4Rec and SASRec, a loss of BPR.

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


HISTORIES = [sequence[:5] + sequence[1:3] for sequence in sequences]


def sequential(name, length, **over):
    """States after histories, which are padded or cut to the length."""
    model, _, items = made(name, train_neg_sample_args=None, MAX_ITEM_LIST_LENGTH=length, hidden_size=8, **over)
    states = []
    for history in HISTORIES:
        last = history[-length:]
        padded = [items[item] for item in last] + [0] * (length - len(last))
        states.append(rounded(model.forward(torch.tensor([padded]), torch.tensor([len(last)]))))
    weights = {key: rounded(value[items] if key == "item_embedding.weight" else value) for key, value in model.state_dict().items()}
    return {"weights": weights, "histories": HISTORIES, "states": states}


def pairwise():
    """BPR's loss of one batch: each user's first item against an item that it lacks."""
    model, users, items = made("BPR")
    negatives = [next(item for item in range(ITEMS) if item not in sequence) for sequence in sequences]
    batch = {
        "user_id": torch.tensor(users),
        "item_id": torch.tensor([items[sequence[0]] for sequence in sequences]),
        "neg_item_id": torch.tensor([items[item] for item in negatives]),
    }
    weights = {
        "user_embedding.weight": rounded(model.user_embedding.weight[users]),
        "item_embedding.weight": rounded(model.item_embedding.weight[items]),
    }
    return {"weights": weights, "negatives": negatives, "loss": float(model.calculate_loss(batch))}

print(
    json.dumps(
        {
            "users": USERS,
            "items": ITEMS,
            "sequences": sequences,
            "lightgcn": graph("LightGCN", n_layers=2),
            "ngcf": graph("NGCF", hidden_size_list=[6, 4], node_dropout=0.0, message_dropout=0.0),
            "dgcf": graph("DGCF", n_factors=4, n_iterations=2, n_layers=2),
            "srgnn": sequential("SRGNN", 8, step=2),
            "gru4rec": sequential("GRU4Rec", 8, num_layers=1),
            # places are counted from the left there, from the right here: the same where nothing is padded
            "sasrec": sequential("SASRec", 5, n_layers=2, n_heads=2, inner_size=32),
            "bpr": pairwise(),
        },
        separators=(",", ":"),
    )
)
