import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeAttemptFolders } from '#workers/runtime/commands/commandPlace.ts';

const scratch = mkdtempSync(join(tmpdir(), 'warren-attempts-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const user = { name: 'nobody', uid: 65_534, gid: 65_534, home: '/', cacheFolder: '/' };

test.runIf(process.getuid?.() === 0)(
  'an attempt that died while it was prepared is removed, others at most told of',
  async () => {
    chmodSync(scratch, 0o711);
    for (const name of ['closed-1/code/src', 'handed-1/code/of-root']) {
      mkdirSync(join(scratch, name), { recursive: true });
      writeFileSync(join(scratch, name, 'file'), '');
    }
    chmodSync(join(scratch, 'closed-1/code'), 0o700);
    chmodSync(join(scratch, 'handed-1/code/of-root'), 0o700);
    chownSync(join(scratch, 'handed-1/code'), user.uid, user.gid);
    const told: string[] = [];
    await removeAttemptFolders(scratch, { user, warn: (message) => told.push(message) });
    expect(existsSync(join(scratch, 'closed-1'))).toBe(false);
    expect(told).toEqual([expect.stringContaining('handed-1 cannot be removed: ')]);
  },
);
