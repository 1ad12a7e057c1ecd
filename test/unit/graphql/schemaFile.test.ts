import { join } from 'node:path';
import { getIntrospectionQuery, graphqlSync, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { buildWarrenSchema, printWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

test('the committed schema.graphql is what the classes of src/graphql give', async () => {
  const file = join(projectRoot(), 'src', 'graphql', 'schema.graphql');
  await expect(printWarrenSchema(buildWarrenSchema())).toMatchFileSnapshot(file);
});

test('the schema keeps the rules of GraphQL and describes itself whole', () => {
  const schema = buildWarrenSchema();
  expect(validateSchema(schema)).toEqual([]);
  expect(graphqlSync({ schema, source: getIntrospectionQuery() }).errors).toBeUndefined();
});
