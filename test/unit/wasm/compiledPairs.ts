import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

/** What `assembly/pairs.ts` exports; addresses are of doubles. */
interface Pairs {
  arcCosine(cosine: number): number;
  arcCosine2Into(from: number, to: number): void;
  polarAngle2Into(from: number, to: number): void;
}

/** `assembly/pairs.ts`, compiled as the kernels are. */
export function compilePairs(): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'warren-pairs-'));
  const file = join(folder, 'pairs.wasm');
  const compiler = join('node_modules', 'assemblyscript', 'bin', 'asc.js');
  const options = ['--config', 'workers/wasm/asconfig.json', '--target', 'release', '--outFile', file];
  try {
    execFileSync(process.execPath, [compiler, 'test/unit/wasm/assembly/pairs.ts', ...options], { cwd: projectRoot() });
    return new Uint8Array(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function instantiatePairs(compiled: Uint8Array<ArrayBuffer>, memory: WebAssembly.Memory): Promise<Pairs> {
  const instance = await WebAssembly.instantiate(await WebAssembly.compile(compiled), { env: { memory } });
  return instance.exports as unknown as Pairs;
}
