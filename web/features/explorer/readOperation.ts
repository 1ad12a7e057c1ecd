import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import type { Operation } from '#web/api/execute.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** What a person wrote, understood; or what is wrong with it. */
export type ReadOperation =
  | { problems: readonly string[] }
  | { problems: readonly []; operation: Operation; live: boolean };

/** Reads a document with one operation and its variables as JSON, and checks it against the schema where that is there. */
export function readOperation(query: string, variables: string, schema: GraphQLSchema | undefined): ReadOperation {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    return { problems: [describe(error)] };
  }
  const operation = getOperationAST(document);
  if (operation == null) return { problems: ['write one operation: the document has none, or several'] };
  const problems = schema === undefined ? [] : validate(schema, document).map(describe);
  if (problems.length > 0) return { problems };
  const values = readVariables(variables);
  if (typeof values === 'string') return { problems: [values] };
  return { problems: [], operation: { query, variables: values }, live: operation.operation === 'subscription' };
}

function describe(error: unknown): string {
  if (!(error instanceof GraphQLError)) return String(error);
  const [place] = error.locations ?? [];
  return place === undefined ? error.message : `line ${place.line}, column ${place.column}: ${error.message}`;
}

function readVariables(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {};
  try {
    const values: unknown = JSON.parse(text);
    if (isPlainObject(values)) return { ...values };
    return 'variables: expected a JSON object, such as { "id": "1" }';
  } catch (error) {
    return `variables: ${error instanceof Error ? error.message : String(error)}`;
  }
}
