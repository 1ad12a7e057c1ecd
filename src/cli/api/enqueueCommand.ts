import { z } from 'zod';
import { WarrenError } from '#src/contracts/errors.ts';
import type { ApiClient } from '../apiClient.ts';
import { type QueuedRun, queuedRunSchema } from './enqueueRuns.ts';
import { RUN_SUMMARY_FIELDS } from './runSummary.ts';

/** The members of EnqueueCommandInput that the command line sets. */
export interface EnqueueCommandInput {
  command: string[];
  parameters: Record<string, unknown>;
  seeds: number[];
  project?: string;
  name?: string;
  code?: string;
  folder?: string;
  environment?: string;
  priority?: number;
  tags?: string[];
  maxAttempts?: number;
  gpus?: number;
  memoryMb?: number;
  cores?: number;
  labels?: string[];
  seconds?: number;
  origin?: Record<string, unknown>;
}

const MUTATION = `mutation EnqueueCommand($input: EnqueueCommandInput!) { enqueueCommand(input: $input) {
  ${RUN_SUMMARY_FIELDS} warnings
} }`;

/** Queues one run per seed. The code is sent where the server does not have it yet. */
export async function enqueueCommand(
  api: ApiClient,
  input: EnqueueCommandInput,
  codeFile: string | null,
): Promise<QueuedRun[]> {
  const ask = async () => {
    const answer = await api.request(MUTATION, { input }, z.object({ enqueueCommand: z.array(queuedRunSchema) }));
    return answer.enqueueCommand;
  };
  try {
    return await ask();
  } catch (thrown) {
    const wantsCode = thrown instanceof WarrenError && thrown.code === 'NOT_FOUND' && thrown.path === 'code';
    if (!wantsCode || codeFile === null || input.code === undefined) throw thrown;
    await api.upload('/code', codeFile, { 'content-type': 'application/gzip', 'x-content-sha256': input.code });
    return await ask();
  }
}
