const LONGEST = 2_000;

/**
 * The address in this server to go to after signing in, whole; the first page for anything else. Whole, since a path that begins with
 * `//` would be another server.
 */
export function returnAddress(wanted: unknown, publicOrigin: string): string {
  const home = `${publicOrigin}/`;
  if (typeof wanted !== 'string' || wanted.length > LONGEST || !wanted.startsWith('/')) return home;
  if (!URL.canParse(wanted, home)) return home;
  const address = new URL(wanted, home);
  const isPage = address.origin === publicOrigin && !/^\/+auth(\/|$)/.test(address.pathname);
  return isPage ? address.href : home;
}
