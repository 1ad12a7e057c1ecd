import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiProcessesForTests } from './support/apiProcessesForTests.ts';
import { clientOf } from './support/apiForTests.ts';
import { atEndOfFile } from './support/atEndOfFile.ts';
import { postgresForTests } from './support/postgresForTests.ts';
import { startProgram } from './runtime/testWorkers.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { waitUntil } from './support/waitUntil.ts';

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
});
/** What a collector gets at `/v1/traces`, as JSON. */
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});
type Received = z.infer<typeof spanSchema> & { service: unknown };

const spans: Received[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.on('data', (text) => (body += String(text)));
  request.on('end', () => {
    for (const { resource, scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue;
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service })));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
atEndOfFile(() => void collector.close());

const postgres = await postgresForTests();
const startProcess = apiProcessesForTests();

const TRACE = '0af7651916cd43dd8448eb211c80319c';

test('a run is one trace: request, operation, use case, statements, and what the worker does with it', async () => {
  const address = collector.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const tracing = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    DATABASE_URL: postgres.url,
  };
  const process_ = startProcess({ ...tracing, WARREN_PORT: '0' });
  const url = await waitUntil(`the API ${process_.stderr}`, () => process_.url, 30_000);
  const { graphql } = clientOf(url);
  const worker = await startProgram(builtFile('worker.js'), {
    ...tracing,
    WARREN_HOME: join(temporaryFolder(), 'worker'),
    WARREN_API_URL: url,
    WARREN_BACKEND: 'cpu',
    WARREN_LOG: 'warn',
  });
  atEndOfFile(async () => void (await worker.stop()));
  const input = { kind: 'popularity', dataset: { name: 'generated/markov-small' } };
  const query = 'mutation Queue($input: EnqueueRunsInput!) { enqueueRuns(input: $input) { id } }';
  const { data } = await graphql(query, { input }, { traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
  const named = (name: string) => spans.find((span) => span.traceId === TRACE && span.name === name);
  const executor = await waitUntil('the executor’s span', () => named('executor'), 60_000);
  const parentOf = ({ parentSpanId }: Received) => spans.find(({ spanId }) => spanId === parentSpanId);

  const execution = parentOf(executor)!;
  expect(execution).toMatchObject({ name: 'execute run', service: 'warren-worker' });
  const runId = { key: 'warren.run_id', value: { stringValue: data.enqueueRuns[0].id } };
  expect(execution.attributes).toContainEqual(runId);
  const useCase = await waitUntil('the use case', () => named('Mutation.enqueueRuns'));
  expect(parentOf(execution)).toEqual(useCase);
  const operation = await waitUntil('the operation', () => named('mutation enqueueRuns'));
  expect(parentOf(useCase)).toEqual(operation);
  const request = await waitUntil('the request', () => named('POST /graphql'));
  expect(parentOf(operation)).toEqual(request);
  expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', service: 'warren-api' });
  const statements = spans.filter(({ parentSpanId, name }) => parentSpanId === useCase.spanId && name === 'INSERT');
  expect(statements.length).toBeGreaterThan(0);
  expect(JSON.stringify(statements)).toContain('INSERT INTO run ');
  const ofWorker = spans.filter(({ parentSpanId }) => parentSpanId === execution.spanId).map(({ name }) => name);
  expect(ofWorker).toContain('UPDATE');
});
