import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that say which packages a program needs, the first first: what pins everything comes before what does not. */
export const PACKAGE_FILES = ['uv.lock', 'requirements.txt', 'pyproject.toml'] as const;
export type PackageFileName = (typeof PACKAGE_FILES)[number];

/** What a program's packages are installed from. */
export interface PackageFile {
  name: PackageFileName;
  folder: string;
  path: string;
  /** All text that decides what is installed. */
  texts: string[];
  /** Whether it names files beside it, such as ./wheels/x.whl, which are others in another archive. */
  isLocal: boolean;
}

/** The first file that is there, looked for in one folder after the other. */
export async function findPackageFile(folders: readonly string[]): Promise<PackageFile | null> {
  for (const folder of folders) {
    for (const name of PACKAGE_FILES) {
      const path = join(folder, name);
      const text = await readText(path);
      if (text === null) continue;
      if (name !== 'uv.lock') return { name, folder, path, texts: [text], isLocal: namesLocalFiles(text) };
      // uv installs what the lock says for the project that stands beside it
      const project = await readText(join(folder, 'pyproject.toml'));
      const python = await readText(join(folder, '.python-version'));
      return { name, folder, path, texts: [text, project ?? '', python ?? ''], isLocal: locksLocalFiles(text) };
    }
  }
  return null;
}

const MOST_BYTES = 16 << 20;

/** The text of a regular file; a device or a pipe under its name would have no end. */
async function readText(path: string): Promise<string | null> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null);
  if (file === null) return null;
  try {
    const facts = await file.stat();
    return facts.isFile() && facts.size <= MOST_BYTES ? await file.readFile('utf8') : null;
  } finally {
    await file.close();
  }
}

function namesLocalFiles(text: string): boolean {
  return /^\s*(?:-e\s|-r\s|-c\s|\.|\/|file:)/m.test(text) || text.includes('file:');
}

/** A package made of the project's own code, or of files beside it; a `virtual` one installs nothing. */
function locksLocalFiles(text: string): boolean {
  return /^\s*source\s*=\s*\{\s*(?:editable|directory|path)\s*=/m.test(text);
}
