import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildWarrenSchema, printWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { projectRoot } from '#src/lib/projectRoot.ts';

test('the committed schema.graphql is what the classes of src/graphql give', async () => {
  const file = join(projectRoot(), 'src', 'graphql', 'schema.graphql');
  await expect(printWarrenSchema(buildWarrenSchema())).toMatchFileSnapshot(file);
});
