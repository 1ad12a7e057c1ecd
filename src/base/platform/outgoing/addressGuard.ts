import { BlockList, isIP } from 'node:net';
import { badInput } from '#src/base/contracts/errors.ts';

/** Says which addresses requests may go to whose targets users name. */
export interface AddressGuard {
  /** Whether this IP address may be connected to. */
  allows(address: string): boolean;
}

/**
 * Networks that are not the public internet, and IPv6 networks that lead into IPv4 (IANA's special-purpose registries).
 * IPv4 addresses within IPv6 ones (`::ffff:10.0.0.1`) are looked up as what they are.
 */
const INNER = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
].flatMap((line) => line.split(' '));

/**
 * @param allowed Inner networks that are allowed all the same: `10.2.0.0/16`, `192.168.1.7`; `all` allows every address.
 * @throws WarrenError BAD_INPUT for what is no network.
 */
export function createAddressGuard(allowed: readonly string[]): AddressGuard {
  if (allowed.includes('all')) return { allows: () => true };
  const inner = blockListOf(INNER);
  const exceptions = blockListOf(allowed);
  return {
    allows(address) {
      const version = isIP(address);
      if (version === 0) return false;
      const family = version === 4 ? 'ipv4' : 'ipv6';
      return exceptions.check(address, family) || !inner.check(address, family);
    },
  };
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/');
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    const length = bits === undefined ? longest : Number(bits);
    const right = version !== 0 && more.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
    if (!right || length > longest) {
      const expected = 'expected `all`, or addresses and networks such as 10.0.0.0/8, separated by commas';
      throw badInput(`WARREN_ALERT_ALLOW_PRIVATE: ${expected}, got "${network}"`, 'WARREN_ALERT_ALLOW_PRIVATE');
    }
    list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
