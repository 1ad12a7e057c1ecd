"""A real MLflow server without what only `mlflow server` loads: arguments are a folder for its files and a port."""
import os
import sys

folder, port = sys.argv[1:]
os.environ["_MLFLOW_SERVER_SERVE_ARTIFACTS"] = "true"
os.environ["_MLFLOW_SERVER_ARTIFACT_DESTINATION"] = f"{folder}/files"
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
from mlflow.server import app, handlers  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402

store = f"sqlite:///{folder}/mlflow.db"
handlers.initialize_backend_stores(store, store, "mlflow-artifacts:/")
make_server("127.0.0.1", int(port), app, threaded=True).serve_forever()
