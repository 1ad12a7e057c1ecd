import type { IncomingMessage, ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Measurements of one server, as `/metrics` shows them. */
export interface Instruments {
  registry: Registry;
  /** Measures a request, from now to the end of its answer. */
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Notes an operation by the first field that it asks for. */
  operation(field: string, seconds: number): void;
  /** Notes an error of an operation by its code. */
  error(code: string): void;
  setGauge(name: GaugeName, value: number, label?: string): void;
  /** Forgets the values of every gauge: those of a label that is gone must not stay. */
  clearGauges(): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The first part of a path, where it is one of Warren's; everything else is a page of the dashboard. */
const ROUTES = new Set([
  'graphql',
  'artifacts',
  'media',
  'code',
  'export',
  'clients',
  'schema.graphql',
  'health',
  'ready',
  'mlflow',
  'metrics',
]);

/** Name, label and explanation of what is read when somebody asks for it. */
const GAUGES = {
  warren_database_up: [null, 'Whether the database answers: 1 or 0.'],
  warren_queue_up: [null, 'Whether the queue answers: 1 or 0.'],
  warren_runs: ['state', 'Runs that have not ended, by state.'],
  warren_queue_jobs: ['state', 'Jobs of the queue, by state.'],
  warren_workers: ['backend', 'Workers that are alive, by tensor backend.'],
  warren_worker_slots: [null, 'Runs that the living workers can execute at once.'],
  warren_subscriptions: [null, 'Live subscriptions of this server.'],
  warren_artifact_bytes: [null, 'Bytes on the disk of the artifact store.'],
  warren_artifact_files: [null, 'Files in the artifact store.'],
  warren_artifact_damaged_files: [null, 'Files of the artifact store that were found damaged and set aside.'],
  warren_artifact_volume_free_bytes: [null, 'Bytes that the volume of the artifact store still takes.'],
  warren_trash_runs: [null, 'Runs in the trash.'],
} as const satisfies Record<string, readonly [string | null, string]>;

export type GaugeName = keyof typeof GAUGES;
const GAUGE_NAMES = Object.keys(GAUGES) as GaugeName[];

/** Of the process, however many servers it has. */
const processRegistry = new Registry();
let processIsMeasured = false;

/** Instruments in the names of Prometheus: seconds and bytes, `_total` for what only grows. */
export function createInstruments(version: string): Instruments {
  if (!processIsMeasured) collectDefaultMetrics({ register: processRegistry });
  processIsMeasured = true;
  const own = new Registry();
  const registers = [own];
  new Gauge({ name: 'warren_build_info', help: 'The version of Warren; always 1.', labelNames: ['version'], registers })
    .labels(version)
    .set(1);
  const requestSeconds = new Histogram({
    name: 'warren_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  const operationSeconds = new Histogram({
    name: 'warren_graphql_operation_duration_seconds',
    help: 'Time of GraphQL operations, by the first field that they ask for.',
    labelNames: ['field'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'warren_graphql_errors_total',
    help: 'Errors in answers of GraphQL, by code.',
    labelNames: ['code'],
    registers,
  });
  const gauges = new Map<GaugeName, Gauge>();
  for (const name of GAUGE_NAMES) {
    const [label, help] = GAUGES[name];
    gauges.set(name, new Gauge({ name, help, labelNames: label === null ? [] : [label], registers }));
  }
  return {
    registry: Registry.merge([own, processRegistry]),
    request({ method = '', url = '' }, response) {
      const startedMs = performance.now();
      const route = routeOf(url);
      response.once('close', () => {
        const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted';
        requestSeconds.labels(method, route, status).observe((performance.now() - startedMs) / 1000);
      });
    },
    operation: (field, seconds) => operationSeconds.labels(field).observe(seconds),
    error: (code) => errors.labels(code).inc(),
    setGauge(name, value, label) {
      const gauge = gauges.get(name);
      if (label === undefined) gauge?.set(value);
      else gauge?.labels(label).set(value);
    },
    clearGauges() {
      for (const [name, gauge] of gauges) {
        gauge.reset();
        // one without a label is 0 after a reset, which says more than is known
        if (GAUGES[name][0] === null) gauge.remove();
      }
    },
  };
}

function routeOf(url: string): string {
  const first = url.split(/[/?#]/, 2)[1] ?? '';
  return ROUTES.has(first) ? first : 'dashboard';
}
