import { processorMs } from '#test/config/processorTime.ts';

/** What a benchmark measures against: an API process and its database. */
export interface Service {
  url: string;
  pids: readonly number[];
}

export interface CallTimes {
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  callsPerSecond: number;
  /** Of all programs a call, and of each in the order of the service. */
  processorMs: number;
  ofEach: number[];
}

/** The data of a GraphQL answer. @throws Error where it has errors. */
export async function call(service: Service, query: string, variables: Record<string, unknown> = {}): Promise<unknown> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const body: unknown = JSON.parse(await response.text());
  if (typeof body === 'object' && body !== null && 'data' in body && !('errors' in body)) return body.data;
  throw new Error(`${response.status}: ${JSON.stringify(body).slice(0, 500)}`);
}

/** Calls one after another, after three that are not counted. */
export async function timeCalls(service: Service, count: number, work: () => Promise<unknown>): Promise<CallTimes> {
  for (let warmUp = 0; warmUp < 3; warmUp++) await work();
  const until = { calls: count, ms: Number.POSITIVE_INFINITY };
  return await timeClients(service, { clients: 1, until }, work);
}

/** Calls by several clients at once, each after its last, for a number of calls or a time, whichever ends first. */
export async function timeClients(
  service: Service,
  { clients, until }: { clients: number; until: { calls: number; ms: number } },
  work: (client: number, turn: number) => Promise<unknown>,
): Promise<CallTimes> {
  const times: number[] = [];
  const used = () => service.pids.map((pid) => processorMs([pid]));
  const usedBefore = used();
  const started = performance.now();
  let begun = 0;
  const client = async (_: unknown, index: number) => {
    for (let turn = 0; begun < until.calls && performance.now() - started < until.ms; turn++) {
      begun++;
      const before = performance.now();
      await work(index, turn);
      times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - started) / 1000;
  const ofEach = used().map((now, index) => (now - usedBefore[index]!) / times.length);
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? Number.NaN;
  return {
    ...{ p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
    callsPerSecond: times.length / seconds,
    processorMs: ofEach.reduce((sum, one) => sum + one, 0),
    ofEach,
  };
}
