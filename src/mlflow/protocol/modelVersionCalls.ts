import {
  createModelVersion,
  deleteModelVersion,
  describeModelVersion,
  moveToStage,
  setVersionTag,
} from '#src/mlflow/modelVersions.ts';
import { requireModelVersion } from '#src/mlflow/registeredModels.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { searchVersions } from '#src/mlflow/store/searchRegistry.ts';
import type { MlflowCall } from './calls.ts';
import { registryTagOf, registryTagsOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { downloadUri, versionAnswer, versionAnswers } from './registryAnswers.ts';
import { registryConditions, registryOrder } from './registryFilters.ts';
import { readRequest } from './request.ts';

const VERSIONS_OF_PAGE = 10_000;
const MOST_OF_PAGE = 200_000;
/** More would not fit into an answer: the token leads on. */
const MOST_AT_ONCE = 10_000;

const NEWEST_FIRST = ['last_updated_timestamp DESC'];

const WHICH = { name: 'string!', version: 'string!' } as const;

async function create(services: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ name: 'string!', source: 'string!', run_id: 'string', run_link: 'string' } as const),
    ...({ description: 'string', tags: 'array', model_id: 'string' } as const),
  });
  const version = await createModelVersion(services, {
    ...{ name: request.name, source: request.source },
    ...{ runId: request.run_id ?? null, modelId: request.model_id ?? null },
    ...{ runLink: request.run_link ?? '', description: request.description ?? '' },
    tags: registryTagsOf(request.tags),
  });
  return await versionAnswer(services.db, version);
}

async function search({ db }: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ filter: 'string', max_results: 'integer', order_by: 'texts', page_token: 'string' } as const),
  });
  const wanted = checkPageSize(request.max_results ?? VERSIONS_OF_PAGE, MOST_OF_PAGE);
  const size = Math.min(wanted, MOST_AT_ONCE);
  const offset = offsetOf(request.page_token);
  const found = await searchVersions(db, {
    ...registryConditions(request.filter ?? '', 'version'),
    order: registryOrder(request.order_by?.length ? request.order_by : NEWEST_FIRST, 'version'),
    ...{ offset, limit: size + 1 },
  });
  const versions = await versionAnswers(db, found.slice(0, size));
  return {
    ...(versions.length === 0 ? {} : { model_versions: versions }),
    ...(found.length > size ? { next_page_token: pageToken(offset + size) } : {}),
  };
}

/** Calls about versions of registered models, by method and place below `/model-versions/`. */
export const modelVersionCalls: Readonly<Record<string, MlflowCall>> = {
  'POST create': { needs: 'WRITE', answer: create },
  'GET get': {
    needs: 'READ',
    answer: async ({ db }, body) => {
      const { name, version } = readRequest(body, WHICH);
      return await versionAnswer(db, await requireModelVersion(db, name, version));
    },
  },
  'PATCH update': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { description = '', ...which } = readRequest(body, { ...WHICH, description: 'string' });
      return await versionAnswer(services.db, await describeModelVersion(services, which, description));
    },
  },
  'DELETE delete': {
    needs: 'WRITE',
    answer: async (services, body) => {
      await deleteModelVersion(services, readRequest(body, WHICH));
      return {};
    },
  },
  'POST transition-stage': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { ...WHICH, stage: 'string!', archive_existing_versions: 'boolean' });
      const { stage, archive_existing_versions: archive = false } = request;
      return await versionAnswer(services.db, await moveToStage(services, request, { stage, archive }));
    },
  },
  'GET search': { needs: 'READ', answer: search },
  'GET get-download-uri': {
    needs: 'READ',
    answer: async ({ db }, body) => {
      const { name, version } = readRequest(body, WHICH);
      return { artifact_uri: await downloadUri(db, await requireModelVersion(db, name, version)) };
    },
  },
  'POST set-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { ...WHICH, key: 'string!', value: 'string' });
      await setVersionTag(services, request, registryTagOf(request));
      return {};
    },
  },
  'DELETE delete-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { key, ...which } = readRequest(body, { ...WHICH, key: 'string!' });
      await setVersionTag(services, which, { key, value: null });
      return {};
    },
  },
};
