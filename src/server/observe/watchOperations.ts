import type { ApolloServerPlugin } from '@apollo/server';
import { Kind, type OperationDefinitionNode } from 'graphql';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import { renameSpan } from '#src/base/platform/tracing/tracing.ts';
import type { Instruments } from './instruments.ts';
import type { SlowWorkLog } from './slowWork.ts';

export interface WatchOperationsOptions {
  instruments: Pick<Instruments, 'operation' | 'error'>;
  logger: Logger;
  /** Operations that take longer are written to the log. */
  slowMs: number;
  slowWork: Pick<SlowWorkLog, 'note'>;
}

/** Counts operations and their errors, and writes the slow and the failed ones to the log with their request's id. */
export function watchOperations({
  instruments,
  logger,
  slowMs,
  slowWork,
}: WatchOperationsOptions): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      const startedMs = performance.now();
      return {
        async willSendResponse({ operation, contextValue, response }) {
          const milliseconds = performance.now() - startedMs;
          const field = operation === undefined ? 'invalid' : firstField(operation);
          instruments.operation(field, milliseconds / 1000);
          renameSpan(`${operation?.operation ?? 'invalid'} ${field}`, {
            'warren.request_id': contextValue.requestId ?? '',
          });
          const errors = response.body.kind === 'single' ? (response.body.singleResult.errors ?? []) : [];
          for (const { extensions } of errors) instruments.error(String(extensions?.code ?? 'INTERNAL'));
          const { requestId } = contextValue;
          const ids = errors.flatMap(({ extensions }) => (typeof extensions?.id === 'string' ? [extensions.id] : []));
          if (ids.length > 0) logger.warn({ requestId, field, ids }, 'a request has failed operations');
          if (milliseconds >= slowMs) {
            slowWork.note('operation', field, milliseconds);
            logger.warn({ requestId, field, milliseconds: Math.round(milliseconds) }, 'an operation took long');
          }
        },
      };
    },
  };
}

/** The first field of an operation that has been checked against the schema: one of so many names. */
function firstField(operation: OperationDefinitionNode): string {
  const field = operation.selectionSet.selections.find((node) => node.kind === Kind.FIELD);
  return field?.kind === Kind.FIELD ? field.name.value : 'fragment';
}
