import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { AddressGuard } from './addressGuard.ts';
import { REFUSED_INNER } from './innerAddress.ts';

export interface GuardedPost {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  guard: AddressGuard;
  /** Milliseconds until the answer's status must be here. */
  timeoutMs: number;
}

/**
 * Posts to an address that a user gave, and answers the status; nothing of the answer's body is read, and redirects are not
 * followed. Names are resolved once, here, and only what was resolved is connected to.
 * @throws WarrenError FORBIDDEN where the address is one of the inner network; Error where nothing answers in time.
 */
export async function guardedPost({ url, headers, body, guard, timeoutMs }: GuardedPost): Promise<number> {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  // a literal address is connected to without being looked up
  if (isIP(host) !== 0 && !guard.allows(host)) throw refused(host);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  const payload = Buffer.from(body);
  return await new Promise<number>((resolve, reject) => {
    const sending = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': payload.length, 'user-agent': 'Warren' },
      agent: false,
      lookup: guardedLookup(guard),
      maxHeaderSize: 16_384,
    });
    const timer = setTimeout(() => sending.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    sending.on('close', () => clearTimeout(timer));
    sending.on('error', reject);
    sending.on('response', (response) => {
      resolve(response.statusCode ?? 0);
      response.on('error', () => {});
      response.destroy();
    });
    sending.end(payload);
  });
}

/** Resolves a name for a connection, and refuses it where any of its addresses is not allowed. */
function guardedLookup(guard: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: LookupAddress[] = found ?? [];
      const [first] = addresses;
      const wrong = addresses.find(({ address }) => !guard.allows(address));
      if (error !== null) callback(error, '');
      else if (first === undefined) callback(new Error(`${hostname} has no address`), '');
      else if (wrong !== undefined) callback(refused(`${hostname} (${wrong.address})`), '');
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function refused(what: string): WarrenError {
  return new WarrenError('FORBIDDEN', `${what} ${REFUSED_INNER}`);
}
