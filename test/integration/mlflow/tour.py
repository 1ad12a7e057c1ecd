"""Does what MLflow's documentation shows at each tracking server named, and prints what its client gave back as JSON.

Ids, places and times that differ from server to server are left out, so that the answers can be compared field by field.
"""
import json
import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ["MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR"] = "false"
os.environ["MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT"] = "true"
import mlflow
from mlflow import MlflowClient
from mlflow.entities import Metric, Param, RunTag, ViewType
from mlflow.exceptions import MlflowException

mlflow.utils.logging_utils.disable_logging()


def told(run):
    """A run without what only one server knows."""
    tags = {key: value for key, value in run.data.tags.items() if key not in ("mlflow.source.name", "mlflow.user", "mlflow.parentRunId")}
    info = run.info
    return [info.run_name, info.status, info.lifecycle_stage, info.end_time is None, dict(run.data.params), {name: str(value) for name, value in run.data.metrics.items()}, tags]


def refused(work):
    """The class, code and text of the error that some work ends with."""
    try:
        return ["no error", work()]
    except MlflowException as error:
        return [type(error).__name__, error.error_code, error.message]


def experiments(client, say):
    one = mlflow.create_experiment(MARK + "one", tags={"team": "blue", "odd key": ""})
    mlflow.create_experiment(MARK + "two")
    say("experiment", dict(mlflow.get_experiment(one).tags))
    say("by name", mlflow.get_experiment_by_name(MARK + "two").lifecycle_stage)
    say("no such name", mlflow.get_experiment_by_name(MARK + "none"))
    client.set_experiment_tag(one, "team", "red")
    client.rename_experiment(one, MARK + "uno")
    client.delete_experiment(client.get_experiment_by_name(MARK + "two").experiment_id)
    names = lambda **how: [found.name for found in mlflow.search_experiments(**how) if found.name.startswith(MARK)]
    say("all", names(view_type=ViewType.ALL, order_by=["name ASC"]))
    say("active", names())
    say("deleted", names(view_type=ViewType.DELETED_ONLY))
    say("by tag", names(filter_string="tags.team = 'red'"))
    say("by name like", names(filter_string=f"name LIKE '{MARK}u%'"))
    say("twice", refused(lambda: mlflow.create_experiment(MARK + "uno"))[:2])
    say("filter refused", refused(lambda: names(filter_string="color = 'x'"))[:2])
    client.restore_experiment(client.get_experiment_by_name(MARK + "two").experiment_id)
    say("restored", names(order_by=["name DESC"]))


def fluent(client, say):
    mlflow.set_experiment(MARK + "digits")
    with mlflow.start_run(run_name="parent", tags={"team": "blue"}, description="of two") as parent:
        mlflow.log_param("lr", 0.1)
        mlflow.log_params({"layers": 2, "optimizer.name": "adam", "none": None, "list": [1, 2]})
        for step in range(10):
            mlflow.log_metric("valid/loss", 1 / (step + 1), step=step)
        mlflow.log_metrics({"auc": 0.75, "nan": float("nan"), "inf": float("-inf")}, step=3)
        mlflow.log_metric("late", 7, step=5, synchronous=False)
        mlflow.flush_async_logging()
        mlflow.set_tags({"a": 1, "b": "two"})
        mlflow.delete_tag("a")
        with mlflow.start_run(run_name="child", nested=True) as child:
            mlflow.log_metric("auc", 0.5)
        say("parent of the child", client.get_parent_run(child.info.run_id).info.run_name)
        say("changed", refused(lambda: mlflow.log_param("lr", 0.2))[:2])
    run = mlflow.get_run(parent.info.run_id)
    say("parent", told(run))
    say("child", told(mlflow.get_run(child.info.run_id)))
    history = client.get_metric_history(parent.info.run_id, "valid/loss")
    say("history", [[point.key, point.value, point.step] for point in history])
    say("no history", [str(point) for point in client.get_metric_history(parent.info.run_id, "none")])
    with mlflow.start_run(run_id=parent.info.run_id):
        say("again", mlflow.active_run().info.status)
        mlflow.log_metric("auc", 0.9, step=9)
    try:
        with mlflow.start_run(run_name="broken"):
            raise ValueError("on purpose")
    except ValueError:
        pass
    found = mlflow.search_runs(experiment_names=[MARK + "digits"], output_format="list", order_by=["attributes.run_name ASC"])
    say("all runs", [told(one) for one in found])
    return parent.info.run_id


def files(client, run_id, say):
    with mlflow.start_run(run_id=run_id):
        mlflow.log_text("all well", "notes.txt")
        mlflow.log_dict({"a": [1, 2]}, "deep/er/settings.json")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "one.bin").write_bytes(bytes(range(256)) * 4000)
            pathlib.Path(folder, "sub").mkdir()
            pathlib.Path(folder, "sub", "zwei ä.txt").write_text("zwei")
            mlflow.log_artifacts(folder, "folder")
            mlflow.log_artifact(str(pathlib.Path(folder, "one.bin")))
    listed = lambda path=None: [[file.path, file.is_dir, file.file_size] for file in client.list_artifacts(run_id, path)]
    say("files", listed())
    say("in a folder", listed("folder"))
    say("in none", listed("none"))
    with tempfile.TemporaryDirectory() as folder:
        place = mlflow.artifacts.download_artifacts(run_id=run_id, dst_path=folder)
        say("downloaded", sorted([str(path.relative_to(place)), path.stat().st_size] for path in pathlib.Path(place).rglob("*") if path.is_file()))
    say("text", mlflow.artifacts.load_text(mlflow.get_run(run_id).info.artifact_uri + "/notes.txt"))
    say("not there", refused(lambda: mlflow.artifacts.load_text(mlflow.get_run(run_id).info.artifact_uri + "/none.txt"))[0])


def low_level(client, say):
    experiment = client.create_experiment(MARK + "low level")
    ids = []
    for index in range(7):
        run = client.create_run(experiment, start_time=1000 + index, run_name=f"run {index}", tags={"team": "ab"[index % 2]})
        ids.append(run.info.run_id)
        metrics = [Metric("m", index / 4, 5, 0), Metric("m", index, 6, 1), Metric("below", index, 7, -3), Metric("m", index + 1, 8, 1)]
        client.log_batch(run.info.run_id, metrics, [Param("p", f"v{index % 3}"), Param("same", "1")], [RunTag("t", str(index))])
    client.set_terminated(ids[0], "KILLED", end_time=9000)
    client.set_terminated(ids[1])
    client.update_run(ids[2], status="SCHEDULED", name="renamed")
    client.delete_run(ids[3])
    say("repeated", [[point.value, point.step, point.timestamp] for point in client.get_metric_history(ids[4], "m")])
    pages, token = [], None
    while True:
        page = client.search_runs([experiment], max_results=3, page_token=token, order_by=["metrics.m DESC"])
        pages.append([told(run) for run in page])
        token = page.token
        if not token:
            break
    say("pages", pages)
    say("trash", [told(run) for run in client.search_runs([experiment], run_view_type=ViewType.DELETED_ONLY)])
    client.restore_run(ids[3])
    for text in (
        "metrics.m > 3 and params.p = 'v0'", "tags.team = 'a'", "attributes.status = 'KILLED'", "run_name LIKE 'run %'",
        "attributes.start_time >= 1004", "params.p IN ('v0', 'v1')", "metrics.m ! 3", "params.p > 'v1'", "attributes.run_id IN ()",
    ):
        # a list of what would be right comes in the order of a Python set
        answer = refused(lambda: [run.info.run_name for run in client.search_runs([experiment], text)])
        say(text, answer[:2] if "not one of" in str(answer) or "clause" in str(answer) else answer)
    unknown = "0123456789abcdef" * 2
    client.set_tag(ids[5], "mlflow.runName", "")
    say("an empty name", client.get_run(ids[5]).info.run_name)
    say("unknown run", refused(lambda: client.get_run(unknown)))
    say("unknown experiment", refused(lambda: client.get_experiment("98765")))
    say("bad name", refused(lambda: client.log_metric(ids[0], "a$b", 1)))
    say("long parameter", refused(lambda: client.log_param(ids[0], "long", "x" * 6001)))
    say("no tag", refused(lambda: client.delete_tag(ids[1], "none"))[1])
    say("too many", refused(lambda: client.search_runs([experiment], max_results=50_001)))
    say("many points", client.log_batch(ids[5], [Metric("many", step, step, step) for step in range(2500)]))
    say("all of them", len(client.get_metric_history(ids[5], "many")))
    # new steps alone, then steps that are there with other values and times, then both
    for batch in [[(2500, 1, 9)], [(7, -1, 3), (8, 8, 8)], [(2501, 2, 2), (2500, 5, 8), (2500, 5, 10)], [(2502, 3, 3)]]:
        client.log_batch(ids[5], [Metric("many", value, time, step) for step, value, time in batch])
    points = [[point.step, point.value, point.timestamp] for point in client.get_metric_history(ids[5], "many")]
    say("again", sorted(point for point in points if point[0] in (7, 8) or point[0] >= 2500))
    say("newest", client.get_run(ids[5]).data.metrics["many"])
    client.delete_run(ids[6])
    say("of the trash", refused(lambda: client.log_metric(ids[6], "m", 1))[1])


answers = []
MARK = f"v{mlflow.__version__[0]}-"
for uri in sys.argv[1:]:
    answers.append([])

    def say(what, value=None):
        answers[-1].append([what, value])

    mlflow.set_tracking_uri(uri)
    client = MlflowClient()
    experiments(client, say)
    run_id = fluent(client, say)
    files(client, run_id, say)
    low_level(client, say)
    say("version", mlflow.__version__)
print(json.dumps(answers).replace(MARK, ""))
