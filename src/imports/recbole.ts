import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { LogLineInput } from '#src/generated/api.ts';
import { looseNumber, looseParameter } from './looseNumbers.ts';
import { readCheckpoint } from './recboleCheckpoint.ts';
import { recboleMs } from './recboleTime.ts';
import { importId, type RunFacts, type SourceItem, type SourceRun, type SourceRuns } from './source.ts';
import { textLines } from './textLines.ts';

// What RecBole 1.2 writes: recbole/utils/logger.py, recbole/trainer/trainer.py, recbole/config/configurator.py.

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals, which RecBole writes to its files, too
const COLORS = /\u001b\[[\d;]*m/g;
const STAMP = /^\w{3} (\d{1,2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2})\s+(\w+)\s+(.*)$/;
const EPOCH = /^epoch (\d+) (training|evaluating) \[(.*)\]/;
const PARAMETER = /^(\w+) = (.*)$/;
const SAVED = /^Saving current: (.+\.pth)$/;
const RESULT = /^(best valid|test result)\s*: (.*)$/;
/** `BPR-ml-100k-Nov-23-2026_10-20-30-1a2b3c`. */
const NAMED = /^(\w+)-(.+)-\w{3}-\d{2}-\d{4}_[\d-]+-\w+$/;
const VALUE = /(?<![\w@/-])([\w@/-]+)'?\s*[:,]\s*(?:np\.float\d+\()?([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf))/gi;

const LINES_AT_ONCE = 1_000;

interface FoundFiles {
  logs: string[];
  checkpoints: string[];
}

function foundFiles(path: string): FoundFiles {
  const names = statSync(path).isDirectory()
    ? readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [path];
  const checkpoints = names.filter((name) => name.endsWith('.pth'));
  const isLog = (name: string) => name.endsWith('.log') || (name === path && !name.endsWith('.pth'));
  return { logs: names.filter(isLog), checkpoints };
}

/**
 * The runs of RecBole in a folder: one for each log, with the checkpoint that it names, and one for each checkpoint that no
 * log there names. Configuration, losses and validation by epoch, best validation and test.
 * @throws WarrenError BAD_INPUT when there is none.
 */
export async function* recboleRuns(source: string, { project }: { project: string }): SourceRuns {
  if (!existsSync(source)) throw badInput(`${source}: there is no such file or folder`, 'source');
  const { logs, checkpoints } = foundFiles(source);
  if (logs.length + checkpoints.length === 0) {
    throw badInput(`${source}: there is no .log or .pth file in it or below`, 'source');
  }
  const left = new Set(checkpoints);
  for (const path of logs) {
    const log = logOf(path);
    const { facts, firstLine } = log;
    const name = basename(path, '.log');
    const [, model, dataset] = NAMED.exec(name) ?? [];
    const saved = checkpoints.filter((checkpoint) => log.saved.has(basename(checkpoint)));
    for (const checkpoint of saved) left.delete(checkpoint);
    yield {
      id: importId('recbole', project, name, firstLine),
      label: name,
      facts: {
        ...facts,
        ...(model === undefined ? {} : { name: model, parameters: { model, ...facts.parameters } }),
        ...(dataset === undefined ? {} : { datasetName: dataset }),
        environment: { import: { format: 'recbole', file: basename(path) } },
      },
      *read() {
        yield* logItems(path);
        for (const checkpoint of saved) yield fileItem(checkpoint);
      },
    };
  }
  yield* checkpointRuns([...left], project, logs.length > 0);
}

const fileItem = (path: string): SourceItem => ({ type: 'file', name: `saved/${basename(path)}`, path });

/** One that cannot be read is told of with the next run; where there is none, it is an error unless logs gave some. */
function* checkpointRuns(paths: readonly string[], project: string, othersGiven: boolean): Generator<SourceRun> {
  const refused: string[] = [];
  let given = othersGiven;
  for (const path of paths) {
    const checkpoint = readCheckpoint(path);
    if ('refused' in checkpoint) {
      refused.push(checkpoint.refused);
      continue;
    }
    const { facts, best, timeMs, warning } = checkpoint;
    const name = basename(path, '.pth');
    given = true;
    yield {
      id: importId('recbole', project, name, JSON.stringify([facts.datasetName, facts.seed, facts.parameters])),
      label: name,
      facts,
      *read() {
        for (const text of refused.splice(0)) yield { type: 'warning', text };
        if (best !== null) {
          yield { type: 'points', name: best.name, steps: [best.step], values: [best.value], times: [timeMs] };
        }
        yield fileItem(path);
        if (warning !== null) yield { type: 'warning', text: warning };
      },
    };
  }
  if (!given) throw badInput(refused[0] ?? 'there is no checkpoint', 'source');
}

function logOf(path: string): RecboleLog {
  const log = new RecboleLog();
  for (const raw of textLines(path)) log.take(raw);
  return log.end();
}

/** Reads the log a second time: its lines are many, and never held together. */
function* logItems(path: string): Generator<SourceItem> {
  const log = new RecboleLog();
  let lines: LogLineInput[] = [];
  for (const raw of textLines(path)) {
    const line = log.take(raw);
    if (line !== null) lines.push(line);
    if (lines.length < LINES_AT_ONCE) continue;
    yield { type: 'lines', lines };
    lines = [];
  }
  for (const [name, points] of log.series) yield { type: 'points', name, ...points };
  if (lines.length > 0) yield { type: 'lines', lines };
}

/** A log, line by line; lines without a time belong to the one before. */
class RecboleLog {
  readonly facts: RunFacts = { parameters: {} };
  readonly series = new Map<string, { steps: number[]; values: number[]; times: number[] }>();
  /** Names of the checkpoints that it tells of. */
  readonly saved = new Set<string>();
  firstLine = '';
  private epoch = -1;
  private timeMs = 0;
  private inValidation = false;
  private ended = false;

  /** Takes what all lines together say. */
  end(): this {
    if (this.timeMs > 0) this.facts.endedMs = this.timeMs;
    // a log without a test may be of a program that was killed
    this.facts.state = this.ended ? 'SUCCEEDED' : 'FAILED';
    if (!this.ended) this.facts.errorMessage = 'its log has no test result: the program was killed, or goes on';
    return this;
  }

  /** Returns the line as it is shown; null where it is empty. */
  take(colored: string): LogLineInput | null {
    const raw = colored.replace(COLORS, '');
    const stamped = STAMP.exec(raw);
    let text = raw;
    let level: LogLineInput['level'] = 'info';
    if (stamped !== null) {
      const [, day = '', month = '', year = '', hour = '', minute = '', second = '', word = '', rest = ''] = stamped;
      this.timeMs = recboleMs([day, month, year], [hour, minute, second]);
      if (this.firstLine === '') {
        this.firstLine = raw;
        this.facts.startedMs = this.timeMs;
      }
      text = rest;
      level = word === 'WARNING' ? 'warn' : word === 'ERROR' || word === 'CRITICAL' ? 'error' : 'info';
    }
    if (text.trim() === '') return null;
    this.read(text.trim());
    return { text: text.slice(0, 100_000), time: this.timeMs, level };
  }

  private read(text: string): void {
    const [, epoch, phase, inside = ''] = EPOCH.exec(text) ?? [];
    const result = RESULT.exec(text);
    const parameter = PARAMETER.exec(text);
    const saved = SAVED.exec(text)?.[1]?.split(/[/\\]/).at(-1);
    if (saved !== undefined) this.saved.add(saved);
    if (epoch !== undefined) {
      this.epoch = Number(epoch);
      this.inValidation = false;
      for (const part of inside.split(', ')) this.takePart(part, phase === 'training' ? 'train' : 'valid');
    } else if (/^valid result/.test(text)) this.inValidation = true;
    else if (result !== null) {
      this.inValidation = false;
      const place = result[1] === 'test result' ? 'test' : 'best_valid';
      this.ended ||= place === 'test';
      for (const [, name = '', value] of (result[2] ?? '').matchAll(VALUE)) this.point(`${place}/${name}`, value);
    } else if (this.inValidation) {
      this.inValidation = false;
      for (const [, name = '', value] of text.matchAll(VALUE)) this.point(`valid/${name}`, value);
    } else if (this.epoch < 0 && parameter !== null) this.takeParameter(parameter[1] ?? '', parameter[2] ?? '');
  }

  /** `time: 1.23s`, `train loss: 45.6`, `valid_score: 0.12`. */
  private takePart(part: string, phase: 'train' | 'valid'): void {
    const [name = '', value = ''] = part.split(': ');
    if (name === 'time') this.point(`${phase}/seconds`, value.replace(/s$/, ''));
    else
      this.point(
        `${phase}/${name
          .trim()
          .replace(/^(?:train|valid)[ _]/, '')
          .replaceAll(' ', '_')}`,
        value,
      );
  }

  private takeParameter(name: string, text: string): void {
    const { facts } = this;
    const value = text === 'None' ? null : looseParameter(text.trim());
    if (name === 'seed' && typeof value === 'number' && Number.isInteger(value) && value >= 0) facts.seed = value;
    else facts.parameters = { ...facts.parameters, [name]: value };
  }

  private point(name: string, text: string | undefined): void {
    const value = looseNumber(text);
    if (value === null) return;
    const series = this.series.get(name) ?? { steps: [], values: [], times: [] };
    this.series.set(name, series);
    series.steps.push(Math.max(0, this.epoch));
    series.values.push(value);
    series.times.push(this.timeMs);
  }
}
