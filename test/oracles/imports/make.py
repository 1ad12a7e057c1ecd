"""Writes the sources beside this file with the libraries whose formats they are: python make.py FORMAT FOLDER.

tensorboard: tensorboard 2.21.0, tensorboardX 2.6.5; mlflow: 3.17.2; wandb: 0.31.0; trackio: 0.43.0; neptune: pyarrow 25.0.1; recbole: 1.2.1 with
torch 2.13.0, as .ci/recbole installs them
"""
import math
import os
import shutil
import sys


def tensorboard(folder):
    import numpy as np
    from tensorboardX import SummaryWriter
    from tensorboardX.proto.event_pb2 import Event
    from tensorboardX.proto.summary_pb2 import Summary
    from tensorboardX.proto.tensor_pb2 import TensorProto
    from tensorboardX.proto.tensor_shape_pb2 import TensorShapeProto
    from tensorboardX.proto.summary_pb2 import SummaryMetadata

    with SummaryWriter(os.path.join(folder, "one", "train")) as writer:
        for step in range(20):
            writer.add_scalar("loss", 1 / (step + 1), step, walltime=1_700_000_000.25 + step)
        for step, value in [(0, math.nan), (1, math.inf), (2, -math.inf), (2**53, 5), (3, 1e-45)]:
            writer.add_scalar("odd/values", value, step, walltime=1_700_000_100 + step % 10)
        writer.add_text("note", "hello\nworld", 3, walltime=1_700_000_103)
        writer.add_histogram("weights", np.arange(100) / 10, 4, walltime=1_700_000_104)
        image = np.zeros((3, 4, 6), dtype=np.uint8)
        image[0] = 255
        writer.add_image("picture", image, 5, walltime=1_700_000_105)
    # what tf.summary writes: tensors of one number, with the name of their plugin
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
    from tensorboard.compat.proto.event_pb2 import Event as TfEvent
    from tensorboard.plugins.scalar import metadata as scalars

    writer = EventFileWriter(os.path.join(folder, "one", "valid"))
    for step in range(5):
        event = TfEvent(wall_time=1_700_000_200 + step, step=step)
        value = event.summary.value.add(tag="accuracy", metadata=scalars.create_summary_metadata("", ""))
        value.tensor.dtype = 1
        value.tensor.tensor_shape.SetInParent()
        if step % 2:
            value.tensor.float_val.append(step / 10)
        else:
            value.tensor.tensor_content = np.float32(step / 10).tobytes()
        writer.add_event(event)
    # a step again, as after a restart
    event = TfEvent(wall_time=1_700_000_300, step=2)
    event.summary.value.add(tag="accuracy", simple_value=0.75)
    writer.add_event(event)
    from tensorboard.plugins.hparams import summary_v2 as hparams

    summary = hparams.hparams_pb({"lr": 0.1, "optimizer": "adam", "nesterov": True})
    writer.add_event(TfEvent(wall_time=1_700_000_301, step=0, summary=summary))
    writer.close()
    # their names hold this host's name and process
    for place in ("one/train", "one/valid"):
        where = os.path.join(folder, place)
        (name,) = os.listdir(where)
        os.rename(os.path.join(where, name), os.path.join(where, "events.out.tfevents.1700000000.host.1.0"))


def mlflow(folder):
    import subprocess

    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
    from mlflow import MlflowClient
    from mlflow.entities import Metric, Param, RunTag

    files = os.path.abspath(os.path.join(folder, "mlruns"))
    database = os.path.abspath(os.path.join(folder, "mlflow.db"))
    for uri in (f"file://{files}", f"sqlite:///{database}"):
        client = MlflowClient(uri)
        experiment = client.create_experiment("digits")
        run = client.create_run(experiment, start_time=1_700_000_000_123, run_name="small", tags={"team": "blue"})
        metrics = [Metric("valid/loss", 1 / (step + 1), 1_700_000_001_000 + step, step) for step in range(5)]
        metrics += [Metric("valid/loss", 0.125, 1_700_000_002_000, 3), Metric("below", 1.5, 1_700_000_003_000, -2)]
        metrics += [Metric("odd", value, 1_700_000_004_000, step) for step, value in enumerate([math.nan, math.inf, -math.inf])]
        params = [Param("lr", "0.10"), Param("seed", "7"), Param("net.layers", "2"), Param("odd param", "tru: e\nline")]
        client.log_batch(run.info.run_id, metrics, params, [RunTag("mlflow.note.content", "all well")])
        client.set_terminated(run.info.run_id, "FINISHED", 1_700_000_060_456)
        failed = client.create_run(experiment, start_time=1_700_000_100_000, run_name="broken")
        client.log_param(failed.info.run_id, "lr", "1")
        client.set_terminated(failed.info.run_id, "FAILED", 1_700_000_101_000)
        if uri.startswith("file"):
            place = os.path.join(files, experiment, run.info.run_id, "artifacts", "sub")
            os.makedirs(place)
            with open(os.path.join(place, "notes.txt"), "w") as file:
                file.write("all well\n")


def wandb(folder):
    os.environ.update(WANDB_MODE="offline", WANDB_DIR=folder, WANDB_SILENT="true", WANDB_DISABLE_CODE="true")
    import wandb as library

    settings = library.Settings(x_disable_stats=True, x_disable_meta=True, console="wrap", disable_git=True, host="host", program="train.py")
    run = library.init(project="mine", name="small", id="abcd1234", config={"lr": 0.1, "net": {"layers": [2, 3]}}, tags=["first"], notes="all well", settings=settings)
    for step in range(6):
        run.log({"train": {"loss": 1 / (step + 1)}, "odd": [math.nan, math.inf, -math.inf, 1, 2, 3][step]})
    run.log({"late": 4}, step=10)
    run.log({"word": "text", "flag": True})
    run.config.update({"batch": 64})
    run.summary["best"] = 0.5
    run.finish()


def trackio(folder):
    os.environ.update(TRACKIO_DIR=folder)
    import trackio as library

    run = library.init(project="mine", name="small", config={"lr": 0.1})
    for step in range(6):
        run.log({"train/loss": 1 / (step + 1), "odd": [math.nan, math.inf, -math.inf, 1, 2, 3][step]})
    run.finish()


def log(folder):
    """A database as Trackio's whose write-ahead log has two transactions and a third that was never committed."""
    import sqlite3

    path = os.path.join(folder, "logged.db")
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA page_size=512")
        base.execute("CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER, metrics TEXT)")
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA wal_autocheckpoint=0")
    base.execute("PRAGMA cache_size=2")  # the third spills into the log
    for first in (0, 20, 40):
        for step in range(first, first + 20 if first < 40 else 300):
            row = ("2026-01-01T00:00:00Z", "small", step, '{"loss": %r}' % (step / 4))
            base.execute("INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)", row)
        if first < 40:
            base.commit()
    for name in ("logged.db", "logged.db-wal"):
        shutil.copy(os.path.join(folder, name), os.path.join(folder, name + ".copy"))


def neptune(folder):
    """As neptune-exporter's README describes its files."""
    import datetime
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.parquet as parquet

    time = pa.timestamp("ms", tz="UTC")
    schema = pa.schema([
        ("project_id", pa.string()), ("run_id", pa.string()), ("attribute_path", pa.string()), ("attribute_type", pa.string()),
        ("step", pa.decimal128(18, 6)), ("timestamp", time), ("int_value", pa.int64()), ("float_value", pa.float64()),
        ("string_value", pa.string()), ("bool_value", pa.bool_()), ("datetime_value", time),
        ("string_set_value", pa.list_(pa.string())), ("file_value", pa.struct([("path", pa.string())])),
        ("histogram_value", pa.struct([("type", pa.string()), ("edges", pa.list_(pa.float64())), ("values", pa.list_(pa.float64()))])),
    ])
    at = datetime.datetime(2025, 1, 2, 3, 4, 5, 678000, datetime.timezone.utc)
    rows = [("sys/name", "string", {"string_value": "small"}), ("sys/tags", "string_set", {"string_set_value": ["first"]})]
    rows += [("sys/creation_time", "datetime", {"datetime_value": at}), ("params/lr", "float", {"float_value": 0.1})]
    rows += [("params/layers", "int", {"int_value": 2}), ("params/nesterov", "bool", {"bool_value": True})]
    for step, value in enumerate([0.5, math.nan, math.inf, -math.inf]):
        later = at + datetime.timedelta(seconds=step)
        rows.append(("train/loss", "float_series", {"step": Decimal(step), "timestamp": later, "float_value": value}))
    rows.append(("train/loss", "float_series", {"step": Decimal("4.5"), "timestamp": at, "float_value": 1.0}))
    rows.append(("log", "string_series", {"step": Decimal(0), "timestamp": at, "string_value": "all well"}))
    named = [{"project_id": "team/mine", "run_id": "RUN-1", "attribute_path": p, "attribute_type": t, **v} for p, t, v in rows]
    os.makedirs(os.path.join(folder, "team"), exist_ok=True)
    table = pa.Table.from_pylist(named, schema=schema)
    parquet.write_table(table, os.path.join(folder, "team", "RUN-1_part_0.parquet"), compression="snappy")


def recbole(folder):
    import functools
    import random

    import scipy.sparse
    import torch

    # RecBole 1.2.1 calls it, newer scipy has none
    def update(self, values):
        for (row, column), value in values.items():
            self[int(row), int(column)] = value

    if not hasattr(scipy.sparse.dok_matrix, "_update"):
        scipy.sparse.dok_matrix._update = update
    # RecBole 1.2.1 loads its own checkpoints, which newer torch takes for a stranger's
    torch.load = functools.partial(torch.load, weights_only=False)
    from logging import getLogger

    from recbole.config import Config
    from recbole.data import create_dataset, data_preparation
    from recbole.utils import get_model, get_trainer, init_logger, init_seed

    os.makedirs(os.path.join(folder, "dataset", "tiny"))
    os.chdir(folder)
    draw = random.Random(5)
    with open("dataset/tiny/tiny.inter", "w") as file:
        file.write("user_id:token\titem_id:token\n")
        for user in range(40):
            for item in draw.sample(range(30), 12):
                file.write(f"{user}\t{item}\n")
    config = Config(
        model="BPR",
        dataset="tiny",
        config_dict={
            **{"data_path": "dataset", "epochs": 3, "embedding_size": 4, "seed": 7, "learning_rate": 0.01},
            **{"train_batch_size": 128, "topk": [5], "metrics": ["Recall", "MRR"], "valid_metric": "MRR@5"},
            **{"use_gpu": False, "show_progress": False, "load_col": {"inter": ["user_id", "item_id"]}},
            "eval_args": {"split": {"RS": [0.8, 0.1, 0.1]}, "group_by": "user", "order": "RO", "mode": "full"},
        },
    )
    init_seed(config["seed"], True)
    init_logger(config)
    getLogger().info(config)
    dataset = create_dataset(config)
    train, valid, test = data_preparation(config, dataset)
    model = get_model(config["model"])(config, train.dataset).to(config["device"])
    trainer = get_trainer(config["MODEL_TYPE"], config["model"])(config, model)
    best_score, best = trainer.fit(train, valid, saved=True, show_progress=False)
    result = trainer.evaluate(test, load_best_model=True, show_progress=False)
    getLogger().info(f"best valid : {best}")
    getLogger().info(f"test result: {result}")
    print(best_score, best, result)
    # those that another process has read, for the test
    saved = torch.load(trainer.saved_model_file)
    print({name: saved[name] for name in ("epoch", "cur_step", "best_valid_score")})
    shutil.rmtree("dataset")
    shutil.rmtree("log_tensorboard", ignore_errors=True)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
