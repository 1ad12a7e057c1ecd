import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typedDocumentNode from '@graphql-codegen/typed-document-node';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';

const web = new URL('.', import.meta.url);
const schemaFile = new URL('../src/graphql/schema.graphql', web);
const operationsFolder = new URL('api/operations/', web);
const outputFile = new URL('generated/graphql.ts', web);

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
 * Writes `generated/graphql.ts`: the type of every operation in `api/operations/*.graphql` and its text, checked
 * against `src/graphql/schema.graphql`. Leaves the file alone when nothing changed.
 */
export async function generateApiTypes() {
  const schema = parse(await readFile(schemaFile, 'utf8'));
  const names = (await readdir(operationsFolder)).filter((name) => name.endsWith('.graphql')).sort();
  const documents = await Promise.all(
    names.map(async (name) => ({
      location: name,
      document: parse(await readFile(new URL(name, operationsFolder), 'utf8')),
    })),
  );
  const text = await codegen({
    filename: outputFile.pathname,
    schema,
    documents,
    config,
    plugins: [{ typescriptOperations: {} }, { typedDocumentNode: {} }],
    pluginMap: { typescriptOperations, typedDocumentNode },
  });
  const output = `// Made from src/graphql/schema.graphql and web/api/operations by web/codegen.mjs: do not edit.\n${text}`;
  const current = await readFile(outputFile, 'utf8').catch(() => '');
  if (current === output) return;
  await mkdir(new URL('.', outputFile), { recursive: true });
  await writeFile(outputFile, output);
}

if (process.argv[1] === new URL(import.meta.url).pathname) await generateApiTypes();
