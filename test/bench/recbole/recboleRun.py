"""The peer of the benchmark `recbole`: one model of RecBole, trained or fitted on a dataset written here as its benchmark files.

Arguments: a folder with offsets.npy and items.npy (every user's items in order, numbered from 0, packed; the last one is for
testing, the one before it for validation), and a JSON object: model, samples (interactions: pairs of user and item; prefixes:
each prefix of a user's training items and the item after it; users: all training items of a user at once), config (RecBole's),
epochs, batches (timed of one epoch instead of training to the end; null for whole epochs), seed, threads. Prints one JSON object.

RecBole leaves seen items in the ranking of sequential models and knows no validation item while general ones are tested. Here all
are ranked alike: every item but those of the user's training and validation parts, scored from all of these.
"""

import itertools
import json
import os
import resource
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import torch

warnings.filterwarnings("ignore")
folder, o = sys.argv[1], json.loads(sys.argv[2])
os.chdir(folder)  # RecBole leaves logs and checkpoints where it runs
torch.set_num_threads(o["threads"])
if not hasattr(scipy.sparse.dok_matrix, "_update"):  # RecBole 1.2.1 calls it, newer scipy has none

    def update(self, values):
        for (row, column), value in values.items():
            self[int(row), int(column)] = value

    scipy.sparse.dok_matrix._update = update

from recbole.config import Config
from recbole.data import create_dataset, data_preparation
from recbole.utils import get_model, get_trainer, init_seed

offsets = np.load("offsets.npy").astype(np.int64)
packed = np.load("items.npy").astype(np.int64)
sequences = [packed[offsets[u] : offsets[u + 1]].tolist() for u in range(len(offsets) - 1)]


def samples_of(items, part):
    """(known items, next item) of a user for one part of the split."""
    if part != "train":
        end = len(items) - (1 if part == "test" else 2)
        return [(items[:end], items[end])]
    items = items[:-2]
    if o["samples"] == "users":
        return [(items, items[-1])]
    first = 0 if o["samples"] == "interactions" else 1
    return [(items[:end], items[end]) for end in range(first, len(items))]


sequential = o["samples"] != "interactions"
length = o["config"].get("MAX_ITEM_LIST_LENGTH", 50)
samples = 0
os.makedirs("data/split", exist_ok=True)
for part in ("train", "valid", "test"):
    with open(f"data/split/split.{part}.inter", "w") as file:
        file.write("user_id:token\t" + ("item_id_list:token_seq\t" if sequential else "") + "item_id:token\n")
        for user, items in enumerate(sequences):
            for known, item in samples_of(items, part):
                history = " ".join(map(str, known[-length:])) + "\t" if sequential else ""
                file.write(f"{user}\t{history}{item}\n")
                samples += part == "train"

columns = ["user_id", "item_id_list", "item_id"] if sequential else ["user_id", "item_id"]
config = Config(
    model=o["model"],
    dataset="split",
    config_dict={
        "data_path": "data",
        "checkpoint_dir": "saved",
        "benchmark_filename": ["train", "valid", "test"],
        "load_col": {"inter": columns},
        **({"alias_of_item_id": ["item_id_list"]} if sequential else {}),
        "eval_args": {"order": "TO" if sequential else "RO", "group_by": "user", "mode": "full"},
        "eval_batch_size": 256 if sequential else 256 * (1 + int(packed.max())),
        "use_gpu": False,
        "state": "ERROR",
        "show_progress": False,
        "seed": o["seed"],
        **o["config"],
    },
)
init_seed(o["seed"], True)
dataset = create_dataset(config)
training, validation, test = data_preparation(config, dataset)
torch.set_num_threads(o["threads"])


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


seconds, processor = [], []


def timed(work, scale=1.0):
    started, before = time.perf_counter(), used()
    result = work()
    seconds.append(scale * (time.perf_counter() - started))
    processor.append(scale * (used() - before))
    return result


item_numbers = [int(dataset.token2id("item_id", str(item))) for item in range(int(packed.max()) + 1)]


def tested(model):
    """NDCG and hit rate at 10 over the test items of all users."""
    model.eval()
    found = {"ndcg@10": [], "hr@10": []}
    users_of = {int(dataset.token2id("user_id", str(user))): user for user in range(len(sequences))}
    with torch.no_grad():
        for batch in test:
            interaction = batch[0]
            scores = model.full_sort_predict(interaction).view(-1, dataset.item_num).double()
            scores[:, 0] = -np.inf
            for row, number in enumerate(interaction["user_id"].tolist()):
                items = sequences[users_of[number]]
                target = item_numbers[items[-1]]
                own = scores[row, target].item()
                scores[row, [item_numbers[item] for item in items[:-1]]] = -np.inf
                rank = 1 + int((scores[row] > own).sum())
                found["hr@10"].append(float(rank <= 10))
                found["ndcg@10"].append(1 / np.log2(rank + 1) if rank <= 10 else 0.0)
    return {name: float(np.mean(values)) for name, values in found.items()}


def with_validation(model, name):
    """What is fitted at once scores histories, which have the validation item here."""
    rows = [dataset.token2id("user_id", str(user)) for user, items in enumerate(sequences) for _ in items[:-1]]
    places = [item_numbers[item] for items in sequences for item in items[:-1]]
    histories = scipy.sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, places)), (dataset.user_num, dataset.item_num))
    if name == "ItemKNN":
        model.pred_mat = histories.dot(model.w).tolil()
    else:
        model.interaction_matrix = histories.tolil() if name == "SLIMElastic" else histories
    return model


metrics = None
losses = []
if o["epochs"] is None:
    model = timed(lambda: get_model(o["model"])(config, training.dataset))
    metrics = tested(with_validation(model, o["model"]))
else:
    model = get_model(o["model"])(config, training.dataset)
    trainer = get_trainer(config["MODEL_TYPE"], config["model"])(config, model)

    def epoch(number):
        loss = trainer._train_epoch(training, number)
        return sum(loss) if isinstance(loss, tuple) else loss

    if o["batches"] is None or o["batches"] + 2 > len(training):
        for number in range(o["epochs"]):
            losses.append(timed(lambda: epoch(number)) / len(training))
        if len(seconds) > 1:  # the first one warms up
            del seconds[0], processor[0]
        metrics = tested(model)
    else:

        class Part:
            """Some batches of an epoch, of which the first ones warm up and are not counted."""

            shuffle = False

            def __iter__(self):
                batches = iter(whole)
                yield from itertools.islice(batches, WARM_UP)
                self.started, self.before = time.perf_counter(), used()
                yield from itertools.islice(batches, o["batches"])

        WARM_UP = 2
        whole, training = training, Part()
        losses.append(epoch(0) / (WARM_UP + o["batches"]))
        scale = len(whole) / o["batches"]
        seconds.append(scale * (time.perf_counter() - training.started))
        processor.append(scale * (used() - training.before))
answer = {"seconds": seconds, "processorSeconds": processor, "metrics": metrics, "samples": samples, "losses": losses}
print(json.dumps({**answer, "torch": torch.__version__}))
