import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { BAD_JSON, BAD_NUMBERS, BAD_TEXTS, withValue } from './support/badValues.ts';
import { type AnyRequest, everyRequest } from './support/everyRequest.ts';
import { faultOf, type HeardAnswer, isToBeAskedAgain } from './support/faultsOf.ts';
import { crowdedProjectsForTests } from './support/crowdedProjects.ts';
import { bearer } from './support/twoProjects.ts';

// Wrong values in every part of every address beside GraphQL, and in every member of MLflow's calls. All of
// them: WARREN_BAD_INPUT_REQUESTS=1000000 npm test -- badRequests
const REQUESTS = Number(process.env.WARREN_BAD_INPUT_REQUESTS ?? 200);
const AT_ONCE = 10;

const both = await crowdedProjectsForTests();
const { api, admin, mine } = both;
const named = { ...mine, runId: mine.run, model: mine.entry };

/** A text in an address, lone surrogates too. */
const encoded = (text: string) =>
  [...text]
    .map((letter) =>
      /[\ud800-\udfff]/.test(letter) && letter.length === 1
        ? [...Buffer.from([0xed, 0xa0, 0x80])].map((byte) => `%${byte.toString(16)}`).join('')
        : encodeURIComponent(letter),
    )
    .join('');

const texts = [
  ...BAD_TEXTS.map(({ what, value }) => ({ what, text: encoded(String(value)).slice(0, 7_000) })),
  ...['%', '%2', '%zz', '%2e%2e', '..%2f..%2fetc%2fpasswd', '%00', '..', '.', '//', '%5c..%5c'].map((text) => ({
    what: text,
    text,
  })),
];
const HEADERS = ['range', 'content-range', 'x-content-sha256', 'if-none-match', 'if-match', 'if-range', 'content-type'];
const HEADER_VALUES = [
  ...['', 'x', 'bytes=-1', 'bytes=0-', 'bytes=9007199254740993-', 'bytes=5-1', 'bytes=0-0,0-0,0-0', 'bytes 0-0/1'],
  ...[
    'bytes 5-1/3',
    'bytes 0-99999999999999999999/99999999999999999999',
    'bytes */-1',
    'bytes */*',
    '*',
    '"'.repeat(500),
  ],
  ...['f'.repeat(64), 'F'.repeat(64), 'g'.repeat(64), 'multipart/form-data', 'application/json; charset=utf-7'],
];

/** A wrong request, made when it is sent: together they are many gigabytes. */
interface Wrong {
  what: string;
  make(): AnyRequest;
}

/** Each request with each of its parts replaced by each wrong value. */
function wrongOnes(right: AnyRequest): Wrong[] {
  const [address = '', query = ''] = right.path.split('?');
  const place = `${right.method} ${address.replaceAll(mine.run, 'RUN')}`;
  return [...wrongPaths(right, address, query), ...wrongHeaders(right, address), ...wrongBodies(right)].map(
    ({ what, make }) => ({ what: `${place} ${what}`, make }),
  );
}

function wrongPaths(right: AnyRequest, address: string, query: string): Wrong[] {
  const parts = address.split('/');
  const rest = query === '' ? '' : `?${query}`;
  const inParts = parts.flatMap((part, index) => {
    // the first names the route, and those of MLflow's calls the call
    if (index < 2 || (address.includes('/mlflow/') && !/artifacts|run|[0-9a-f]{32}/.test(part))) return [];
    return texts.map(({ what, text }) => ({
      what: `part ${index} ${what}`,
      make: () => ({ ...right, path: `${parts.with(index, text).join('/')}${rest}` }),
    }));
  });
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('='));
  const inQuery = pairs.flatMap(([key = ''], index) => [
    ...texts.map(({ what, text }) => ({
      what: `?${key} ${what}`,
      make: () => ({
        ...right,
        path: `${address}?${pairs
          .with(index, [key, text])
          .map((pair) => pair.join('='))
          .join('&')}`,
      }),
    })),
    { what: `?${key} often`, make: () => ({ ...right, path: `${right.path}&${key}=1&${key}[]=2&${key}[a]=3` }) },
  ]);
  return [...inParts, ...inQuery];
}

function wrongHeaders(right: AnyRequest, address: string): Wrong[] {
  if (address.includes('/api/2.0/mlflow/')) return [];
  return HEADERS.flatMap((name) =>
    HEADER_VALUES.map((value) => ({
      what: `${name}: ${value}`,
      make: () => ({ ...right, headers: { ...right.headers, [name]: value } }),
    })),
  );
}

function wrongBodies(right: AnyRequest): Wrong[] {
  if (right.body?.startsWith('{') !== true) return [];
  const body: Record<string, unknown> = JSON.parse(right.body);
  return Object.entries(body).flatMap(([key, given]) => {
    const [first]: unknown[] = Array.isArray(given) ? given : [];
    const paths = [[key], ...(isPlainObject(first) ? Object.keys(first).map((member) => [key, 0, member]) : [])];
    return paths.flatMap((path) =>
      [...BAD_TEXTS, ...BAD_NUMBERS, ...BAD_JSON, { what: 'null', value: null }].map(({ what, value }) => ({
        what: `${path.join('.')} ${what}`,
        make: () => ({ ...right, body: JSON.stringify(withValue(body, path, value)) }),
      })),
    );
  });
}

/** By the path as it is, which `fetch` would change. */
function send({ what, make }: Wrong): Promise<HeardAnswer> {
  const { method, path, headers, body } = make();
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        ...{ host: '127.0.0.1', port: api.server.port, path, method },
        headers: { 'content-type': 'application/json', ...bearer(admin), ...headers },
      },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            ...{ what, status: response.statusCode ?? 0, milliseconds: performance.now() - start },
            text: Buffer.concat(parts).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** No answer is a fault as one of the server's own is. */
async function heard(wrong: Wrong): Promise<HeardAnswer> {
  const noAnswer = (error: Error): HeardAnswer => ({
    ...{ what: wrong.what, status: 599, text: error.message, milliseconds: 0 },
  });
  const first = await send(wrong).catch(noAnswer);
  return isToBeAskedAgain(first) ? await send(wrong).catch(noAnswer) : first;
}

test('wrong requests are refused by every address with what is wrong', { timeout: 7_200_000 }, async () => {
  const random = randomGenerator(20_261_129, 'requests');
  const all = Object.values(everyRequest(named)).flat().flatMap(wrongOnes);
  const chosen =
    REQUESTS >= all.length ? all : Array.from({ length: REQUESTS }, () => all[random.nextInt(all.length)]!);
  const faults: string[] = [];
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    const answers = await Promise.all(chosen.slice(from, from + AT_ONCE).map(heard));
    faults.push(...answers.flatMap((answer) => faultOf(answer) ?? []));
  }
  expect(faults).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
  expect((await api.fetch('/health')).status).toBe(200);
});
