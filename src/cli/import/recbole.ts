import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { badInput } from '#src/contracts/errors.ts';
import type { LogLevel } from '#src/contracts/reports.ts';
import { looseNumber, looseParameter } from './looseNumbers.ts';
import { importId, type RunFacts, type SourceItem, type SourceRuns } from './source.ts';

// What RecBole 1.2 writes: recbole/utils/logger.py, recbole/trainer/trainer.py, recbole/config/configurator.py.

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors of terminals, which RecBole writes to its files, too
const COLORS = /\u001b\[[\d;]*m/g;
const STAMP = /^\w{3} (\d{1,2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2})\s+(\w+)\s+(.*)$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const EPOCH = /^epoch (\d+) (training|evaluating) \[(.*)\]/;
const PARAMETER = /^(\w+) = (.*)$/;
const RESULT = /^(best valid|test result)\s*: (.*)$/;
/** `BPR-ml-100k-Nov-23-2026_10-20-30-1a2b3c`. */
const NAMED = /^(\w+)-(.+)-\w{3}-\d{2}-\d{4}_[\d-]+-\w+$/;
const VALUE = /'?([\w@/-]+)'?\s*[:,]\s*(?:np\.float\d+\()?([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|nan|inf))/gi;

function logFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .flatMap((entry) => {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) return logFiles(inside);
      return entry.name.endsWith('.log') ? [inside] : [];
    })
    .sort();
}

/**
 * The runs in logs of RecBole: one a file. Configuration, losses and validation by epoch, best validation and test.
 * @throws WarrenError BAD_INPUT when there is none.
 */
export async function* recboleRuns(source: string, { project }: { project: string }): SourceRuns {
  if (!existsSync(source)) throw badInput(`${source}: there is no such file or folder`, 'source');
  const files = logFiles(source);
  if (files.length === 0) throw badInput(`${source}: there is no .log file in it or below`, 'source');
  for (const path of files) {
    const log = new RecboleLog(readFileSync(path, 'utf8'));
    const { facts, firstLine } = log;
    const name = basename(path, '.log');
    const [, model, dataset] = NAMED.exec(name) ?? [];
    yield {
      id: importId('recbole', project, name, firstLine),
      label: name,
      facts: {
        ...facts,
        ...(model === undefined ? {} : { name: model, parameters: { model, ...facts.parameters } }),
        ...(dataset === undefined ? {} : { datasetName: dataset }),
        environment: { import: { format: 'recbole', file: basename(path) } },
      },
      read: () => log.items(),
    };
  }
}

/** A log, read line by line; lines without a time belong to the one before. */
class RecboleLog {
  readonly facts: RunFacts = { parameters: {} };
  firstLine = '';
  private readonly series = new Map<string, { steps: number[]; values: number[]; times: number[] }>();
  private readonly lines: { text: string; time: number; level: LogLevel }[] = [];
  private epoch = -1;
  private timeMs = 0;
  private inValidation = false;
  private ended = false;

  constructor(text: string) {
    for (const raw of text.replace(COLORS, '').split(/\r?\n/)) this.take(raw);
    if (this.timeMs > 0) this.facts.endedMs = this.timeMs;
    // a log without a test may be of a program that was killed
    this.facts.state = this.ended ? 'SUCCEEDED' : 'FAILED';
    if (!this.ended) this.facts.errorMessage = 'its log has no test result: the program was killed, or goes on';
  }

  *items(): Generator<SourceItem> {
    for (const [name, points] of this.series) yield { type: 'points', name, ...points };
    if (this.lines.length > 0) yield { type: 'lines', lines: this.lines };
  }

  private take(raw: string): void {
    const stamped = STAMP.exec(raw);
    let text = raw;
    let level: LogLevel = 'info';
    if (stamped !== null) {
      const [, day, month, year, hour, minute, second, word = '', rest = ''] = stamped;
      // RecBole writes the time of its host without a zone: read as UTC, the same everywhere
      const date = [Number(year), MONTHS.indexOf(month ?? ''), Number(day)] as const;
      this.timeMs = Math.max(0, Date.UTC(...date, Number(hour), Number(minute), Number(second)));
      if (this.firstLine === '') {
        this.firstLine = raw;
        this.facts.startedMs = this.timeMs;
      }
      text = rest;
      level = word === 'WARNING' ? 'warn' : word === 'ERROR' || word === 'CRITICAL' ? 'error' : 'info';
    }
    if (text.trim() === '') return;
    this.lines.push({ text: text.slice(0, 100_000), time: this.timeMs, level });
    this.read(text.trim());
  }

  private read(text: string): void {
    const [, epoch, phase, inside = ''] = EPOCH.exec(text) ?? [];
    const result = RESULT.exec(text);
    const parameter = PARAMETER.exec(text);
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
