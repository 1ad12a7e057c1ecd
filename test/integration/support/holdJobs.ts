// A program that takes jobs from the queue and never finishes one, for tests that kill it. It prints each job it takes.
import { z } from 'zod';
import { consumeRuns } from '#src/base/platform/queue/runConsumer.ts';

const location = z
  .object({ databaseUrl: z.string(), redisUrl: z.string().nullable(), prefix: z.string().optional() })
  .transform(({ prefix, ...rest }) => (prefix === undefined ? rest : { ...rest, prefix }))
  .parse(JSON.parse(process.argv[2] ?? ''));

await consumeRuns({
  ...location,
  slots: 1,
  onJob: (payload) => {
    console.log(payload.runId);
    return new Promise(() => {});
  },
  onError: (error) => console.error(error.message),
});
