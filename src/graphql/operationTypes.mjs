import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const config = {
  scalars: {
    ID: 'string',
    DateTime: 'string',
    JSON: 'unknown',
    Step: 'number',
    MetricValue: "number | 'NaN' | 'Infinity' | '-Infinity'",
  },
  enumType: 'string-literal',
  strictScalars: true,
  skipTypename: true,
  useTypeImports: true,
  documentMode: 'string',
  dedupeFragments: true,
};

/**
 * Writes `target`: the type of every operation in the `*.graphql` files at and below the folder `operations` and its text, checked
 * against `src/graphql/schema.graphql`. Leaves the file alone when nothing changed. Paths are relative to `root`.
 */
export async function writeOperationTypes(root, { operations, target }) {
  const schema = parse(await readFile(join(root, 'src/graphql/schema.graphql'), 'utf8'));
  const found = await readdir(join(root, operations), { recursive: true });
  const names = found.filter((name) => name.endsWith('.graphql') && !name.endsWith('schema.graphql')).sort();
  const documents = await Promise.all(
    names.map(async (name) => ({
      location: name,
      document: parse(await readFile(join(root, operations, name), 'utf8')),
    })),
  );
  const file = join(root, target);
  const text = await codegen({
    filename: file,
    schema,
    documents,
    config,
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  const output = `// Made from src/graphql/schema.graphql and ${operations} by src/graphql/operationTypes.mjs: do not edit.\n${text}`;
  const current = await readFile(file, 'utf8').catch(() => '');
  if (current === output) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, output);
}
