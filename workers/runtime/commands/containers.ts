import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { programOfUserEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import type { CommandTask, ContainerEngine } from '#src/base/contracts/executorMessages.ts';
import { withVariables } from '#src/base/lib/withVariables.ts';

const ASK_MS = 15_000;
const ENGINES: readonly ContainerEngine[] = ['podman', 'docker'];
/** Of memory that processes share, as data loaders do; a limit, not a reservation. */
const SHARED_MEMORY = '2g';
const INSIDE = '/warren';

const run = promisify(execFile);

/** The engine that works for this user on this machine; null where there is none. */
export async function workingEngine(): Promise<ContainerEngine | null> {
  for (const engine of ENGINES) {
    const works = await run(engine, ['info'], { timeout: ASK_MS }).then(
      () => true,
      () => false,
    );
    if (works) return engine;
  }
  return null;
}

/** The image that a command asks for; null where it runs without a container. */
export function imageOf(environment: string): string | null {
  return environment.startsWith('container:') ? environment.slice('container:'.length) : null;
}

/** The container of an attempt. */
export function containerName({ runId, attempt }: Pick<CommandTask, 'runId' | 'attempt'>): string {
  return `warren-${runId}-${attempt}`;
}

export interface ContainerOptions {
  engine: ContainerEngine;
  image: string;
  /** Folders of this machine. */
  code: string;
  checkpoint: string;
  inputs: string;
  clients: string;
  /** As whom it runs. */
  owner: { uid: number; gid: number };
  /** Whether the engine itself runs without the rights of root. */
  rootless: boolean;
}

/** What of a program's variables it is told in a container: nothing that describes the machine around it. */
const TOLD = /^(?:WARREN_|CUDA_|PYTHONUNBUFFERED$)/;

/**
 * The command line, with its variables, that runs a command in a container: the folders of code, checkpoint and inputs are mounted, the API is
 * reached as from the machine, and no value of a variable stands in the command line, which everybody can read.
 */
export function containerCommand(
  task: Pick<CommandTask, 'runId' | 'attempt' | 'command' | 'folder' | 'gpus' | 'memoryMb'>,
  variables: NodeJS.ProcessEnv,
  { engine, image, code, checkpoint, inputs, clients, owner, rootless }: ContainerOptions,
): { command: string[]; variables: NodeJS.ProcessEnv } {
  const start = `${INSIDE}/code/${task.folder}`.replace(/\/$/, '');
  const told: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(variables).filter(([name]) => TOLD.test(name))),
    // of those that it is given, which are counted from 0 inside
    CUDA_VISIBLE_DEVICES: task.gpus.map((_, index) => index).join(','),
    PYTHONPATH: `${INSIDE}/clients`,
    WARREN_DIR: start,
    WARREN_CHECKPOINT_DIR: `${INSIDE}/checkpoint`,
    WARREN_INPUT_DIR: `${INSIDE}/inputs`,
  };
  const gpus =
    engine === 'docker'
      ? task.gpus.length === 0
        ? []
        : ['--gpus', `"device=${task.gpus.join(',')}"`]
      : task.gpus.flatMap((gpu) => ['--device', `nvidia.com/gpu=${gpu}`]);
  const isOther = owner.uid !== 0;
  const command = [
    ...[engine, 'run', '--name', containerName(task), '--network', 'host', '--entrypoint', ''],
    ...['--volume', `${code}:${INSIDE}/code`, '--volume', `${checkpoint}:${INSIDE}/checkpoint`],
    ...['--volume', `${inputs}:${INSIDE}/inputs`, '--volume', `${clients}:${INSIDE}/clients:ro`],
    ...['--workdir', start],
    ...['--user', `${owner.uid}:${owner.gid}`],
    ...(engine === 'podman' && rootless ? ['--userns', 'keep-id'] : []),
    // the files of a scratch folder have no label of SELinux
    ...(engine === 'podman' ? ['--security-opt', 'label=disable'] : []),
    ...(isOther ? ['--cap-drop', 'all', '--security-opt', 'no-new-privileges'] : []),
    ...['--shm-size', SHARED_MEMORY, ...gpus],
    ...(task.memoryMb === null ? [] : ['--memory', `${task.memoryMb}m`]),
    ...Object.keys(told).flatMap((name) => ['--env', name]),
    // not by the variables, which are the engine's own, too: it keeps settings and containers in its home
    ...['--env', 'HOME=/tmp'],
    ...[image, ...withVariables(task.command, told)],
  ];
  return { command, variables: told };
}

/** What runs a command's container, and of which image. */
export interface RunContainer {
  engine: ContainerEngine;
  image: string;
}

/** The program that runs a command in a container, from folders of this machine. */
export function containerProgram(
  task: CommandTask,
  {
    environment,
    ...options
  }: RunContainer & Pick<ContainerOptions, 'code' | 'checkpoint' | 'inputs'> & { environment: NodeJS.ProcessEnv },
): { command: string[]; folder: string; environment: NodeJS.ProcessEnv } {
  const uid = process.getuid?.() ?? 0;
  const { command, variables } = containerCommand(task, environment, {
    ...options,
    clients: task.clientsFolder,
    owner: task.user ?? { uid, gid: process.getgid?.() ?? 0 },
    rootless: uid !== 0,
  });
  // the engine itself is the worker's, and needs the worker's home
  return { command, folder: task.workFolder, environment: { ...programOfUserEnvironment(), ...variables } };
}

/** Ends and removes the container of an attempt, if there is one. @returns whether it was ended for want of memory. */
export async function removeContainer(
  engine: ContainerEngine,
  attempt: Pick<CommandTask, 'runId' | 'attempt'>,
): Promise<{ outOfMemory: boolean }> {
  const name = containerName(attempt);
  const ask = (...words: string[]) => run(engine, words, { timeout: ASK_MS }).catch(() => null);
  const found = await ask('inspect', '--format', '{{.State.OOMKilled}} {{.State.Running}}', name);
  if (found === null) return { outOfMemory: false };
  const [outOfMemory, isRunning] = found.stdout.trim().split(' ');
  if (isRunning === 'true') await ask('kill', name);
  await ask('rm', '--force', '--volumes', name);
  return { outOfMemory: outOfMemory === 'true' };
}

/** The same by a process that outlives this one, which ends at once. */
export function abandonContainer(engine: ContainerEngine, attempt: Pick<CommandTask, 'runId' | 'attempt'>): void {
  const script = '"$0" kill "$1"; exec "$0" rm --force --volumes "$1"';
  spawn('sh', ['-c', script, engine, containerName(attempt)], { detached: true, stdio: 'ignore' }).unref();
}
