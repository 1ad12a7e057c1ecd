import type { LogLevel, MetricGoal, RunState, SummaryRule } from '../generated/api.ts';
import { mediaOf, type Packed } from './media.ts';
import type { JournalRecord, WireValue } from './records.ts';
import { numbersOf, plainJson, plainParameters, textsOf } from './values.ts';
import { warn } from './warn.ts';

/** Where a run's records go. */
export interface Outlet {
  append(record: JournalRecord): void;
  keepMedia(name: string, step: number, things: Packed[]): void;
  /** Waits until all is sent, but not longer than so many seconds for a server that is away. */
  close(patienceSeconds: number): Promise<void>;
}

export interface Config {
  /** Adds parameters, or changes them; the configuration is final when the run ends. */
  update(parameters: Readonly<Record<string, unknown>>): void;
  get(name: string): unknown;
}

export interface MetricDefinition {
  /** The metric that is its x axis. */
  stepMetric?: string;
  /** Which value stands for the series. */
  summary?: SummaryRule;
  goal?: MetricGoal;
}

export interface FinishOptions {
  exitCode?: number;
  error?: string;
  /** Seconds to wait for a server that is away. */
  patience?: number;
}

export interface RunStart {
  id: string;
  number: number | null;
  url: string | null;
  firstStep: number;
  parameters: Readonly<Record<string, unknown>>;
}

/** A run of a program: what `init` returns. */
export interface Run {
  readonly id: string;
  readonly number: number | null;
  readonly url: string | null;
  /** The step that the next `log` without one has. */
  readonly step: number;
  readonly config: Config;
  /** Newest value by name; a number or text that is set here is logged when the run ends, at the last step. */
  readonly summary: Record<string, unknown>;
  /**
   * Logs numbers, texts and things to look at by name at a step: the given one, or one after the last. A text that is as it was is
   * not logged again: it stands until the next one.
   */
  log(data: Readonly<Record<string, unknown>>, step?: number): void;
  /** Says of a metric, or of all that match a pattern such as `valid/*`, what stands for it and which way is better. */
  defineMetric(name: string, definition: MetricDefinition): void;
  /** Adds lines to the run's log. */
  logText(text: string, level?: LogLevel): void;
  /** Tells people: rules that wait for it send it on, the dashboard shows it, and the run's log has it. */
  alert(title: string, text?: string, level?: LogLevel): void;
  /** Ends the run and waits until all is sent. */
  finish(options?: FinishOptions): Promise<void>;
  /** Says that it took a registered version, such as `ranker:3`. */
  noteUse(version: string): void;
  /** Writes the run's end and sends nothing: for a program that is ending. */
  writeEnd(state: RunState, message: string | null): void;
}

const PATIENCE_SECONDS = 30;

/** @param outlet Null: nothing is recorded. */
export function runOver(outlet: Outlet | null, { id, number, url, firstStep, parameters }: RunStart): Run {
  const members = new Map(Object.entries(parameters));
  const newest: Record<string, unknown> = {};
  const set = new Map<string, unknown>();
  /** Names of it that had been logged before: the server keeps the first value of a step, so they need a later one. */
  const again = new Set<string>();
  /** The newest text by name, with its step. */
  const texts = new Map<string, { text: string; since: number }>();
  const warned = new Set<string>();
  let step = firstStep;
  let ended = outlet === null;

  const write = (record: JournalRecord): void => {
    if (!ended) outlet?.append(record);
  };

  const writeAt = (at: number, numbers: Record<string, WireValue>, others: ReadonlyMap<string, unknown>): void => {
    if (Object.keys(numbers).length > 0) write(['metrics', at, Date.now(), numbers]);
    for (const [name, value] of others) {
      const values: unknown[] = Array.isArray(value) ? value : [value];
      const things = values.flatMap((entry) => mediaOf(entry)?.packed ?? []);
      if (things.length > 0 && !ended) outlet?.keepMedia(name, at, things);
      if (things.length === values.length || warned.has(name)) continue;
      warned.add(name);
      warn(`log: '${name}' is neither a number nor something to look at: it is left out`);
    }
  };

  const writeEnd: Run['writeEnd'] = (state, message) => {
    for (const isAgain of [false, true]) {
      const values = Object.fromEntries([...set].filter(([name]) => again.has(name) === isAgain));
      const others = new Map<string, unknown>();
      writeAt(isAgain ? step : Math.max(0, step - 1), numbersOf(values, others), others);
    }
    write(['end', state, message]);
    ended = true;
  };

  const logText: Run['logText'] = (text, level = 'info') => {
    for (const line of text.split('\n')) write(['line', Date.now(), level, line]);
  };

  return {
    id,
    number,
    url,
    get step() {
      return step;
    },
    config: {
      update(changes) {
        const plain = plainParameters(changes);
        for (const [name, value] of Object.entries(plain)) members.set(name, value);
        write(['parameters', plain]);
      },
      get: (name) => members.get(name),
    },
    summary: new Proxy(newest, {
      set(target, given, value: unknown) {
        const name = String(given);
        if (name in target && !set.has(name)) again.add(name);
        set.set(name, value);
        target[name] = plainJson(value);
        return true;
      },
    }),
    log(data, given) {
      const at = given ?? step;
      if (!Number.isSafeInteger(at) || at < 0)
        throw new RangeError(`log: step ${at} is not a whole number from 0 to 2^53 - 1`);
      const others = new Map<string, unknown>();
      const numbers = numbersOf(data, others);
      if (at >= step) step = at + 1;
      const logged = { ...numbers, ...textsOf(others) };
      for (const name of set.keys()) if (name in logged) set.delete(name);
      Object.assign(newest, logged);
      for (const [name, text] of Object.entries(textsOf(others))) {
        const known = texts.get(name);
        if (known !== undefined && at < known.since) continue;
        if (known?.text === text) others.delete(name);
        else texts.set(name, { text, since: at });
      }
      writeAt(at, numbers, others);
    },
    defineMetric: (name, { stepMetric, summary, goal }) =>
      write(['define', { name, stepMetric: stepMetric ?? null, summary: summary ?? null, goal: goal ?? null }]),
    logText,
    alert(title, text = '', level = 'warn') {
      logText(text === '' ? title : `${title}: ${text}`, level);
      write(['alert', Date.now(), level === 'debug' ? 'info' : level, title, text, crypto.randomUUID()]);
    },
    noteUse: (version) => write(['use', version]),
    async finish({ exitCode = 0, error, patience = PATIENCE_SECONDS } = {}) {
      if (!ended) {
        const failed = exitCode !== 0 || error !== undefined;
        writeEnd(failed ? 'FAILED' : 'SUCCEEDED', error ?? (failed ? `exit code ${exitCode}` : null));
      }
      await outlet?.close(patience);
    },
    writeEnd,
  };
}
