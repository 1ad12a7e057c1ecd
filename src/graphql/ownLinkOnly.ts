import { getOperationAST, GraphQLError, Kind } from 'graphql';
import type { CoercedOperation } from '../base/graphql/coercedOperation.ts';

/** What a page behind a link asks for: what is in the answers is held to the runs of the link wherever it is read. */
const FIELDS = new Set([
  ...['run', 'runs', 'runColumns', 'runGroups', 'compareRuns', 'metricHistory', 'logs', 'artifacts', 'configuration'],
  ...[
    'experimentKinds',
    'report',
    'server',
    'project',
    'projects',
    'views',
    'runChanged',
    'metricsLogged',
    'logAppended',
    '__typename',
    '__schema',
    '__type',
  ],
]);

/**
 * Holds an operation of somebody who has a link to what pages of runs ask for.
 * @throws GraphQLError FORBIDDEN for anything else. The document is valid.
 */
export function refuseBeyondLink({ document, operationName }: CoercedOperation): void {
  const operation = getOperationAST(document, operationName);
  for (const node of operation?.selectionSet.selections ?? []) {
    const name = node.kind === Kind.FIELD ? node.name.value : 'a fragment';
    if (node.kind === Kind.FIELD && FIELDS.has(name)) continue;
    const message = `${name} is not open to a link, which shows what was shared and nothing else`;
    throw new GraphQLError(message, { extensions: { code: 'FORBIDDEN', http: { status: 200 } } });
  }
}
