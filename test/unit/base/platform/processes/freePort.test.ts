import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '#src/base/platform/processes/freePort.ts';

describe('freePort', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function occupy(port: number): Promise<void> {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  }

  it('gives the wanted port when it is free, and a later one when it is taken', async () => {
    const wanted = await freePort(0);
    expect(await freePort(wanted)).toBe(wanted);
    await occupy(wanted);
    expect(await freePort(wanted)).toBeGreaterThan(wanted);
  });

  it('refuses an address that is not of this machine', async () => {
    // 192.0.2.0/24 is for documentation (RFC 5737): nobody has it.
    await expect(freePort(4680, '192.0.2.1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
