import { spawn } from 'node:child_process';
import { postgresEnvironment } from '../processes/childEnvironment.ts';
import type { PostgresAccount } from './postgresAccount.ts';

export interface PostgresProgramEnd {
  code: number | null;
  /** What it wrote, to either stream. */
  output: string;
}

/** Runs a program of PostgreSQL to its end, as the account and in a folder that it can reach. `input` is what it reads. */
export async function runPostgresProgram(
  program: string,
  args: readonly string[],
  { folder, account, input = '' }: { folder: string; account: PostgresAccount; input?: string },
): Promise<PostgresProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: postgresEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...account,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
    child.stdin.on('error', () => {}); // told by its output
    child.stdin.end(input);
  });
}
