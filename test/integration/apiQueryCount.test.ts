import { createAddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import { graphql as execute } from 'graphql';
import { expect, test } from 'vitest';
import { createChangeHub } from '#src/base/graphql/changeHub.ts';
import { EVERYWHERE } from '#src/people/callerAccess.ts';
import { createSnapshots } from '#src/base/graphql/snapshots.ts';
import { createGraphqlContext } from '#src/base/graphql/context.ts';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { storageReader } from '#src/artifacts/storageOverview.ts';
import { servicesForTests } from './services/support.ts';
import { apiForTests } from './support/apiForTests.ts';

const api = await apiForTests();
const { db, queue } = await servicesForTests(api.postgres.url);

test('many runs cost a fixed number of database queries', async () => {
  await api.ok('mutation ($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }', {
    input: {
      ...{ project: 'many', kind: 'popularity', dataset: { name: 'generated/markov-small' } },
      seeds: Array.from({ length: 60 }, (_, seed) => seed),
    },
  });
  const queriesFor = async (first: number): Promise<number> => {
    let queries = 0;
    const counting = new Proxy(db, {
      get(target, name) {
        if (name === '$queryRaw') queries++;
        return Reflect.get(target, name, target);
      },
    });
    const artifacts = await openArtifactStore(api.artifactFolder);
    const storage = storageReader({ db: counting }, artifacts);
    const snapshots = createSnapshots(counting);
    const scoped = () => {
      throw new Error('nobody here sees less than everything');
    };
    const shared = {
      artifacts,
      viewKey: '',
      storage,
      changes: createChangeHub(),
      snapshots,
      version: '0',
      sendsMail: false,
      outgoingGuard: createAddressGuard([]),
      onAuditFailure() {},
      overview: () => Promise.reject(new Error('not asked')),
      slowWork: () => [],
      onRetry() {},
    };
    const contextValue = createGraphqlContext(
      { services: { db: counting, queue }, scoped, ...shared },
      {
        ...{ ...EVERYWHERE, id: '', role: 'none', mayQueueCommands: false, mayManageQueue: true },
        actor: { kind: 'anybody', name: '' },
        signal: new AbortController().signal,
      },
    );
    const source = `{ runs(project: "many", first: ${first}) { edges { node {
      project { name runCount } configuration { kind } metrics { name } attempts { number } artifacts { name }
      events { type } inputs { name } worker { name } media(first: 2) { name } mediaSeries { name } } } } }`;
    const { data, errors } = await execute({ schema: buildWarrenSchema(), source, contextValue });
    expect(errors).toBeUndefined();
    expect(data?.runs).toMatchObject({ edges: Array.from({ length: first }, () => ({ node: { events: [{}] } })) });
    return queries;
  };
  expect(await queriesFor(60)).toBe(await queriesFor(2));
});
