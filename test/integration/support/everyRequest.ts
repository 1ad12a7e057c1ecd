import { mlflowPlaces } from '#src/mlflow/protocol/mlflowCall.ts';
import { MPU, MPU_PART } from '#src/server/routes/mlflowParts.ts';
import type { CrowdedProjects } from './crowdedProjects.ts';

/** What requests name. */
export interface Named {
  runId: string;
  /** As MLflow calls the project. */
  experiment: string;
  project: string;
  model: string;
  alias: string;
  sha256: string;
}

/** What of `theirs` requests name. */
export function namesOfTheirs({ theirs }: Pick<CrowdedProjects, 'theirs'>): Named {
  const { run: runId, experiment, project, entry: model, alias, sha256 } = theirs;
  return { runId, experiment, project, model, alias, sha256 };
}

/** An answer without what the caller has sent. */
export function withoutSent(text: string, { runId, model, alias, sha256, project, experiment }: Named): string {
  const sent = [runId, runId.replaceAll('-', ''), model, alias, sha256, project, experiment];
  return sent.reduce((left, word) => left.replaceAll(word, 'SENT'), text);
}

export interface AnyRequest {
  method: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

const MLFLOW = '/mlflow/api/2.0/mlflow';

/**
 * Requests to each route of the API, by how the router has it, that name something of a project. A route that has no line here is
 * one that nobody has thought about; those with none tell and change nothing that belongs to a project.
 */
export function everyRequest(named: Named): Readonly<Record<string, AnyRequest[]>> {
  const { runId, experiment, project, model, sha256 } = named;
  const hex = runId.replaceAll('-', '');
  const at = (path: string, init: Omit<AnyRequest, 'path' | 'method'> & { method?: string } = {}): AnyRequest => ({
    method: 'GET',
    path,
    ...init,
  });
  const file = `/artifacts/${runId}/notes.txt`;
  const filter = encodeURIComponent(`project = "${project}"`);
  return {
    'GET /ready': [],
    'GET /health': [],
    'GET /metrics': [at('/metrics')],
    'GET /schema.graphql': [],
    'GET /clients/:file': [],
    'GET /export': [
      ...[at('/export?format=csv'), at(`/export?project=${project}`), at(`/export?filter=${filter}`)],
      ...[at(`/export?points=true&project=${project}`), at(`/export?runs=${runId}`)],
    ],
    '/graphql': [], // in a test of its own, from its schema
    '/auth': [],
    'GET /auth /status': [],
    '/frames': [],
    '/artifacts': [],
    'GET /artifacts /.*/': [at(file), at(file, { method: 'HEAD' }), at(file, { headers: { range: 'bytes=0-3' } })],
    'PUT /artifacts /.*/': [
      at(file, { method: 'PUT', body: 'x' }),
      at(`/artifacts/${runId}/new.txt`, { method: 'PUT', body: 'x' }),
      at(`/artifacts/${runId}/same.txt`, { method: 'PUT', body: 'x', headers: { 'x-content-sha256': sha256 } }),
      at(`/artifacts/${runId}/part.txt`, { method: 'PUT', body: 'x', headers: { 'content-range': 'bytes 0-0/2' } }),
      at(`/artifacts/${runId}/part.txt`, { method: 'PUT', body: '', headers: { 'content-range': 'bytes */2' } }),
    ],
    '/media': [],
    'GET /media /.*/': [at(`/media/${runId}/notes.txt`), at(`/media/${runId}/notes.txt?ticket=1.${'a'.repeat(43)}`)],
    '/code': [],
    'PUT /code /': [at('/code', { method: 'PUT', body: 'x', headers: { 'x-content-sha256': sha256 } })],
    '/mlflow': [...mlflowRequests(named), ...mlflowArtifactRequests(named)],
    'GET /mlflow /': [],
    'GET /mlflow /open.js': [],
    'GET /mlflow /health': [],
    'GET /mlflow /version': [],
    'GET /mlflow /^\\/(?:ajax-)?api\\/3\\.0\\/mlflow\\/server-info$/': [],
    [`PUT /mlflow ${MPU_PART}`]: [
      at('/mlflow/api/2.0/mlflow-artifacts/mpu/part/ticket.forged/1', { method: 'PUT', body: 'x' }),
    ],
    [`POST /mlflow ${MPU}`]: ['create', 'complete', 'abort'].map((act) =>
      at(`/mlflow/api/2.0/mlflow-artifacts/mpu/${act}/${experiment}/${hex}/artifacts`, {
        method: 'POST',
        body: JSON.stringify({ path: 'notes.txt', num_parts: 1, upload_id: 'forged', parts: [] }),
      }),
    ),
    'GET /mlflow /get-artifact': [at(`/mlflow/get-artifact?run_id=${hex}&path=notes.txt`)],
    'GET /mlflow /^\\/+model-versions\\/get-artifact$/': [
      at(`/mlflow/model-versions/get-artifact?name=${model}&version=1&path=notes.txt`),
    ],
  };
}

/** What reads and writes files by MLflow's proxy. */
function mlflowArtifactRequests({ runId, experiment }: Named): AnyRequest[] {
  const hex = runId.replaceAll('-', '');
  const folder = `/mlflow/api/2.0/mlflow-artifacts/artifacts/${experiment}/${hex}/artifacts`;
  return [
    { method: 'GET', path: `${folder}/notes.txt` },
    { method: 'PUT', path: `${folder}/notes.txt`, body: 'x' },
    { method: 'DELETE', path: `${folder}/notes.txt` },
    { method: 'GET', path: `/mlflow/api/2.0/mlflow-artifacts/artifacts?path=${experiment}/${hex}/artifacts` },
    { method: 'GET', path: `/mlflow/api/2.0/mlflow-artifacts/artifacts?path=${experiment}` },
    { method: 'POST', path: `/mlflow/upload-artifact?run_uuid=${hex}&path=new.txt`, body: 'x' },
    { method: 'POST', path: `/mlflow/ajax-api/2.0/mlflow/upload-artifact?run_uuid=${hex}&path=new.txt`, body: 'x' },
  ];
}

/** Every call of MLflow's protocol, with one body that has all that any of them reads. */
function mlflowRequests({ runId, experiment, project, model, alias }: Named): AnyRequest[] {
  const hex = runId.replaceAll('-', '');
  const shared = {
    ...{ run_id: hex, run_uuid: hex, run_ids: [hex], source_run_id: hex, experiment_id: experiment },
    ...{ experiment_ids: [experiment], experiment_name: project, name: model, version: '1', alias },
    ...{ new_name: 'renamed', description: 'x', key: 'x', timestamp: 1, step: 0, max_results: 100, stage: 'Staging' },
    ...{ metric_key: 'loss', path: 'notes.txt', filter: '', view_type: 'ALL', status: 'FINISHED' },
    ...{ metrics: [{ key: 'x', value: 1, timestamp: 1, step: 0 }], params: [{ key: 'x', value: '1' }] },
    ...{ tags: [{ key: 'x', value: '1' }], datasets: [], models: [{ model_id: `m-${hex}`, step: 0 }] },
    ...{ source: `runs:/${hex}/model`, url: 'https://example.org/hook', model_json: '{}' },
    ...{ events: [{ entity: 'REGISTERED_MODEL', action: 'CREATED' }] },
  };
  return mlflowPlaces(`m-${hex}`).flatMap(({ method, place }) => {
    const isExperiment = place.startsWith('experiments/');
    const body = { ...shared, ...(isExperiment ? { name: project, new_name: 'renamed' } : {}) };
    if (method === 'GET') {
      const query = new URLSearchParams();
      for (const [key, value] of Object.entries(body)) {
        for (const one of Array.isArray(value) ? value : [value])
          if (typeof one !== 'object') query.append(key, `${one}`);
      }
      return [{ method, path: `${MLFLOW}/${place}?${query.toString()}` }];
    }
    return [1, '1'].map((value) => ({ method, path: `${MLFLOW}/${place}`, body: JSON.stringify({ ...body, value }) }));
  });
}
