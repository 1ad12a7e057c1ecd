import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ChildEnd {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ChildOutput {
  /** All that it has printed so far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<ChildEnd>;
}

/** Keeps what a program prints, as text. */
export function childOutput(child: ChildProcessByStdio<null, Readable, Readable>): ChildOutput {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<ChildEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { stdout: () => stdout, stderr: () => stderr, ended };
}
