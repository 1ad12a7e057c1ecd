import type { LogLevel, MetricDefinitionInput, MetricGoal, RunState, SummaryRule } from '../generated/api.ts';
import { type Config, configOf, type Drawn } from './config.ts';
import { Chart, mediaOf, type Packed } from './media.ts';
import { newestTexts } from './newestTexts.ts';
import { repeatedSteps } from './repeatedSteps.ts';
import type { JournalRecord, WireValue } from './records.ts';
import { runSummary } from './runSummary.ts';
import { toldValue } from './told.ts';
import { checkedLevel, isSeed, numbersOf, textsOf } from './values.ts';
import { warn } from './warn.ts';

/** Where a run's records go. */
export interface Outlet {
  append(record: JournalRecord): void;
  keepMedia(name: string, step: number, things: Packed[]): void;
  /** Waits until all is sent, but not longer than so many seconds for a server that is away. */
  close(patienceSeconds: number): Promise<void>;
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
  error?: string | Error;
  /** Seconds to wait for a server that is away. */
  patience?: number;
}

/** Where values are logged. */
export interface LogPlace {
  /** One after the last unless given. */
  step?: number;
  /** False: without a step the values wait for the next call and share its step; true unless given. */
  commit?: boolean;
}

export interface RunStart {
  id: string;
  number: number | null;
  url: string | null;
  firstStep: number;
  /** The last steps that metrics have from a program before this one. */
  lastSteps?: ReadonlyMap<string, number>;
  seed: number;
  /** Whether a whole number that is set as `config.seed` later becomes the seed: nobody has given another. */
  takesSeed?: boolean;
  parameters: Readonly<Record<string, unknown>>;
  /** What its sweep has drawn of them, or what was queued. */
  drawn?: Drawn;
  /** Shows lines of the log where somebody else records what is shown. */
  print?(level: LogLevel, text: string): void;
  /** Throws where the program is to stop. */
  check?(): void;
}

/** A run of a program: what `init` returns. */
export interface Run {
  readonly id: string;
  readonly number: number | null;
  readonly url: string | null;
  /** What replicates differ in. */
  readonly seed: number;
  /** The step that the next `log` without one has. */
  readonly step: number;
  readonly config: Config;
  /** Newest value by name; a number or text that is set here is logged when the run ends, at the last step. */
  readonly summary: Record<string, unknown>;
  /**
   * Logs numbers, texts and things to look at by name at a step: the given one, or one after the last. A text that is as it was is
   * not logged again: it stands until the next one. A list of up to 32 numbers is told as a text, of more as a histogram; null and
   * undefined are no values. Of two values with one name and step the first is kept, which a warning says once a run.
   */
  log(data: Readonly<Record<string, unknown>>, place?: number | LogPlace): void;
  /** Says of a metric, or of all that match a pattern such as `valid/*`, what stands for it and which way is better. */
  defineMetric(name: string, definition?: MetricDefinition): void;
  /** Adds lines to the run's log. */
  logText(text: string, level?: LogLevel): void;
  /** Tells people: rules that wait for it send it on, the dashboard shows it, and the run's log has it. */
  alert(title: string, text?: string, level?: LogLevel): void;
  /** Ends the run and waits until all is sent. */
  finish(options?: FinishOptions): Promise<void>;
  /** Ends the run as cancelled. */
  cancel(): Promise<void>;
  /** Whether it has ended, for this program. */
  readonly ended: boolean;
  /** Tells once that the run has ended, where it has: what is given to it goes nowhere. */
  tellEnded(call: string): void;
  /** Says that it took a registered version, such as `ranker:3`. */
  noteUse(version: string): void;
  /** Writes the run's end and sends nothing: for a program that is ending. */
  writeEnd(state: RunState, message: string | null): void;
}

const NOTHING_DRAWN: Drawn = { parameters: {}, why: '' };
const PATIENCE_SECONDS = 30;

const SUMMARIES: ReadonlySet<unknown> = new Set([undefined, null, 'min', 'max', 'last', 'mean', 'best']);
const GOALS: ReadonlySet<unknown> = new Set([undefined, null, 'minimize', 'maximize']);

/** @param outlet Null: nothing is recorded. */
export function runOver(outlet: Outlet | null, start: RunStart): Run {
  const { id, number, url, firstStep, takesSeed = false, parameters, drawn = NOTHING_DRAWN, print, check } = start;
  const summary = runSummary();
  const leaveOutUnchanged = newestTexts();
  const noteSteps = repeatedSteps(start.lastSteps);
  let { seed } = start;
  let step = firstStep;
  /** What was logged with `commit: false`. */
  let waiting: { numbers: Record<string, WireValue>; others: Map<string, unknown> } = {
    numbers: {},
    others: new Map(),
  };
  let ended = outlet === null;
  let isTold = outlet === null;

  const tellEnded: Run['tellEnded'] = (call) => {
    if (!ended || isTold) return;
    isTold = true;
    warn(`${call}: the run has ended, so that nothing is recorded: init() begins another`);
  };

  const write = (record: JournalRecord): void => {
    if (!ended) outlet?.append(record);
  };

  const keepMedia = mediaKeeper((name, at, things) => {
    if (!ended) outlet?.keepMedia(name, at, things);
  });
  const writeAt = (at: number, numbers: Record<string, WireValue>, others: ReadonlyMap<string, unknown>): void => {
    if (Object.keys(numbers).length > 0) write(['metrics', at, Date.now(), numbers]);
    for (const [name, value] of others) keepMedia(name, at, value);
  };
  const writeSet = (at: number, values: Record<string, unknown>): void => {
    const others = new Map<string, unknown>();
    writeAt(at, numbersOf(values, others, toldValue), others);
  };

  const writeEnd: Run['writeEnd'] = (state, message) => {
    writeAt(step, waiting.numbers, waiting.others);
    if (Object.keys(waiting.numbers).length + waiting.others.size > 0) step += 1;
    const { first, again } = summary.unlogged();
    writeSet(Math.max(firstStep, step - 1), first);
    writeSet(step, again);
    write(['end', state, message]);
    ended = true;
  };

  const writeLines = (given: unknown, level: LogLevel): void => {
    const text = String(given);
    if (print !== undefined && !ended) {
      print(level, text);
      return;
    }
    for (const line of text.replace(/(?:\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/))
      write(['line', Date.now(), level, line]);
  };

  const end = async (state: RunState, message: string | null, patience = PATIENCE_SECONDS): Promise<void> => {
    if (!ended) writeEnd(state, message);
    await outlet?.close(patience);
  };

  return {
    id,
    number,
    url,
    get seed() {
      return seed;
    },
    get step() {
      return step;
    },
    get ended() {
      return ended;
    },
    config: configOf(parameters, drawn, (changes) => {
      tellEnded('config');
      const { seed: own, ...others } = changes;
      const isOwn = takesSeed && isSeed(own);
      if (isOwn) {
        seed = own;
        // also the same one: a run that goes on may have another
        write(['describe', { seed }]);
      }
      if (!isOwn || Object.keys(others).length > 0) write(['parameters', isOwn ? others : changes]);
    }),
    summary: summary.values,
    log(data, place) {
      check?.();
      const { step: given, commit = true } = typeof place === 'number' ? { step: place } : (place ?? {});
      const at = given ?? step;
      let others = new Map<string, unknown>();
      let numbers = numbersOf(data, others, toldValue);
      if (!Number.isSafeInteger(at) || at < 0)
        throw new RangeError(`log: step ${at} is not a whole number from 0 to 2^53 - 1`);
      tellEnded('log');
      summary.note({ ...numbers, ...textsOf(others) });
      numbers = { ...waiting.numbers, ...numbers };
      others = new Map([...waiting.others, ...others]);
      const waits = !commit && given === undefined;
      waiting = waits ? { numbers, others } : { numbers: {}, others: new Map() };
      if (waits) return;
      if (at >= step && commit) step = at + 1;
      noteSteps(numbers, at);
      leaveOutUnchanged(others, at);
      writeAt(at, numbers, others);
    },
    defineMetric(name, definition = {}) {
      const checked = checkedDefinition(String(name), definition);
      tellEnded('defineMetric');
      write(['define', checked]);
    },
    logText(text, level = 'info') {
      const checked = checkedLevel(level, 'logText');
      tellEnded('logText');
      writeLines(text, checked);
    },
    alert(title, text = '', level = 'warn') {
      const checked = checkedLevel(level, 'alert');
      tellEnded('alert');
      writeLines(text === '' ? title : `${title}: ${text}`, checked);
      const raised = checked === 'debug' ? 'warn' : checked;
      write(['alert', Date.now(), raised, String(title), String(text), crypto.randomUUID()]);
    },
    noteUse: (version) => write(['use', version]),
    async finish({ exitCode = 0, error, patience } = {}) {
      const reason = error === undefined ? (exitCode === 0 ? null : `exit code ${exitCode}`) : textOf(error);
      await end(reason === null ? 'SUCCEEDED' : 'FAILED', reason, patience);
    },
    cancel: () => end('CANCELLED', null),
    tellEnded,
    writeEnd,
  };
}

function textOf(error: string | Error): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** @throws TypeError for a rule or a goal that there is not */
function checkedDefinition(name: string, { stepMetric, summary, goal }: MetricDefinition): MetricDefinitionInput {
  if (!SUMMARIES.has(summary))
    throw new TypeError(`defineMetric: summary '${summary}' is not one of min, max, last, mean, best`);
  if (!GOALS.has(goal)) throw new TypeError(`defineMetric: goal '${goal}' is not one of minimize, maximize`);
  return { name, stepMetric: stepMetric ?? null, summary: summary ?? null, goal: goal ?? null };
}

/** Takes the things to look at out of what is logged, and warns once a name of what is none. */
function mediaKeeper(keep: Outlet['keepMedia']): (name: string, step: number, value: unknown) => void {
  const warned = new Set<string>();
  return (name, step, value) => {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    const things = values.flatMap((entry) => mediaOf(entry)?.packed ?? []);
    if (things.length > 0) keep(name, step, things);
    const tables = values.flatMap((entry) => (entry instanceof Chart ? (entry.table?.packed ?? []) : []));
    if (tables.length > 0) keep(`${name}_table`, step, tables);
    if ((things.length === values.length && things.length > 0) || warned.has(name)) return;
    warned.add(name);
    warn(`log: '${name}' is neither a number nor something to look at: it is left out`);
  };
}
