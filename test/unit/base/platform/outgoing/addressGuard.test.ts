import { expect, test } from 'vitest';
import { createAddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  'no address',
])('%s is not for messages', (address) => {
  expect(createAddressGuard([]).allows(address)).toBe(false);
});

test.each(['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is', (address) => {
  expect(createAddressGuard([]).allows(address)).toBe(true);
});

test('an administrator allows networks, addresses or everything', () => {
  const guard = createAddressGuard(['10.2.0.0/16', '192.168.1.7', 'fd00::/8']);
  expect(['10.2.9.9', '192.168.1.7', 'fd12::1'].every((address) => guard.allows(address))).toBe(true);
  expect(['10.3.0.1', '192.168.1.8', '::1'].some((address) => guard.allows(address))).toBe(false);
  expect(createAddressGuard(['all']).allows('127.0.0.1')).toBe(true);
});

test.each(['10.0.0.0/33', '10.0.0', 'example.org', '10.0.0.0/8/8', '::/129', '1.2.3.4/'])(
  '%s is no network',
  (network) => {
    expect(() => createAddressGuard([network])).toThrow(`WARREN_ALERT_ALLOW_PRIVATE: expected \`all\`, or addresses`);
  },
);
