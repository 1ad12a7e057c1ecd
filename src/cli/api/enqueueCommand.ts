import { WarrenError } from '#src/contracts/errors.ts';
import { EnqueueCommandDocument, type EnqueueCommandInput, type QueuedRunFragment } from '#src/generated/api.ts';
import type { ApiClient } from '../apiClient.ts';

/** Queues one run per seed. The code is sent where the server does not have it yet. */
export async function enqueueCommand(
  api: ApiClient,
  input: EnqueueCommandInput,
  codeFile: string | null,
): Promise<QueuedRunFragment[]> {
  const ask = async () => (await api.request(EnqueueCommandDocument, { input })).enqueueCommand;
  try {
    return await ask();
  } catch (thrown) {
    const wantsCode = thrown instanceof WarrenError && thrown.code === 'NOT_FOUND' && thrown.path === 'code';
    if (!wantsCode || codeFile === null || input.code == null) throw thrown;
    await api.upload('/code', codeFile, { 'content-type': 'application/gzip', 'x-content-sha256': input.code });
    return await ask();
  }
}
