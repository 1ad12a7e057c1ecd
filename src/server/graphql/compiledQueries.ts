import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import type { CoercedOperation } from '#src/base/graphql/coercedOperation.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { createBoundedCache } from '#src/base/lib/boundedCache.ts';

// A page of a hundred runs has thousands of fields, and graphql-js takes more than a microsecond for each. Queries that are
// asked again and again are compiled to functions instead, which answer the same.

type Executor = (operation: CoercedOperation, context: GraphqlContext) => Promise<ExecutionResult>;

/** Operations of a document that were asked for before, each with an object that stands for it. */
type Asked = Map<string | undefined, object>;

/** Fields of an operation with its fragments written out: more are not compiled, for the function grows with them. */
const MOST_FIELDS = 1_000;
/** Fields of all functions that are kept: about 5 kB each. */
const MOST_FIELDS_KEPT = 10_000;

/**
 * Executes operations. A query is compiled when it is asked for the second time, and kept until others need the room. One that
 * has directives, texts or objects as values, or looks at the schema is left to graphql-js, as mutations are. What its variables
 * may be is never compiled: they are coerced before.
 */
export function createQueryExecutor(mostFieldsKept: number = MOST_FIELDS_KEPT): Executor {
  const documents = new WeakMap<DocumentNode, Asked>();
  const executors = createBoundedCache<object, Executor>(mostFieldsKept);

  return async (operation, context) => {
    const { document, operationName } = operation;
    const asked: Asked = documents.get(document) ?? new Map();
    documents.set(document, asked);
    const key = asked.get(operationName);
    if (key === undefined) {
      asked.set(operationName, {});
      return await interpret(operation, context);
    }
    const known = executors.get(key);
    if (known !== undefined) return await known(operation, context);
    const fields = plainFields(document, operationName);
    const compiled = fields <= MOST_FIELDS ? await compile(operation) : null;
    executors.set(key, compiled ?? interpret, compiled === null ? 1 : fields);
    return await (compiled ?? interpret)(operation, context);
  };
}

async function interpret(
  { schema, document, operationName, values }: CoercedOperation,
  contextValue: GraphqlContext,
): Promise<ExecutionResult> {
  return await execute({ schema, document, operationName, variableValues: values, contextValue });
}

async function compile({ schema, document, operationName }: CoercedOperation): Promise<Executor | null> {
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const compiled = compileQuery(schema, document, operationName);
  if (!isCompiledQuery(compiled)) return null;
  return async (operation, context) => {
    // graphql-jit takes a variable that is not a number for a wrong one
    if (Object.values(operation.values).some(Number.isNaN)) return await interpret(operation, context);
    const { data, errors } = await compiled.query(undefined, context, operation.values);
    const found = errors === undefined ? {} : { errors: errors.map((error) => asGraphqlError(error, document)) };
    return data === undefined ? found : { ...found, data };
  };
}

/** An error of a compiled query as graphql-js makes it: with extensions, and places in the document. */
function asGraphqlError(
  { message, path, locations = [], originalError }: GraphQLError,
  { loc }: DocumentNode,
): GraphQLError {
  return new GraphQLError(message, {
    ...(loc === undefined ? {} : { source: loc.source, positions: positionsOf(locations, loc.source.body) }),
    path: path ?? null,
    originalError: originalError ?? null,
  });
}

/** Where lines and columns, both from 1, are in a text. */
function positionsOf(locations: readonly { line: number; column: number }[], text: string): number[] {
  const starts = [0, ...Array.from(text.matchAll(/\r\n|[\n\r]/g), (end) => end.index + end[0].length)];
  return locations.map(({ line, column }) => (starts[line - 1] ?? 0) + column - 1);
}

/** Whether an operation with coerced variables is one of those that are compiled. */
export function isPlainQuery(document: DocumentNode, operationName: string | undefined): boolean {
  return plainFields(document, operationName) <= MOST_FIELDS;
}

/** The number of fields of an operation; infinite where it is not to be compiled. */
function plainFields(document: DocumentNode, operationName: string | undefined): number {
  const operation = getOperationAST(document, operationName);
  const isQuery = operation?.operation === OperationTypeNode.QUERY && (operation.directives ?? []).length === 0;
  const names = (operation?.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  if (!isQuery || !names.every(isPlainName)) return Number.POSITIVE_INFINITY;
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  return countPlain(operation.selectionSet, fragments, 0);
}

/** The number of fields counted so far with those of a selection; infinite where one is out of the ordinary. */
function countPlain(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  before: number,
): number {
  let count = before;
  for (const node of selections) {
    if (count > MOST_FIELDS || (node.directives ?? []).length > 0) return Number.POSITIVE_INFINITY;
    count++;
    if (node.kind === Kind.FIELD) {
      const isOfSchema = node.name.value.startsWith('__') && node.name.value !== '__typename';
      const isUnusual = isOfSchema || (node.alias !== undefined && !isPlainName(node.alias.value));
      if (isUnusual || (node.arguments ?? []).some(({ value }) => isIntricate(value))) return Number.POSITIVE_INFINITY;
      if (node.selectionSet !== undefined) count = countPlain(node.selectionSet, fragments, count);
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    if (fragment === undefined || (fragment.directives ?? []).length > 0) return Number.POSITIVE_INFINITY;
    count = countPlain(fragment.selectionSet, fragments, count);
  }
  return count;
}

/** Whether a name that the caller chose means nothing to JavaScript's objects, and nothing to graphql-jit. */
function isPlainName(name: string): boolean {
  return !name.includes('__') && !(name in Object.prototype);
}

/**
 * Whether a value is a text, an object, or a list with variables or such values. graphql-jit 0.8.9 replaces marks of its own in the
 * function that it writes, and what stands behind such a mark in a text becomes code: no text of a caller goes in.
 */
function isIntricate(value: ValueNode): boolean {
  if (value.kind === Kind.LIST) return value.values.some((one) => one.kind === Kind.VARIABLE || isIntricate(one));
  return value.kind === Kind.STRING || value.kind === Kind.OBJECT;
}
