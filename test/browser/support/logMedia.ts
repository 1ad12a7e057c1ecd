import { createHash } from 'node:crypto';
import type { TestApi } from '#test/integration/support/apiForTests.ts';

/** Contents sent at once. */
const AT_ONCE = 4;

export interface MediaToLog {
  name: string;
  step?: number;
  index?: number;
  kind: string;
  mediaType?: string;
  content?: string | Uint8Array<ArrayBuffer>;
  caption?: string;
  metadata?: unknown;
}

/** Sends contents and their records, as the clients do. */
export async function logMedia(api: TestApi, runId: string, media: readonly MediaToLog[]): Promise<void> {
  const items: Record<string, unknown>[] = [];
  const contents = new Map<string, { content: string | Uint8Array<ArrayBuffer>; mediaType: string }>();
  for (const { content, mediaType = 'application/octet-stream', step = 0, ...item } of media) {
    const sha256 = content === undefined ? null : createHash('sha256').update(content).digest('hex');
    items.push({ ...item, step, sha256 });
    if (sha256 !== null && content !== undefined) contents.set(sha256, { content, mediaType });
  }
  const waiting = contents.entries();
  const sendInTurn = async () => {
    for (const [sha256, { content, mediaType }] of waiting) {
      const init = { method: 'PUT', body: content, headers: { 'content-type': mediaType } };
      const answer = await api.fetch(`/artifacts/${runId}/media/${sha256}`, init);
      if (answer.status !== 201) throw new Error(await answer.text());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendInTurn));
  for (let from = 0; from < items.length; from += 1000) {
    await api.ok('mutation ($runId: ID!, $items: [MediaInput!]!) { logMedia(runId: $runId, items: $items) }', {
      runId,
      items: items.slice(from, from + 1000),
    });
  }
}
