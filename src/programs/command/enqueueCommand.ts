import { WarrenError } from '#src/base/contracts/errors.ts';
import { EnqueueCommandDocument, type EnqueueCommandInput, type QueuedRunFragment } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

/** Queues one run per seed. The code is sent where the server does not have it yet. */
export async function enqueueCommand(
  api: ApiClient,
  input: EnqueueCommandInput,
  codeFile: string | null,
): Promise<QueuedRunFragment[]> {
  const ask = async () => (await api.request(EnqueueCommandDocument, { input })).enqueueCommand;
  return await sendingCode(api, { code: input.code ?? undefined, file: codeFile }, ask);
}

/** Asks the API; where it lacks the code, sends that and asks again. */
export async function sendingCode<Answer>(
  api: ApiClient,
  { code, file }: { code: string | undefined; file: string | null },
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask();
  } catch (thrown) {
    const wantsCode = thrown instanceof WarrenError && thrown.code === 'NOT_FOUND' && thrown.path === 'code';
    if (!wantsCode || file === null || code === undefined) throw thrown;
    await api.upload('/code', file, { 'content-type': 'application/gzip', 'x-content-sha256': code });
    return await ask();
  }
}
