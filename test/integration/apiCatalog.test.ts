import { describe, expect, test } from 'vitest';
import { apiForTests } from './support/apiForTests.ts';

const { ok } = await apiForTests();

describe('what can be run', () => {
  test('each kind says what a form needs: a JSON Schema with defaults, presets, a primary metric', async () => {
    const { experimentKinds } = await ok(`{ experimentKinds {
      kind version title description source data parametersSchema datasetSchema primaryMetric
      presets { name description dataset parameters } } }`);
    const popularity = experimentKinds.find((kind: { kind: string }) => kind.kind === 'popularity');
    expect(popularity).toMatchObject({ data: 'sequences', parametersSchema: { type: 'object' } });
    expect(popularity.datasetSchema.properties.name.type).toBe('string');
    for (const kind of experimentKinds) {
      for (const schema of Object.values<{ description?: string }>(kind.parametersSchema.properties ?? {})) {
        expect(schema.description).toBeTruthy();
      }
    }
  });

  test('known datasets come with their home and citation', async () => {
    const { datasets } = await ok('{ datasets { name title home licence citation known versions { fingerprint } } }');
    expect(datasets.find((one: { name: string }) => one.name === 'amazon-beauty')).toMatchObject({ known: true });
  });

  test('one dataset, with what papers print of it', async () => {
    const query = 'query ($name: ID!) { dataset(name: $name) { name published { source users items interactions } } }';
    const { dataset } = await ok(query, { name: 'amazon-beauty' });
    expect(dataset.published).toContainEqual({
      ...{ source: 'OverRec, Table I', users: 22_363, items: 12_101, interactions: 198_502 },
    });
    expect((await ok(query, { name: 'no/such' })).dataset).toBeNull();
  });
});

test('the server says its version, and that nobody needs a token', async () => {
  const { server } = await ok('{ server { version role } }');
  expect(server).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), role: 'none' });
});
