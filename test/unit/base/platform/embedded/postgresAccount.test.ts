import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canEnter } from '#src/base/platform/embedded/postgresAccount.ts';

/** Of nobody on this machine. */
const stranger = { uid: 3_999_999_999, gid: 3_999_999_999 };

describe.skipIf(process.platform === 'win32')('canEnter', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'warren-account-'));
    mkdirSync(join(folder, 'inner'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('needs every folder on the way to be open to the account', () => {
    chmodSync(folder, 0o700);
    chmodSync(join(folder, 'inner'), 0o777);
    expect(canEnter(join(folder, 'inner'), stranger)).toBe(false);
    chmodSync(folder, 0o711);
    expect(canEnter(join(folder, 'inner'), stranger)).toBe(true);
    chmodSync(join(folder, 'inner'), 0o600);
    expect(canEnter(join(folder, 'inner'), stranger)).toBe(false);
  });

  it('knows the owner and the group', () => {
    chmodSync(folder, 0o700);
    const uid = process.getuid?.() ?? 0;
    const gid = process.getgid?.() ?? 0;
    expect(canEnter(folder, { uid, gid: stranger.gid })).toBe(true);
    chmodSync(folder, 0o070);
    expect(canEnter(folder, { uid: stranger.uid, gid })).toBe(true);
    expect(canEnter(folder, { uid, gid })).toBe(false);
    chmodSync(folder, 0o700);
  });

  it('holds for the account of this process, whatever the modes say', () => {
    chmodSync(folder, 0);
    expect(canEnter(folder, null)).toBe(true);
    chmodSync(folder, 0o700);
  });
});
