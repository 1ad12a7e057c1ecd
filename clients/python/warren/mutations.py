"""What the client asks the API to do, as GraphQL."""

from __future__ import annotations

CREATE_RUN = """mutation ($input: CreateRunInput!) {
  createRun(input: $input) { id number name state startedAt nextLogLine metrics { lastStep } }
}"""
LOG_METRICS = "mutation ($run: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $run, series: $series) }"
LOG_LINES = "mutation ($run: ID!, $from: Int!, $lines: [LogLineInput!]!) { logLines(runId: $run, from: $from, lines: $lines) }"
LOG_MEDIA = "mutation ($run: ID!, $items: [MediaInput!]!) { logMedia(runId: $run, items: $items) }"
DEFINE_METRICS = """mutation ($run: ID!, $definitions: [MetricDefinitionInput!]!) {
  defineMetrics(runId: $run, definitions: $definitions)
}"""
ADD_PARAMETERS = "mutation ($run: ID!, $parameters: JSON!) { addParameters(runId: $run, parameters: $parameters) { id } }"
DESCRIBE_RUN = "mutation ($input: UpdateRunInput!) { updateRun(input: $input) { id } }"
RAISE_ALERT = """mutation ($run: ID!, $id: ID!, $title: String!, $text: String!, $level: AlertLevel!) {
  raiseAlert(runId: $run, alertId: $id, title: $title, text: $text, level: $level)
}"""
FINISH_RUN = """mutation ($run: ID!, $state: RunState!, $message: String) {
  finishRun(runId: $run, state: $state, errorMessage: $message) { id }
}"""
HEARTBEAT = "mutation ($run: ID!) { heartbeat(runId: $run) { state } }"
REGISTER_VERSION = "mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }"
USE_VERSION = "mutation ($run: ID!, $version: String!) { useRegistryVersion(runId: $run, version: $version) { number } }"
RESUME_RUN = "mutation ($run: ID!) { resumeRun(runId: $run) { id } }"
