import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import type { ChildEnd, ChildOutput } from './childOutput.ts';
import { variablesWith } from './warrenCommand.ts';

export interface ForkedProgram extends ChildOutput {
  child: { kill(signal: NodeJS.Signals): void };
}

export interface ProgramToFork {
  script: string;
  arguments: readonly string[];
  folder: string;
  /** Beside the variables that programs of a shell have, too. */
  environment: Record<string, string>;
}

const eventSchema = z.union([
  z.strictObject({ id: z.int(), pid: z.int() }),
  // an exit code, or the number of a signal, below 0
  z.strictObject({ id: z.int(), status: z.int() }),
]);

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

class Program implements ForkedProgram {
  readonly #texts: [string, string] = ['', ''];
  readonly ended: Promise<ChildEnd>;
  #resolve: (end: ChildEnd) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #pid: number | null = null;
  #status: number | null = null;
  #open = 2;
  #killed: NodeJS.Signals | null = null;

  constructor() {
    this.ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // who starts a program and never awaits its end is not failed by it
    this.ended.catch(() => {});
  }

  stdout = () => this.#texts[0];
  stderr = () => this.#texts[1];
  child = {
    kill: (signal: NodeJS.Signals) => {
      if (this.#status !== null) return;
      if (this.#pid === null) this.#killed = signal;
      else sendSignal(this.#pid, signal);
    },
  };

  /** Ends it with all that it started. */
  end(): void {
    if (this.#pid === null) this.#killed = 'SIGKILL';
    else sendSignal(-this.#pid, 'SIGKILL');
  }

  wrote(stream: 0 | 1, text: string): void {
    this.#texts[stream] += text;
  }

  closed(): void {
    this.#open -= 1;
    this.#endWhenAllIsTold();
  }

  began(pid: number): void {
    this.#pid = pid;
    if (this.#killed !== null) sendSignal(pid, this.#killed);
  }

  exited(status: number): void {
    this.#status = status;
    this.#endWhenAllIsTold();
  }

  failed(error: Error): void {
    this.#reject(error);
  }

  #endWhenAllIsTold(): void {
    if (this.#status === null || this.#open > 0) return;
    this.#resolve({ code: this.#status < 0 ? null : this.#status, stdout: this.stdout(), stderr: this.stderr() });
  }
}

type Forking = (asked: ProgramToFork) => ForkedProgram;

const started = new Map<string, Forking>();

/**
 * Forks programs off one Python that has imported `modules`, which takes most of the time of a short program. There is one for all files of a
 * worker of vitest, and it ends with that. A program whose start is what is promised, or that needs another interpreter than its siblings, is
 * started by itself.
 */
export function forkingPython(python: string, modules: readonly string[]): Forking {
  const key = [python, ...modules].join(' ');
  const known = started.get(key) ?? startForking(python, modules);
  started.set(key, known);
  return known;
}

function startForking(python: string, modules: readonly string[]): Forking {
  const folder = mkdtempSync(join(tmpdir(), 'python-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'streams');
  const programs = new Map<number, Program>();
  const streams = createServer((connection) => {
    let head = '';
    let read: ((text: string) => void) | null = null;
    connection.setEncoding('utf8').on('data', (text: string) => {
      if (read !== null) return read(text);
      head += text;
      const end = head.indexOf('\n');
      if (end < 0) return;
      const [id, stream] = head.slice(0, end).split(' ').map(Number);
      const program = programs.get(id ?? 0);
      if (program === undefined) return connection.destroy();
      read = (more) => program.wrote(stream === 1 ? 0 : 1, more);
      connection.once('close', () => program.closed());
      read(head.slice(end + 1));
    });
    connection.on('error', () => {});
  });
  streams.listen(path).unref();
  const server = join(projectRoot(), 'test', 'integration', 'support', 'forkingPython.py');
  const child = spawn(python, ['-u', server, path, ...modules], {
    env: variablesWith({
      PYTHONPATH: join(projectRoot(), 'clients', 'python'),
      MLFLOW_DISABLE_TELEMETRY: 'true',
    }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.unref();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = eventSchema.parse(JSON.parse(line));
    const program = programs.get(event.id);
    if ('pid' in event) program?.began(event.pid);
    else program?.exited(event.status);
  });
  const end = (error: Error) => {
    for (const program of programs.values()) program.failed(error);
    started.clear();
  };
  child.once('error', end).once('exit', (code) => end(new Error(`the Python that forks ended with ${code}`)));
  let last = 0;
  return (asked) => {
    const [id, program] = [++last, new Program()];
    programs.set(id, program);
    child.stdin.write(`${JSON.stringify({ id, ...asked, environment: variablesWith(asked.environment) })}\n`);
    atEndOfFile(() => program.end());
    void program.ended.then(
      () => programs.delete(id),
      () => programs.delete(id),
    );
    return program;
  };
}
