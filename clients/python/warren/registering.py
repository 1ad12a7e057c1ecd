"""What a run does with registered models and datasets."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence

from .artifact import Artifact
from .delivery import Delivery
from .registry import TakenVersion, download_version, transport_here
from .transport import Transport


#: What the type of a model says in W&B's programs, which name types as they like.
_MODELS = ("model", "checkpoint", "weights", "ckpt")


class RegistersVersions:
    """The part of `Run` that registers versions and takes them."""

    _delivery: Optional[Delivery]

    def _write(self, record: List[Any]) -> None:
        raise NotImplementedError

    def log_artifact(
        self, path: Any, name: Optional[str] = None, type: Optional[str] = None, aliases: Optional[Sequence[str]] = None, register: Any = None
    ) -> Any:
        raise NotImplementedError

    def register_model(
        self,
        name: str,
        artifact: str,
        aliases: Optional[Sequence[str]] = None,
        type: Optional[str] = None,
        description: str = "",
        tags: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """Registers an artifact of the run, or a folder of artifacts, as the next version of a model or dataset.

        It is sent after what was logged before. `latest` always is the newest version and need not be given.
        """
        given = [str(alias) for alias in ([aliases] if isinstance(aliases, str) else aliases or ()) if alias != "latest"]
        version: Dict[str, Any] = {"name": str(name), "artifactName": str(artifact), "aliases": given, "description": description}
        if type:
            version["type"] = "model" if any(word in type.lower() for word in _MODELS) else "dataset"
        version["tags"] = [{"key": str(key), "value": str(value)} for key, value in (tags or {}).items()]
        self._write(["register", version])

    def link_artifact(self, artifact: Any, target_path: str, aliases: Optional[Sequence[str]] = None) -> None:
        """Registers an `Artifact`, or the artifact of a name, that was logged before, as W&B's programs do."""
        kind = artifact.type if isinstance(artifact, Artifact) else None
        kept = artifact.name if isinstance(artifact, Artifact) else str(artifact)
        self.register_model(str(target_path).rstrip("/").rsplit("/", 1)[-1], kept, aliases, type=kind)

    def log_model(self, path: Any, name: Optional[str] = None, aliases: Optional[Sequence[str]] = None) -> None:
        """Keeps a file or folder with the run, and registers it as the next version of a model."""
        self.log_artifact(path, name, "model", aliases=aliases, register=True)

    def link_model(self, path: Any, registered_model_name: str, name: Optional[str] = None, aliases: Optional[Sequence[str]] = None) -> None:
        """Keeps a file or folder with the run, and registers it under a name."""
        self.log_artifact(path, name, "model", aliases=aliases, register=registered_model_name)

    def use_artifact(self, artifact_or_name: str, path: Optional[str] = None, type: Optional[str] = None, **_ignored: Any) -> TakenVersion:
        """Downloads a registered version, such as `ranker@production` or `ranker:3`, and notes that the run took it.

        Answers the path of its only file, or of the folder of several; `path` is that path where it is given.
        """
        server = None if self._delivery is None else self._delivery.transport
        transport = Transport(server.url, server.token) if server is not None else transport_here()
        try:
            version = download_version(transport, str(artifact_or_name), path)
        finally:
            transport.close()
        self._write(["use", "%s:%d" % (version["name"], version["number"])])
        return TakenVersion(version["path"])
