"""
Has MLflow's own REST tests talk to servers that are empty at the start of each: those that REST_TESTS_CONTROL starts, or,
without it, MLflow's own. Nothing of the tests is changed.
"""
import os
import shutil
import tempfile
import threading

import requests


class ControlledServer:
    """Asks the benchmark for a server and gives its address."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        answer = requests.post(os.environ["REST_TESTS_CONTROL"], timeout=300)
        answer.raise_for_status()
        self.url = answer.text
        return self.url

    def __exit__(self, *error):
        requests.delete(os.environ["REST_TESTS_CONTROL"], timeout=300)


class MlflowServer:
    """MLflow's own server in a thread, over a copy of an empty SQLite database."""

    folder = tempfile.mkdtemp()

    def __init__(self, *args, root_artifact_uri=None, **kwargs):
        self.root = root_artifact_uri

    def __enter__(self):
        from mlflow.server import app, handlers
        from mlflow.tracking._model_registry import utils as registry
        from werkzeug.serving import make_server

        home = tempfile.mkdtemp(dir=self.folder)
        root = self.root or f"file://{home}/artifacts"
        os.environ["_MLFLOW_SERVER_ARTIFACT_ROOT"] = root
        empty = f"{self.folder}/empty.db"

        def store(path):
            handlers._tracking_store = handlers._model_registry_store = None
            handlers.initialize_backend_stores(f"sqlite:///{path}", f"sqlite:///{path}", root)
            # which would have this process's clients go past the server
            os.environ.pop("MLFLOW_REGISTRY_URI", None)
            registry._registry_uri = None

        if not os.path.exists(empty):
            store(empty)
        shutil.copy(empty, f"{home}/mlflow.db")
        store(f"{home}/mlflow.db")
        self.server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.port}"

    def __exit__(self, *error):
        self.server.shutdown()


def pytest_configure():
    from tests.tracking import integration_test_utils

    server = ControlledServer if "REST_TESTS_CONTROL" in os.environ else MlflowServer
    integration_test_utils._init_server = integration_test_utils.ServerThread = server


def pytest_unconfigure():
    shutil.rmtree(MlflowServer.folder, ignore_errors=True)


def pytest_collection_modifyitems(config, items):
    """Each test once: MLflow runs it over its file store and over SQLite."""
    over_files = [item for item in items if getattr(item, "callspec", None) and "file" in item.callspec.params.values()]
    config.hook.pytest_deselected(items=over_files)
    items[:] = [item for item in items if item not in over_files]
