import {
  changeModel,
  createModel,
  deleteModel,
  deleteModelAlias,
  requireModel,
  setModelAlias,
  setModelTag,
  versionOfAlias,
} from '#src/mlflow/registeredModels.ts';
import { stageOf } from '#src/mlflow/modelVersions.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { listNewestOfStages, searchModels } from '#src/mlflow/store/searchRegistry.ts';
import type { MlflowCall } from './calls.ts';
import { registryTagOf, registryTagsOf } from './entities.ts';
import { checkPageSize, offsetOf, pageToken } from './pages.ts';
import { modelAnswer, modelAnswers, versionAnswer, versionAnswers } from './registryAnswers.ts';
import { registryConditions, registryOrder } from './registryFilters.ts';
import { readRequest } from './request.ts';

const MODELS_OF_PAGE = 100;
const MOST_OF_PAGE = 1_000;

async function search({ db }: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const request = readRequest(body, {
    ...({ filter: 'string', max_results: 'integer', order_by: 'texts', page_token: 'string' } as const),
  });
  const size = checkPageSize(request.max_results ?? MODELS_OF_PAGE, MOST_OF_PAGE);
  const offset = offsetOf(request.page_token);
  const found = await searchModels(db, {
    ...registryConditions(request.filter ?? '', 'model'),
    order: registryOrder(request.order_by ?? [], 'model'),
    ...{ offset, limit: size + 1 },
  });
  const models = await modelAnswers(db, found.slice(0, size));
  return {
    ...(models.length === 0 ? {} : { registered_models: models }),
    ...(found.length > size ? { next_page_token: pageToken(offset + size) } : {}),
  };
}

const latestVersions: MlflowCall = {
  needs: 'READ',
  answer: async ({ db }, body) => {
    const request = readRequest(body, { name: 'string!', stages: 'texts' });
    const stages = (request.stages ?? []).map(stageOf);
    const newest = await listNewestOfStages(db, [(await requireModel(db, request.name)).id]);
    const wanted = newest.filter(({ stage }) => stages.length === 0 || stages.includes(stage));
    return wanted.length === 0 ? {} : { model_versions: await versionAnswers(db, wanted) };
  },
};

/** Calls about registered models, by method and place below `/registered-models/`. */
export const registeredModelCalls: Readonly<Record<string, MlflowCall>> = {
  'POST create': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { name: 'string!', description: 'string', tags: 'array' });
      const { name, description = '' } = request;
      return await modelAnswer(
        services.db,
        await createModel(services, { name, description, tags: registryTagsOf(request.tags) }),
      );
    },
  },
  'GET get': {
    needs: 'READ',
    answer: async ({ db }, body) =>
      await modelAnswer(db, await requireModel(db, readRequest(body, { name: 'string!' }).name)),
  },
  'POST rename': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { name, new_name: newName } = readRequest(body, { name: 'string!', new_name: 'string!' });
      return await modelAnswer(services.db, await changeModel(services, name, { newName }));
    },
  },
  'PATCH update': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { name, description = '' } = readRequest(body, { name: 'string!', description: 'string' });
      return await modelAnswer(services.db, await changeModel(services, name, { description }));
    },
  },
  'DELETE delete': {
    needs: 'WRITE',
    answer: async (services, body) => {
      await deleteModel(services, readRequest(body, { name: 'string!' }).name);
      return {};
    },
  },
  'GET search': { needs: 'READ', answer: search },
  'GET get-latest-versions': latestVersions,
  'POST get-latest-versions': latestVersions,
  'POST set-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const request = readRequest(body, { name: 'string!', key: 'string!', value: 'string' });
      await setModelTag(services, request.name, registryTagOf(request));
      return {};
    },
  },
  'DELETE delete-tag': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { name, key } = readRequest(body, { name: 'string!', key: 'string!' });
      await setModelTag(services, name, { key, value: null });
      return {};
    },
  },
  'POST alias': {
    needs: 'WRITE',
    answer: async (services, body) => {
      await setModelAlias(services, readRequest(body, { name: 'string!', alias: 'string!', version: 'string!' }));
      return {};
    },
  },
  'GET alias': {
    needs: 'READ',
    answer: async (services, body) => {
      const { name, alias } = readRequest(body, { name: 'string!', alias: 'string!' });
      return await versionAnswer(services.db, await versionOfAlias(services, name, alias));
    },
  },
  'DELETE alias': {
    needs: 'WRITE',
    answer: async (services, body) => {
      const { name, alias } = readRequest(body, { name: 'string!', alias: 'string!' });
      await deleteModelAlias(services, name, alias);
      return {};
    },
  },
};
