import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildEnd } from '../support/childOutput.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runWarren } from '../support/warrenCommand.ts';

/** A package `tiny` that pip installs without a network. */
function makeWheel(folder: string): void {
  const script = `import zipfile
with zipfile.ZipFile("tiny-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("tiny.py", "answer = 42")
    wheel.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
    wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("tiny-1.0.dist-info/RECORD", "tiny.py,,\\n")
`;
  execFileSync('python3', ['-c', script], { cwd: folder });
}

/** `warren run` of a program that asks for a package that there is nowhere. */
export function runWithMissingPackage(variables: Record<string, string>): Promise<ChildEnd> {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'requirements.txt'), '--no-index\nno-such-package==1.5\n');
  execFileSync('git', ['init', '-q'], { cwd: folder });
  return runWarren(['run', '--environment', 'auto', '--wait', '--', 'true'], variables, { folder });
}

/** `warren run` of a program with two seeds that needs `tiny`; its lines are 42. */
export function runWithPackages(variables: Record<string, string>): Promise<ChildEnd> {
  const folder = join(temporaryFolder(), 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'requirements.txt'), './tiny-1.0-py3-none-any.whl\n');
  makeWheel(folder);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const words = ['run', '--seeds', '1,2', '--environment', 'auto', '--wait', '--json'];
  const program = ['python3', '-c', 'import tiny; print(tiny.answer)'];
  return runWarren([...words, '--', ...program], variables, { folder });
}
