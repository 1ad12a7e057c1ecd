import { isAbsolute, resolve } from 'node:path';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import {
  createExperiment,
  deleteExperiment,
  renameExperiment,
  requireExperiment,
  requireExperimentByName,
  setExperimentTag,
} from '#src/mlflow/experiments.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { searchExperiments } from '#src/mlflow/store/experimentRecord.ts';
import { experimentAnswer } from './answers.ts';
import type { MlflowCall } from './calls.ts';
import { checkExperimentName, experimentTagOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { keyedObjects, readRequest } from './request.ts';
import { experimentConditions, experimentOrder } from './searchFields.ts';
import { deletedOf } from './viewType.ts';

const MOST_RESULTS = 50_000;
const LONGEST_LOCATION = 2_048;

/** A path that is not absolute starts at the server's folder, as MLflow's server has it. */
function checkLocation(location: string | undefined): string | null {
  if (location === undefined || location === '') return null;
  if (location.length > LONGEST_LOCATION) {
    throw badInput(`'artifact_location' exceeds the maximum length of ${LONGEST_LOCATION} characters`);
  }
  if (location.includes('#')) throw badInput("'artifact_location' URL can't include fragments or params.");
  return /^[a-z][\w+.-]*:/i.test(location) || isAbsolute(location) ? location : resolve(location);
}

async function search({ db }: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    max_results: 'integer',
    page_token: 'string',
    filter: 'string',
    order_by: 'texts',
  });
  const size = checkPageSize(request.max_results ?? 1000, MOST_RESULTS);
  const offset = offsetOf(request.page_token);
  const found = await searchExperiments(db, {
    conditions: experimentConditions(request.filter ?? ''),
    order: experimentOrder(request.order_by ?? []),
    deleted: deletedOf(body.view_type),
    offset,
    limit: size + 1,
  });
  const experiments = found.slice(0, size).map(experimentAnswer);
  return {
    ...(experiments.length === 0 ? {} : { experiments }),
    ...(found.length > size ? { next_page_token: pageToken(offset + size) } : {}),
  };
}

/** Calls about experiments, by their place below `/experiments/`. */
export const experimentCalls: Readonly<Record<string, MlflowCall>> = {
  create: {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { name: 'string!', artifact_location: 'string', tags: 'array' });
      const tags = keyedObjects(request.tags, 'tags').map(experimentTagOf);
      const experiment = await createExperiment(services, {
        name: checkExperimentName(request.name),
        artifactLocation: checkLocation(request.artifact_location),
        tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
      });
      return { experiment_id: String(experiment.number) };
    },
  },
  search: { needs: 'READ', answer: search },
  get: {
    needs: 'READ',
    answer: async ({ db }, body) => {
      const request = readRequest(body, { experiment_id: 'string!' });
      return { experiment: experimentAnswer(await requireExperiment(db, request.experiment_id)) };
    },
  },
  'get-by-name': {
    needs: 'READ',
    answer: async (services, body) => {
      const request = readRequest(body, { experiment_name: 'string!' });
      return { experiment: experimentAnswer(await requireExperimentByName(services, request.experiment_name)) };
    },
  },
  update: {
    needs: 'WRITE',
    // a name that is taken would tell of another project
    ofServer: 'renaming an experiment',
    answer: async (services, body) => {
      const request = readRequest(body, { experiment_id: 'string!', new_name: 'string!' });
      await renameExperiment(services, request.experiment_id, checkExperimentName(request.new_name));
      return {};
    },
  },
  delete: { needs: 'WRITE', answer: (services, body) => setDeleted(services, body, true) },
  restore: { needs: 'WRITE', answer: (services, body) => setDeleted(services, body, false) },
  'set-experiment-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { experiment_id: 'string!', key: 'string!', value: 'string' });
      await setExperimentTag(services, request.experiment_id, experimentTagOf(request));
      return {};
    },
  },
  'delete-experiment-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { experiment_id: 'string!', key: 'string!' });
      await setExperimentTag(services, request.experiment_id, { key: request.key, value: null });
      return {};
    },
  },
};

async function setDeleted(services: ServiceContext, body: Record<string, unknown>, deleted: boolean): Promise<unknown> {
  const request = readRequest(body, { experiment_id: 'string!' });
  await deleteExperiment(services, request.experiment_id, deleted);
  return {};
}
