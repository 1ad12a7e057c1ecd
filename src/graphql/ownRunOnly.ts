import {
  type FieldNode,
  GraphQLError,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getOperationRootType,
  isLeafType,
  Kind,
  type SelectionNode,
} from 'graphql';
import type { CoercedOperation } from '../base/graphql/coercedOperation.ts';

/** What a program that a worker executes may ask for, of its own run. */
const FIELDS = new Set([
  ...['run', 'createRun', 'addParameters', 'logMetrics', 'logMedia', 'defineMetrics', 'heartbeat', 'updateRun'],
  ...['registerVersion', 'useRegistryVersion'],
  'raiseAlert',
]);

/** What of these may be asked for though it has parts, none of which leads to another object. */
const OPEN_MEMBERS = new Set(['metrics', 'mediaSeries', 'texts', 'files', '__typename']);

function refused(what: string): GraphQLError {
  const message = `${what} is not open to the token of a run, which is for logging into that run alone`;
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN', http: { status: 200 } } });
}

function fieldsOf(selections: readonly SelectionNode[]): FieldNode[] {
  return selections.map((node) => {
    if (node.kind === Kind.FIELD) return node;
    throw refused('a fragment');
  });
}

/** The run that a field names in its arguments. */
function runNamedBy(args: Readonly<Record<string, unknown>>): unknown {
  const { input } = args;
  if (typeof input === 'object' && input !== null && 'id' in input) return input.id;
  if (typeof input === 'object' && input !== null && 'runId' in input) return input.runId;
  return args.runId ?? args.id;
}

/**
 * Holds an operation of a program that a worker executes to its own run: its reports, and of the run itself what leads to no
 * other object, its metrics, and the files of a version that it registers or takes.
 * @throws GraphQLError FORBIDDEN for anything else. The document is valid.
 */
export function refuseBeyondOwnRun({ schema, document, values, operationName }: CoercedOperation, runId: string): void {
  const operation = getOperationAST(document, operationName);
  const root = operation == null ? null : getOperationRootType(schema, operation);
  if (operation == null || root === null) throw refused('this operation');
  for (const node of fieldsOf(operation.selectionSet.selections)) {
    const name = node.name.value;
    if (name === '__typename') continue;
    const field = root.getFields()[name];
    if (field === undefined || !FIELDS.has(name)) throw refused(name);
    const named = runNamedBy(getArgumentValues(field, node, values));
    if (typeof named !== 'string' || named.toLowerCase() !== runId) throw refused('another run');
    const type = getNamedType(field.type);
    if (isLeafType(type) || !('getFields' in type)) continue;
    const members = type.getFields();
    for (const { name: member } of fieldsOf(node.selectionSet?.selections ?? [])) {
      if (OPEN_MEMBERS.has(member.value)) continue;
      const inner = members[member.value];
      if (inner === undefined || !isLeafType(getNamedType(inner.type))) throw refused(member.value);
    }
  }
}
