import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeToOthers } from '#src/base/platform/files/privateFile.ts';
import { knownPostgresAccount } from '#src/base/platform/embedded/postgresAccount.ts';
import { openFolderToAll } from '#src/base/platform/embedded/postgresPlace.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

const folder = temporaryFolder();
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** A folder with this mode, whatever the umask. */
function folderWith(name: string, mode: number): string {
  const path = join(folder, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

describe.skipIf(process.platform === 'win32')('a home', () => {
  test('is made for its owner alone, and one that others could look into is closed', () => {
    makePrivateHome(join(folder, 'new'));
    const passing = process.getuid?.() === 0 ? knownPostgresAccount() : null;
    expect(modeOf(join(folder, 'new'))).toBe(passing === null ? '700' : '710');
    if (passing !== null) expect(statSync(join(folder, 'new')).gid).toBe(passing.gid);
    const old = folderWith('old', 0o755);
    makePrivateHome(old);
    expect(modeOf(old)).toBe('700');
  });

  test('is made with the folders above it, closed to others, too', () => {
    makePrivateHome(join(folder, 'above', 'between', 'home'));
    for (const name of ['above', 'above/between']) expect(modeOf(join(folder, name))).toBe('700');
  });

  test('where no folder can be made is an error that says so', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makePrivateHome(join(folder, 'file'))).toThrow(/is no folder; set WARREN_HOME to a folder/);
    expect(() => makePrivateHome(join(folder, 'file', 'home'))).toThrow(/cannot be made \(ENOTDIR.*set WARREN_HOME/);
  });

  test.skipIf(process.platform !== 'linux')('below /proc is an error, and not a program that never returns', () => {
    expect(() => makePrivateHome('/proc/warren/home')).toThrow(/the folder \/proc\/warren cannot be made \(ENOENT/);
  });

  test('that was opened to a group on purpose stays open to it', () => {
    const shared = folderWith('shared', 0o770);
    makePrivateHome(shared);
    expect(modeOf(shared)).toBe('770');
  });

  test.skipIf(process.getuid?.() !== 0)('as root, lets the user of PostgreSQL pass through, and nobody else', () => {
    const account = { uid: 12_345, gid: 12_345 };
    for (const home of [join(folder, 'root-new'), folderWith('root-old', 0o755)]) {
      makePrivateHome(home, account);
      expect(modeOf(home)).toBe('710');
      expect(statSync(home).gid).toBe(account.gid);
    }
  });

  test('a link is not followed where everybody is let in, since anybody can make one in /tmp', () => {
    const target = folderWith('target', 0o700);
    const link = join(folder, 'link');
    symlinkSync(target, link);
    expect(() => openFolderToAll(link)).toThrow();
    expect(modeOf(target)).toBe('700');
    expect(openFolderToAll(target)).toBe(true);
    expect(modeOf(target)).toBe('755');
  });

  test('artifacts of an earlier version are closed with their folder', () => {
    const artifacts = folderWith('artifacts', 0o755);
    closeToOthers(artifacts);
    expect(modeOf(artifacts)).toBe('700');
  });
});
