import { spawn } from 'node:child_process';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';

/** What a step found, or why it found nothing. */
export type Answer = { figures: unknown } | { failed: string };

/** Runs a program to its end, at most `limitMs` long; `output` is its stdout, and its stderr where it failed. */
export async function command(
  program: string,
  parameters: readonly string[],
  { limitMs, variables = {} }: { limitMs: number; variables?: Record<string, string> },
): Promise<{ code: number; output: string }> {
  const child = spawn(program, parameters, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      said.stderr += `\nended after ${Math.round(limitMs / 1000)} s`;
      void stopProcess(child, { graceMs: 1000, group: true });
    }, limitMs);
    const end = (code: number | null, words = ''): void => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output: code === 0 ? said.stdout : `${said.stdout}\n${said.stderr}${words}` });
    };
    child.once('error', (error) => end(1, error.message));
    child.once('close', (code) => end(code));
  });
}
