import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FragmentDefinitionNode,
  getNamedType,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  Kind,
  OperationTypeNode,
  print,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { GraphqlContext } from '#src/graphql/context.ts';
import { createBoundedCache } from '#src/lib/boundedCache.ts';

// A page of a hundred runs has thousands of fields, and graphql-js takes more than a microsecond for each. Queries that are
// asked again and again are compiled to functions instead, which answer the same.

/** An operation that has been checked against the schema. */
export interface CheckedOperation {
  document: DocumentNode;
  operationName: string | undefined;
  variables: Record<string, unknown>;
  contextValue: GraphqlContext;
}

type Executor = (operation: CheckedOperation) => Promise<ExecutionResult>;

/** Operations of a document that were asked for before, each with an object that stands for it. */
type Asked = Map<string | undefined, object>;

/** Fields of an operation with its fragments written out: more are not compiled, for the function grows with them. */
const MOST_FIELDS = 1_000;
/** Fields of all functions that are kept: about 5 kB each. */
const MOST_FIELDS_KEPT = 10_000;

/**
 * Executes operations. A query is compiled when it is asked for the second time, and kept until others need the room. One that
 * has directives, texts or objects as values, looks at the schema or is given objects with defaults is left to graphql-js, as
 * mutations are.
 */
export function createQueryExecutor(schema: GraphQLSchema, mostFieldsKept: number = MOST_FIELDS_KEPT): Executor {
  const documents = new WeakMap<DocumentNode, Asked>();
  const executors = createBoundedCache<object, Executor>(mostFieldsKept);
  const interpret: Executor = async ({ document, operationName, variables, contextValue }) =>
    await execute({ schema, document, operationName, variableValues: variables, contextValue });

  return async (operation) => {
    const { document, operationName } = operation;
    const asked: Asked = documents.get(document) ?? new Map();
    documents.set(document, asked);
    const key = asked.get(operationName);
    if (key === undefined) {
      asked.set(operationName, {});
      return await interpret(operation);
    }
    const known = executors.get(key);
    if (known !== undefined) return await known(operation);
    const fields = plainFields(document, operationName);
    const compiled = fields <= MOST_FIELDS ? await compile(schema, operation) : null;
    executors.set(key, compiled ?? interpret, compiled === null ? 1 : fields);
    return await (compiled ?? interpret)(operation);
  };
}

async function compile(schema: GraphQLSchema, { document, operationName }: CheckedOperation): Promise<Executor | null> {
  const interpreted = variablesWithDefaults(schema, document, operationName);
  const { compileQuery, isCompiledQuery } = await import('graphql-jit');
  const compiled = compileQuery(schema, document, operationName);
  if (!isCompiledQuery(compiled)) return null;
  return async ({ contextValue, variables }) => {
    if (interpreted.some((name) => variables[name] != null)) {
      return await execute({ schema, document, operationName, variableValues: variables, contextValue });
    }
    const { data, errors } = await compiled.query(undefined, contextValue, variables);
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

/** Whether an operation is one of those that are compiled. */
export function isPlainQuery(document: DocumentNode, operationName: string | undefined): boolean {
  return plainFields(document, operationName) <= MOST_FIELDS;
}

/** The number of fields of an operation; infinite where it is not to be compiled. */
function plainFields(document: DocumentNode, operationName: string | undefined): number {
  const operation = getOperationAST(document, operationName);
  const isQuery = operation?.operation === OperationTypeNode.QUERY && (operation.directives ?? []).length === 0;
  if (!isQuery || !(operation.variableDefinitions ?? []).every(isPlainVariable)) return Number.POSITIVE_INFINITY;
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

/** Variables that are objects with members that have defaults but may not be null: graphql-jit would demand these. */
function variablesWithDefaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
): string[] {
  const seen = new Set<string>();
  const has = (name: string): boolean => {
    const type = schema.getType(name);
    if (seen.has(name) || !isInputObjectType(type)) return false;
    seen.add(name);
    return Object.values(type.getFields()).some(
      (field) => (isNonNullType(field.type) && field.defaultValue !== undefined) || has(getNamedType(field.type).name),
    );
  };
  const variables = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return variables.flatMap(({ type, variable }) =>
    has(print(type).replace(/[[\]!]/g, '')) ? [variable.name.value] : [],
  );
}

/** Whether graphql-jit reads a variable as graphql-js does: it finds what every object has, and skips or garbles some defaults. */
function isPlainVariable({ variable, type, defaultValue }: VariableDefinitionNode): boolean {
  if (!isPlainName(variable.name.value)) return false;
  if (defaultValue === undefined) return true;
  return type.kind !== Kind.NON_NULL_TYPE && !isIntricate(defaultValue);
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
