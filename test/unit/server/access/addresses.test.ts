import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { artifactName } from '#src/server/routes/artifactName.ts';
import { byteRange } from '#src/server/routes/byteRange.ts';
import { hostOf, isLoopback } from '#src/server/access/loopback.ts';
import { createRequestGuard } from '#src/server/access/requestGuard.ts';

function requestWith(headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  return request;
}

describe('hosts', () => {
  test.each([
    ['127.0.0.1:4680', '127.0.0.1'],
    ['LOCALHOST', 'localhost'],
    ['[::1]:4680', '::1'],
    ['[::1]', '::1'],
    ['example.org:80', 'example.org'],
  ])('the host of %s is %s', (authority, host) => {
    expect(hostOf(authority)).toBe(host);
  });

  test.each(['localhost', 'x.localhost', '127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    '%s is loopback',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0',
    '::',
    '::ffff:127.evil.example',
    '::ffff:10.0.0.1',
    '10.0.0.1',
    'example.org',
    '127.0.0.1.example.org',
    'localhost.example.org',
    '',
  ])('%j is not loopback', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('the guard', () => {
  const guard = createRequestGuard({
    loopbackOnly: true,
    origins: ['https://tracking.example.org/'],
    originsAreNames: false,
  });

  test('a foreign name that points here is refused', () => {
    expect(guard.hostAllowed(requestWith({ host: '127.0.0.1:4680' }))).toBe(true);
    expect(guard.hostAllowed(requestWith({ host: 'evil.example.org:4680' }))).toBe(false);
    expect(guard.hostAllowed(requestWith({}))).toBe(false);
  });

  test('behind a proxy of this machine the named origins are names of the server, where a token is asked for', () => {
    const origins = ['https://tracking.example.org'];
    const behindProxy = (originsAreNames: boolean) =>
      createRequestGuard({ loopbackOnly: true, origins, originsAreNames }).hostAllowed(
        requestWith({ host: 'tracking.example.org' }),
      );
    expect([behindProxy(true), behindProxy(false)]).toEqual([true, false]);
  });

  test('any name is taken where the server is not bound to loopback', () => {
    const open = createRequestGuard({ loopbackOnly: false, origins: [], originsAreNames: false });
    expect(open.hostAllowed(requestWith({ host: 'tracking.example.org' }))).toBe(true);
  });

  test.each([
    [undefined, true],
    ['http://127.0.0.1:4680', true],
    ['https://tracking.example.org', true],
    ['http://127.0.0.1:9999', false],
    ['https://evil.example.org', false],
    ['null', false],
  ])('origin %s allowed: %s', (origin, allowed) => {
    const headers = { host: '127.0.0.1:4680', ...(origin === undefined ? {} : { origin }) };
    expect(guard.originAllowed(requestWith(headers))).toBe(allowed);
  });
});

describe('names of artifacts', () => {
  test.each([
    ['predictions.npy', 'predictions.npy'],
    ['figures/loss%20curve.svg', 'figures/loss curve.svg'],
    ['a/..b/c..', 'a/..b/c..'],
    ['%C3%A9.txt', 'é.txt'],
  ])('%s is %s', (encoded, name) => {
    expect(artifactName(encoded)).toBe(name);
  });

  test.each(['..', 'a/../b', '%2e%2e/x', 'a//b', '', '/etc/passwd', 'a/', 'a%2Fb', 'a%5Cb', 'a%00b', '%zz', '.'])(
    '%s is refused',
    (encoded) => {
      expect(() => artifactName(encoded)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
    },
  );
});

describe('ranges', () => {
  // RFC 9110, section 14.1.2: a representation of 10,000 bytes
  test.each([
    ['bytes=0-499', { start: 0, end: 499 }],
    ['bytes=500-999', { start: 500, end: 999 }],
    ['bytes=-500', { start: 9_500, end: 9_999 }],
    ['bytes=9500-', { start: 9_500, end: 9_999 }],
    ['bytes=0-20000', { start: 0, end: 9_999 }],
    ['bytes=-20000', { start: 0, end: 9_999 }],
    ['bytes=10000-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=0-0,-1', null],
    ['items=0-1', null],
    [undefined, null],
  ])('%s', (header, expected) => {
    expect(byteRange(header, 10_000)).toEqual(expected);
  });

  test('nothing of an empty file can be had', () => {
    expect(byteRange('bytes=0-0', 0)).toBe('unsatisfiable');
  });
});
