import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

const packageSchema = z.object({ version: z.string() });

/** The folders with HEAD and with the branches: two in a worktree, whose `.git` is a file that names its own. */
function gitFolders(root: string): { own: string; common: string } {
  const git = join(root, '.git');
  if (statSync(git).isDirectory()) return { own: git, common: git };
  const own = resolve(root, readFileSync(git, 'utf8').trim().replace('gitdir: ', ''));
  return { own, common: resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()) };
}

function gitCommit(root: string): string | null {
  const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8').trim();
  try {
    const { own, common } = gitFolders(root);
    const head = read(own, 'HEAD');
    if (!head.startsWith('ref: ')) return head;
    const reference = head.slice('ref: '.length);
    try {
      return read(common, reference);
    } catch {
      const line = read(common, 'packed-refs')
        .split('\n')
        .find((entry) => entry.endsWith(` ${reference}`));
      return line?.split(' ')[0] ?? null;
    }
  } catch {
    return null;
  }
}

/** Version of this code: that of `package.json`, with the commit where Warren runs from a Git checkout. */
export function codeVersion(): { version: string; commit: string | null } {
  const root = projectRoot();
  const { version } = packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return { version, commit: gitCommit(root) };
}
