import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorRecord, toErrorRecord, WarrenError } from '#src/base/contracts/errors.ts';
import type {
  ArtifactSource,
  CommandTask,
  ContainerEngine,
  FromExecutor,
} from '#src/base/contracts/executorMessages.ts';
import { type ArtifactReport, LOG_BYTES, type Report } from '#src/base/contracts/reports.ts';
import { withVariables } from '#src/base/lib/withVariables.ts';
import { type StderrLevel, StderrLevels } from '#src/base/lib/stderrLevel.ts';
import { storeArtifact } from '../shared/artifactSink.ts';
import { computeFailure } from '../shared/computeFailure.ts';
import { memoryKills } from '../shared/processMemory.ts';
import { ReportStream } from '../executor/reportStream.ts';
import { storableText } from '../shared/storableText.ts';
import { programOfUserEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import { removeAttemptFolder } from './commandPlace.ts';
import { asUser, surroundingsOf } from './commandUser.ts';
import { abandonContainer, containerProgram, imageOf, type RunContainer, removeContainer } from './containers.ts';
import { handOver, makeClosedFolder } from './ownedFolder.ts';
import { CheckpointKeeper } from './checkpointKeeper.ts';
import { unpackArchive } from './folderArchive.ts';
import { parseMetricLine } from './metricLine.ts';
import { OutputReader } from './outputReader.ts';
import { preparePackages } from './packages.ts';
import { fetchFile, fetchInputs, startFolder } from './taskFiles.ts';
import { watchLease } from './leaseWatch.ts';
import { sendLeftJournal } from './leftJournal.ts';
import { noteProgram } from './leftPrograms.ts';
import { type Program, type ProgramExit, type ProgramOptions, startProgram } from './program.ts';
import { environmentOf, factsOf } from './programEnvironment.ts';
import { markOf } from './strayProcesses.ts';
import { programFailure } from './programFailure.ts';
import { ProgramWatch } from './programWatch.ts';

/** Between asking a program to end and killing it: below what a worker gives its executors. */
const CANCEL_GRACE_MS = 1_000;
/** The same where its time is up or its sweep stops it early: it may still save something. */
const SAVE_GRACE_MS = 5_000;
/** A program whose reports are not recorded as fast as it makes them waits. */
const MOST_PENDING = 20_000;
const KEPT_LINES = 20;
const LAST_ACKNOWLEDGEMENT_MS = 500;

/** One attempt at a user's program: its files, its process group, and the ordered stream of what it reports. */
export class CommandSession {
  private readonly stream: ReportStream;
  private readonly abort = new AbortController();
  private program: Program | null = null;
  private readonly fetching = { signal: this.abort.signal, warn: (text: string) => this.line('warn', text) };
  private workFolder = '';
  /** By which all that it starts is known. */
  private mark: Record<string, string> = {};
  private pending = 0;
  private nextStep = 0;
  private endedFor: ErrorRecord | null = null;
  private pruned = false;
  /** Whether the program that runs is the user's own, not one that prepares it. */
  private isOwn = false;
  /** In which it runs, if it does. */
  private container: { engine: ContainerEngine; task: CommandTask } | null = null;
  private lastLines: string[] = [];

  constructor(private readonly send: (message: FromExecutor) => void) {
    this.stream = new ReportStream({
      send: (sequence, reports) => this.send({ type: 'reports', sequence, reports }),
      onSafe: (count) => {
        this.pending -= count;
        if (this.pending < MOST_PENDING / 2) this.program?.resume();
      },
    });
  }

  /** Executes the task to its end, whatever that is: the last message is `finished` or `failed`. Another needs a process anew. */
  async run(task: CommandTask): Promise<false> {
    this.stream.limitLog(task.logBytes ?? LOG_BYTES);
    const failure = await this.execute(task).catch((thrown: unknown) => computeFailure(thrown));
    await this.stream.flush();
    await removeAttemptFolder(task.workFolder, task.user).catch(() => undefined);
    if (this.abort.signal.aborted || this.pruned) this.send({ type: 'finished', outcome: 'cancelled' });
    else if (failure === null) this.send({ type: 'finished', outcome: 'succeeded' });
    else this.send({ type: 'failed', error: { ...failure, message: storableText(failure.message, 5_000) } });
    await Promise.race([this.stream.settled(), delay(LAST_ACKNOWLEDGEMENT_MS)]);
    return false;
  }

  cancel(): void {
    this.abort.abort(new WarrenError('CANCELLED', 'the run was cancelled'));
    this.program?.terminate(CANCEL_GRACE_MS);
  }

  /** Asks the program to end; its checkpoint folder is stored then. */
  prune(): void {
    if (this.abort.signal.aborted || this.pruned) return;
    // before the program itself runs there is nothing to store
    if (this.program === null || !this.isOwn) {
      this.cancel();
      return;
    }
    this.pruned = true;
    this.program.terminate(SAVE_GRACE_MS);
  }

  /** At once, and without a word: nobody listens any more. */
  killProgram(): void {
    this.program?.kill();
    if (this.container !== null) abandonContainer(this.container.engine, this.container.task);
  }

  acknowledge(sequence: number): void {
    this.stream.acknowledge(sequence);
  }

  private async execute(task: CommandTask): Promise<ErrorRecord | null> {
    this.workFolder = task.workFolder;
    this.mark = markOf(task);
    const { workFolder, user } = task;
    const folders = ['code', 'checkpoint', 'inputs', 'tmp'].map((name) => join(workFolder, name));
    const [code = '', checkpoint = '', inputs = '', temporary = ''] = folders;
    await mkdir(workFolder, { recursive: true, mode: user === null ? 0o700 : 0o711 });
    for (const each of folders) await makeClosedFolder(each);
    this.push({ type: 'environment', values: factsOf(task) });
    if (task.code !== null) await this.unpack(task, task.code, { folder: code, gzipped: true });
    await this.restore(task, checkpoint);
    await fetchInputs(task, inputs, this.fetching);
    const folder = await startFolder(code, task.folder);
    for (const each of folders) await handOver(each, user);
    const surroundings = surroundingsOf(programOfUserEnvironment(), { user, temporaryFolder: temporary });
    const packages = await preparePackages(task, {
      folders: [folder, code],
      temporaryFolder: temporary,
      surroundings,
      signal: this.abort.signal,
      execute: async (options) => {
        const exit = await this.runProgram({ ...options, command: asUser(user, options.command) });
        return { ...exit, lastLines: this.lastLines };
      },
      say: (text) => this.line('info', text),
    });
    const keeper = await CheckpointKeeper.start({
      folder: checkpoint,
      owner: user?.uid ?? null,
      scratchFile: join(task.workFolder, 'checkpoint.tar'),
      store: (file, report) => this.store(task, file, report),
      warn: (message) => this.line('warn', message),
    });
    const environment = environmentOf(task, { start: folder, checkpoint, inputs, packages, surroundings });
    const container = this.containerOf(task);
    const program =
      container === null
        ? { command: asUser(user, withVariables(task.command, environment)), folder, environment }
        : containerProgram(task, { ...container, code, checkpoint, inputs, environment });
    const killsBefore = memoryKills();
    this.isOwn = true;
    const exit = await this.runProgram(program, { limits: task });
    const ended = container === null ? null : await removeContainer(container.engine, task);
    const { lastLines } = this;
    if (!this.abort.signal.aborted) {
      await sendLeftJournal(task, {
        ...{ folder, environment },
        execute: (options) => this.runProgram(options, { isSilent: true }),
        stop: () => this.program?.kill(),
        warn: (text) => this.line('warn', text),
      });
    }
    await keeper.stop({ keep: !this.abort.signal.aborted });
    const kills = memoryKills();
    return programFailure({
      exit,
      program: task.command[0] ?? '',
      lastLines,
      endedFor: this.endedFor,
      systemLackedMemory: ended?.outOfMemory ?? (kills !== null && killsBefore !== null && kills > killsBefore),
    });
  }

  /** What the command's container is made with; null where it runs without one. */
  private containerOf(task: CommandTask): RunContainer | null {
    const { containerEngine: engine } = task;
    const image = imageOf(task.environment);
    if (image === null) return null;
    if (engine !== null) {
      this.line('info', `environment: ${engine} runs it in a container of ${image}`);
      this.container = { engine, task };
      return { engine, image };
    }
    throw new WarrenError(
      'RUN_FAILED',
      `its worker cannot run containers of ${image}: neither podman nor docker works there`,
    );
  }

  /** Runs one program to its end, with limits where a task is given; what it prints is recorded unless it is silent. */
  private async runProgram(
    options: Omit<ProgramOptions, 'onOutput'>,
    { limits, isSilent = false }: { limits?: CommandTask; isSilent?: boolean } = {},
  ): Promise<ProgramExit> {
    this.abort.signal.throwIfAborted();
    this.lastLines = [];
    const hear = (errors: StderrLevels | null) =>
      new OutputReader((text) => (isSilent ? undefined : this.readLine(text, errors)));
    const readers = { stdout: hear(null), stderr: hear(new StderrLevels()) };
    const program = startProgram({
      ...options,
      environment: { ...options.environment, ...this.mark },
      onOutput: (stream, chunk) => {
        readers[stream].write(chunk);
        if (this.pending > MOST_PENDING) program.pause();
      },
    });
    this.program = program;
    this.send({ type: 'program', pid: program.pid ?? null });
    if (program.pid !== undefined) {
      noteProgram(this.workFolder, program.pid);
      watchLease(this.workFolder, program.pid);
    }
    const watch = program.pid === undefined ? null : this.watch(program, program.pid, limits);
    const exit = await program.ended;
    watch?.stop();
    this.program = null;
    this.send({ type: 'program', pid: null });
    for (const reader of Object.values(readers)) reader.end();
    if (limits !== undefined && watch !== null && watch.largestMb > 0) {
      this.push({ type: 'environment', values: { peakRssMb: watch.largestMb } });
    }
    return exit;
  }

  private watch(program: Program, pid: number, limits: CommandTask | undefined): ProgramWatch {
    return new ProgramWatch(pid, {
      startedAtMs: limits?.startedAtMs ?? Date.now(),
      memoryMb: limits?.memoryMb ?? null,
      seconds: limits?.seconds ?? null,
      push: (report) => this.push(report),
      onExceeded: (error) => {
        this.endedFor = error;
        if (error.code === 'TIMED_OUT') program.terminate(SAVE_GRACE_MS);
        else program.kill();
      },
    });
  }

  private async unpack(
    task: CommandTask,
    source: ArtifactSource,
    { folder, gzipped }: { folder: string; gzipped: boolean },
  ): Promise<void> {
    const file = join(task.workFolder, 'download');
    await fetchFile(task, source, { ...this.fetching, file });
    await unpackArchive(file, folder, { gzipped, signal: this.abort.signal });
    await rm(file, { force: true });
  }

  /** A checkpoint that cannot be read is none: the run begins anew. */
  private async restore(task: CommandTask, folder: string): Promise<void> {
    const { checkpoint } = task;
    if (checkpoint === null) return;
    try {
      await this.unpack(task, checkpoint, { folder, gzipped: false });
      this.line('info', 'goes on with what the attempt before left in its checkpoint folder');
    } catch (thrown) {
      const { code, message } = toErrorRecord(thrown);
      if (code !== 'DATA_ERROR' && code !== 'NOT_FOUND') throw thrown;
      await rm(folder, { recursive: true, force: true });
      await makeClosedFolder(folder);
      const told = `the checkpoint folder cannot be used, so the run begins anew: ${message}`;
      this.push({ type: 'restart', sha256: checkpoint.sha256, message: storableText(told, 2_000) });
    }
  }

  private async store(task: CommandTask, file: string, report: ArtifactReport): Promise<void> {
    const headers = { authorization: `Bearer ${task.token}` };
    await storeArtifact(file, report, {
      sink: { baseUrl: `${task.apiUrl}/artifacts/${task.runId}`, headers },
      attempt: task.attempt,
      signal: this.abort.signal,
      onRetry: (error, failures) => {
        if (failures === 1) this.line('warn', `the checkpoint cannot be stored yet, trying again: ${error.message}`);
      },
    });
    this.push(report);
  }

  private readLine(text: string, errors: StderrLevels | null): void {
    const metrics = parseMetricLine(text);
    if (metrics === null) {
      this.line(errors?.levelOf(text) ?? 'info', text);
      if (errors !== null && text.trim() !== '') this.lastLines = [...this.lastLines, text].slice(-KEPT_LINES);
      return;
    }
    const step = metrics.step ?? this.nextStep;
    this.nextStep = Math.max(this.nextStep, step + 1);
    const timeMs = Date.now();
    for (const [name, value] of metrics.values) this.push({ type: 'metric', name, step, value, timeMs });
  }

  private line(level: StderrLevel, text: string): void {
    this.pending += 1;
    this.stream.log(level, text, Date.now());
  }

  private push(report: Report): void {
    this.pending += 1;
    this.stream.push(report);
  }
}
