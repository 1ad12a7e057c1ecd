import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressGuard } from './addressGuard.ts';

/** Follows the address, or a name and its address, that is refused. */
export const REFUSED_INNER =
  'is in the inner network, where messages do not go: an administrator can allow its network with WARREN_ALERT_ALLOW_PRIVATE';

/** An address of the inner network that the host of a URL is or has; null where there is none, or nothing is known of the host. */
export async function innerAddress(guard: AddressGuard, url: string): Promise<string | null> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return guard.allows(host) ? null : host;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.find(({ address }) => !guard.allows(address))?.address ?? null;
}
