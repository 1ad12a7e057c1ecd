import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/lib/projectRoot.ts';

const packageSchema = z.object({ version: z.string() });

function gitCommit(root: string): string | null {
  const read = (name: string): string => readFileSync(join(root, '.git', name), 'utf8').trim();
  try {
    const head = read('HEAD');
    if (!head.startsWith('ref: ')) return head;
    const reference = head.slice('ref: '.length);
    try {
      return read(reference);
    } catch {
      const line = read('packed-refs')
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
