import { isIP } from 'node:net';

/** Host of an address such as `[::1]:4680`, in lower case, without its port and brackets. */
export function hostOf(authority: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(authority);
  return (bracketed?.[1] ?? authority.replace(/:\d*$/, '')).toLowerCase();
}

/** Whether a name or address can only mean this machine. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (isIP(host) === 4) return host.startsWith('127.');
  return host === '::1' || (isIP(host) === 6 && /^::ffff:(?:127\.|7f[\da-f]{2}:)/.test(host));
}
