"""Does what MLflow's documentation shows of its model registry at each tracking server named, and prints what its client gave
back as JSON. Ids, places and times that differ from server to server are left out.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import tempfile
import threading
import time
import warnings
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ["MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR"] = "false"
# its own server answers some mistakes with an error that clients try again for minutes
os.environ["MLFLOW_HTTP_REQUEST_MAX_RETRIES"] = "0"
os.environ["MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT"] = "true"
import mlflow
from mlflow import MlflowClient
from mlflow.exceptions import MlflowException

mlflow.utils.logging_utils.disable_logging()
warnings.simplefilter("ignore")

MARK = "registry %s " % mlflow.__version__


def plain(text):
    """A text without ids."""
    return re.sub(r"[0-9a-f]{32}(-\d+)?", "ID", re.sub(r"mlflow-artifacts:/\d+", "mlflow-artifacts:/N", str(text)))


def refused(work):
    """The code and text of the error that some work ends with."""
    try:
        return ["no error", str(work())]
    except MlflowException as error:
        return [error.error_code, plain(error.message)]


def version_told(version):
    return [
        *[version.name, int(version.version), version.description, version.current_stage, version.status],
        *[plain(version.source), bool(version.run_id), version.run_link, dict(version.tags)],
        version.creation_timestamp <= version.last_updated_timestamp,
    ]


def model_told(model):
    latest = sorted((version_told(version) for version in model.latest_versions), key=lambda one: one[1])
    aliases = {alias: int(version) for alias, version in dict(model.aliases).items()}
    return [model.name, model.description or "", dict(model.tags), aliases, latest]


def models(client, say):
    name = MARK + "m"
    say("created", model_told(client.create_registered_model(name, {"team": "a", "n": "1"}, "what it is")))
    say("twice", refused(lambda: client.create_registered_model(name)))
    say("bad name", refused(lambda: client.create_registered_model("a/b")))
    say("no name", refused(lambda: client.create_registered_model(" "))[0])
    say("described", model_told(client.update_registered_model(name, "more")))
    changed = client.get_registered_model(name).last_updated_timestamp
    client.set_registered_model_tag(name, "team", "b")
    client.delete_registered_model_tag(name, "n")
    client.delete_registered_model_tag(name, "never")
    say("tags leave the time of change", client.get_registered_model(name).last_updated_timestamp == changed)
    say("got", model_told(client.get_registered_model(name)))
    say("absent", refused(lambda: client.get_registered_model(name + "?")))
    say("tag of absent", refused(lambda: client.set_registered_model_tag(name + "?", "k", "v")))
    client.create_registered_model(MARK + "other")
    say("renamed onto", refused(lambda: client.rename_registered_model(name, MARK + "other"))[0])
    client.rename_registered_model(name, MARK + "model")
    say("renamed", model_told(client.get_registered_model(MARK + "model")))
    say("old name", refused(lambda: client.get_registered_model(name)))
    client.delete_registered_model(MARK + "other")
    say("deleted", refused(lambda: client.delete_registered_model(MARK + "other")))


def versions(client, say):
    name = MARK + "model"
    mlflow.set_experiment(MARK + "runs")
    with mlflow.start_run() as run:
        mlflow.log_text("weights", "net/weights.txt")
        mlflow.log_text("shape", "net/meta/shape.txt")
    other = client.create_run(run.info.experiment_id)
    source = run.info.artifact_uri + "/net"
    one = client.create_model_version(name, source, run.info.run_id, {"k": "v"}, "link", "first", await_creation_for=0)
    say("one", version_told(one))
    two = client.create_model_version(name, "runs:/%s/net" % run.info.run_id, run.info.run_id)
    say("two", version_told(two))
    three = client.create_model_version(name, "s3://bucket/elsewhere")
    say("three", version_told(three))
    say("copied", version_told(client.copy_model_version("models:/%s/1" % name, MARK + "copy")))
    for what, bad in [
        ("another run", lambda: client.create_model_version(name, source, other.info.run_id)),
        ("no run", lambda: client.create_model_version(name, source)),
        ("a path", lambda: client.create_model_version(name, "/etc/passwd")),
        ("relative", lambda: client.create_model_version(name, source + "/../../x", run.info.run_id)),
        ("no model", lambda: client.create_model_version(name + "?", source, run.info.run_id)),
    ]:
        say(what, refused(bad)[:1] if what == "a path" else refused(bad))
    say("got", version_told(client.get_model_version(name, "1")))
    say("no version", refused(lambda: client.get_model_version(name, "77")))
    say("no number", refused(lambda: client.get_model_version(name, "x")))
    say("described", version_told(client.update_model_version(name, "2", "second")))
    changed = client.get_model_version(name, "2").last_updated_timestamp
    client.set_model_version_tag(name, "2", "k", "w")
    client.set_model_version_tag(name, "2", "data", "beauty")
    client.delete_model_version_tag(name, "2", "data")
    say("tags leave its time of change", client.get_model_version(name, "2").last_updated_timestamp == changed)
    client.set_registered_model_alias(name, "champion", "2")
    client.set_registered_model_alias(name, "challenger", "3")
    client.set_registered_model_alias(name, "champion", "1")
    say("by alias", version_told(client.get_model_version_by_alias(name, "champion")))
    say("aliases", sorted(client.get_model_version(name, "1").aliases))
    say("no alias", refused(lambda: client.get_model_version_by_alias(name, "nobody")))
    for alias in ("latest", "v3", "a b", ""):
        say("alias %r" % alias, refused(lambda: client.set_registered_model_alias(name, alias, "1")))
    say("alias of none", refused(lambda: client.set_registered_model_alias(name, "x", "9")))
    client.delete_registered_model_alias(name, "challenger")
    client.delete_registered_model_alias(name, "never")
    say("uri", [plain(client.get_model_version_download_uri(name, number)) for number in ("1", "2", "3")])
    with tempfile.TemporaryDirectory() as folder:
        path = mlflow.artifacts.download_artifacts("models:/%s@champion" % name, dst_path=folder)
        say("files", sorted(os.path.relpath(os.path.join(base, file), path) for base, _, files in os.walk(path) for file in files if file != "registered_model_meta"))
    fluent = lambda: mlflow.register_model("runs:/%s/net" % run.info.run_id, MARK + "fluent", await_registration_for=0)
    say("fluent", refused_or(lambda: version_told(fluent())))
    if hasattr(client, "create_logged_model"):
        logged = client.create_logged_model(run.info.experiment_id, "net", run.info.run_id)
        client.finalize_logged_model(logged.model_id, "READY")
        made = mlflow.register_model("models:/%s" % logged.model_id, MARK + "fluent", await_registration_for=0)
        say("of a logged model", version_told(made))
        say("its tag", json.loads(client.get_logged_model(logged.model_id).tags["mlflow.modelVersions"]))
    say("model", model_told(client.get_registered_model(name)))


def stages(client, say):
    name = MARK + "model"
    say("staging", version_told(client.transition_model_version_stage(name, "1", "staging")))
    say("production", version_told(client.transition_model_version_stage(name, "2", "Production")))
    say("archived", version_told(client.transition_model_version_stage(name, "3", "Production", archive_existing_versions=True)))
    say("no stage", refused(lambda: client.transition_model_version_stage(name, "1", "beta")))
    latest = lambda wanted: sorted((version_told(one) for one in client.get_latest_versions(name, wanted)), key=lambda told: told[1])
    say("latest", latest(None))
    say("latest of", latest(["Production"]))
    say("latest of none", refused(lambda: client.get_latest_versions(name, ["x"])))


def searches(client, say):
    for index, team in enumerate(["a", "b", "a", "c"]):
        client.create_registered_model(MARK + "s%d" % index, {"team": team})
    own = lambda found: [one.name for one in found if one.name.startswith(MARK)]
    like = "name LIKE '%s%%'" % MARK
    for filter_string in [
        None,
        "name = '%ss1'" % MARK,
        "name ILIKE '%sS%%'" % MARK,
        like + " AND tags.team = 'a'",
        "tags.`team` != 'a'",
        "name IN ('%ss0', '%ss3')" % (MARK, MARK),
        "tag.team LIKE 'b%'",
        "run_id = 'x'",
        "metrics.x = 'x'",
        "name > 'x'",
        "name = x",
    ]:
        say("models %s" % filter_string, refused_or(lambda: own(client.search_registered_models(filter_string))))
    say("models or", refused_or(lambda: own(client.search_registered_models(like + " OR name = 'x'")), 1))
    for order in [["name DESC"], ["last_updated_timestamp ASC", "name ASC"], ["run_id ASC"]]:
        say("models by %s" % order, refused_or(lambda: own(client.search_registered_models(like, order_by=order)), 1))
    page = client.search_registered_models(like, max_results=4)
    rest = client.search_registered_models(like, max_results=4, page_token=page.token)
    say("pages", [own(page), own(rest), bool(page.token), bool(rest.token)])
    say("too many", refused(lambda: client.search_registered_models(max_results=1001))[0])
    name = MARK + "model"
    numbers = lambda found: [[one.name, int(one.version)] for one in found if one.name.startswith(MARK)]
    run = client.get_model_version(name, "1").run_id
    for filter_string in [
        "name = '%s'" % name,
        "run_id = '%s'" % run,
        "run_id IN ('%s', 'other')" % run,
        "source_path LIKE 's3:%'",
        "version_number >= 2 AND name = '%s'" % name,
        "tags.k = 'v'",
        "version_number = 1.5",
        "stage = 'x'",
    ]:
        say("versions %s" % plain(filter_string), refused_or(lambda: numbers(client.search_model_versions(filter_string)), 1))
    for order in [["version_number ASC"], ["name DESC", "version_number DESC"], ["creation_timestamp ASC"], ["x"]]:
        say("versions by %s" % order, refused_or(lambda: numbers(client.search_model_versions(like, order_by=order)), 1))
    page = client.search_model_versions(like, max_results=2)
    say("page", [numbers(page), bool(page.token)])
    client.delete_model_version(name, "2")
    say("gone", refused(lambda: client.get_model_version(name, "2")))
    say("left", numbers(client.search_model_versions("name = '%s'" % name)))
    say("next", int(client.create_model_version(name, "s3://bucket/next").version))


class Receiver(BaseHTTPRequestHandler):
    """Keeps what webhooks send: the payload, and whether the signature is right."""

    kept = {}

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        stamp = [self.headers[name] for name in ("X-MLflow-Delivery-Id", "X-MLflow-Timestamp")]
        digest = hmac.new(b"hidden", ".".join([*stamp, body]).encode(), hashlib.sha256).digest()
        signed = self.headers.get("X-MLflow-Signature")
        right = signed == "v1," + base64.b64encode(digest).decode() if signed else None
        self.kept.setdefault(self.path, []).append([json.loads(body), right, abs(time.time() - int(stamp[1])) < 60])
        self.send_response(404 if "gone" in self.path else 200)
        self.end_headers()

    def log_message(self, *_):
        pass


def webhook_told(webhook):
    return [
        *[webhook.name, webhook.url.rsplit("/", 1)[-1], webhook.description, str(webhook.status), webhook.secret],
        *[sorted(map(str, webhook.events)), webhook.creation_timestamp <= webhook.last_updated_timestamp],
    ]


def webhooks(client, say):
    if not hasattr(client, "create_webhook"):
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = "http://127.0.0.1:%d/%d" % (server.server_port, id(client))
    EVENTS = ["registered_model.created", "model_version.created", "model_version_tag.set", "model_version_tag.deleted"]
    EVENTS += ["model_version_alias.created", "model_version_alias.deleted", "prompt.created", "prompt_version.created", "prompt_tag.set", "prompt_alias.created"]
    hook = client.create_webhook("all-of-it", place + "/all", EVENTS, "what it is", "hidden")
    say("created", webhook_told(hook))
    other = client.create_webhook("other", place + "/other", ["model_version.created"])
    off = client.create_webhook("off", place + "/off", ["model_version.created"], status="DISABLED")
    say("others", [webhook_told(other), webhook_told(off)])
    say("got", webhook_told(client.get_webhook(hook.webhook_id)))
    own = lambda found: [one.name for one in found]
    page = client.list_webhooks(max_results=2)
    say("pages", [own(page), own(client.list_webhooks(max_results=2, page_token=page.token))])
    for what, bad in [
        ("name", lambda: client.create_webhook("a b", place, EVENTS)),
        ("scheme", lambda: client.create_webhook("x", "ftp://example.org", EVENTS)),
        ("host", lambda: client.create_webhook("x", "https:///hook", EVENTS)),
        ("no events", lambda: client.create_webhook("x", place, [])),
        ("too many", lambda: client.list_webhooks(max_results=1001)),
        ("absent", lambda: client.get_webhook("7b0ad5a2-50d9-4c0f-8f0c-2b39d8a3c7e1")),
        ("delete absent", lambda: client.delete_webhook("x")),
        ("update", lambda: client.update_webhook(hook.webhook_id, name="-")),
    ]:
        say(what, refused(bad))
    changed = client.update_webhook(other.webhook_id, "renamed", "more", place + "/gone", ["prompt.created", "model_version_tag.set"])
    say("changed", webhook_told(changed))
    say("tested", (lambda result: [result.success, result.response_status])(client.test_webhook(hook.webhook_id, "model_version.created")))
    say("tested another", client.test_webhook(hook.webhook_id, "prompt_version.created").success)
    say("refused", (lambda result: [result.success, result.response_status])(client.test_webhook(other.webhook_id)))
    client.delete_webhook(other.webhook_id)
    say("deleted", refused(lambda: client.get_webhook(other.webhook_id))[0])
    name = MARK + "hooked"
    client.create_registered_model(name, {"team": "a"}, "a model")
    client.create_model_version(name, "s3://bucket/one", tags={"k": "v"}, description="first")
    client.set_model_version_tag(name, "1", "k", "w")
    client.delete_model_version_tag(name, "1", "k")
    client.set_registered_model_alias(name, "best", "1")
    client.delete_registered_model_alias(name, "best")
    client.set_registered_model_tag(name, "team", "b")
    prompt = "prompt-of-%s" % mlflow.__version__.replace(".", "-")
    client.register_prompt(prompt, "Hello {{name}}", "a greeting", {"tone": "warm"})
    client.set_prompt_tag(prompt, "team", "c")
    client.set_prompt_alias(prompt, "best", 1)
    path = "/%d/all" % id(client)
    # tours of other clients have their own models at the same servers
    about = lambda data: data["name"] in (name, prompt, "example_model", "example_prompt") and data.get("key", "")[:1] != "_"
    own_told = lambda: [told for told in list(Receiver.kept.get(path, [])) if about(told[0]["data"])]
    until = time.time() + 60
    while len(own_told()) < 12 and time.time() < until:
        time.sleep(0.05)
    told = [[{key: value for key, value in payload.items() if key != "timestamp"}, *signed] for payload, *signed in own_told()]
    say("delivered", sorted(told, key=lambda each: json.dumps(each, sort_keys=True)))
    say("not to one that is off", "/%d/off" % id(client) in Receiver.kept)
    server.shutdown()


def refused_or(work, fields=2):
    """What some work gives, or how it is refused."""
    try:
        return work()
    except MlflowException as error:
        return [error.error_code, plain(error.message)][:fields]


def tour(url):
    said = []
    mlflow.set_tracking_uri(url)
    mlflow.set_registry_uri(url)
    client = MlflowClient(url, url)
    for part in (models, versions, stages, searches, webhooks):
        part(client, lambda what, answer: said.append([part.__name__, what, answer]))
    return said


print(json.dumps([tour(url) for url in sys.argv[1:]], default=str))
