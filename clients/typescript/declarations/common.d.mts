/** How serious a line of a log is. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
/** Which value stands for a series; `best` by the direction of the metric. */
export type SummaryRule = 'min' | 'max' | 'last' | 'mean' | 'best';
export type MetricGoal = 'minimize' | 'maximize';

/** Values by name: numbers are points of metrics, texts and things to look at are media; inner objects are named with `/`. */
export type Values = Readonly<Record<string, unknown>>;

export interface InitOptions {
  project?: string;
  name?: string;
  /** The run's parameters. */
  config?: Values;
  tags?: string | readonly string[];
  /** Become tags. */
  group?: string;
  jobType?: string;
  notes?: string;
  /** What replicates differ in. */
  seed?: number;
  /** What was trained on. */
  dataset?: string;
  /** A UUID or a name of your own: the same one goes on with the same run. */
  id?: string;
  /** "must" asks for a run that is there, "never" for one that is not, "allow" takes either. */
  resume?: 'allow' | 'must' | 'never';
  /**
   * "RUN?_step=N" begins with the points of another run, by id or number, up to step N, and with its parameters, over which `config` goes.
   */
  forkFrom?: string;
  /** Who makes the run; in Node WARREN_USER, or the user of this machine, unless given. */
  user?: string;
  /** Address of the API. */
  server?: string;
  token?: string;
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

export interface Config {
  /** Adds parameters, or changes them; the configuration is final when the run ends. */
  update(parameters: Values): void;
  get(name: string): unknown;
  /** All of them by name. */
  all(): Record<string, unknown>;
}

/** A run of a program: what `init` returns. */
export interface Run {
  readonly id: string;
  /** Null while no server knows the run. */
  readonly number: number | null;
  /** Where the dashboard shows it; null while no server knows it. */
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
   * undefined are no values.
   */
  log(data: Values, place?: number | LogPlace): void;
  /** Says of a metric, or of all that match a pattern such as `valid/*`, what stands for it and which way is better. */
  defineMetric(name: string, definition?: MetricDefinition): void;
  /** Adds lines to the run's log. */
  logText(text: string, level?: LogLevel): void;
  /** Tells people: rules that wait for it send it on, the dashboard shows it, and the log has it. */
  alert(title: string, text?: string, level?: LogLevel): void;
  /** Ends the run and waits until all is sent. */
  finish(options?: FinishOptions): Promise<void>;
  /** Ends the run as cancelled. */
  cancel(): Promise<void>;
}

/** As `Run.log`, of the newest run. */
export function log(data: Values, place?: number | LogPlace): void;
/** As `Run.config`, of the newest run. */
export const config: Config;
/** As `Run.summary`, of the newest run. */
export const summary: Record<string, unknown>;
/** As `Run.defineMetric`, of the newest run. */
export function defineMetric(name: string, definition?: MetricDefinition): void;
/** As `Run.alert`, of the newest run. */
export function alert(title: string, text?: string, level?: LogLevel): void;
/** As `Run.logText`, of the newest run. */
export function logText(text: string, level?: LogLevel): void;
/** Ends the newest run and waits until all is sent. */
export function finish(options?: FinishOptions): Promise<void>;

export interface Caption {
  caption?: string;
}

/** What all things to look at have in common: their bytes are taken when they are made. */
export interface Media {
  readonly packed: object;
}

/** A picture: the bytes of a file, its path (in Node), a canvas's ImageData, or rows of pixels. */
export class Image implements Media {
  readonly packed: object;
  constructor(
    data:
      | string
      | Uint8Array
      | readonly (readonly (number | readonly number[])[])[]
      | { data: ArrayLike<number>; width: number; height: number },
    options?: Caption,
  );
}

/** Rows under column names. */
export class Table implements Media {
  readonly packed: object;
  readonly columns: readonly string[];
  readonly data: readonly (readonly unknown[])[];
  constructor(table: { columns: readonly string[]; data?: readonly (readonly unknown[])[] } & Caption);
}

/** Counts of values in bins: of numbers, or of counts and edges that are there already. */
export class Histogram implements Media {
  readonly packed: object;
  constructor(
    values: ArrayLike<number> | { counts: readonly number[]; edges: readonly number[] },
    options?: Caption & { bins?: number },
  );
}

/** A page. Scripts in it do not run when it is shown. */
export class Html implements Media {
  readonly packed: object;
  constructor(text: string, options?: Caption);
}

/** Plain text. */
export class Text implements Media {
  readonly packed: object;
  constructor(text: string, options?: Caption);
}

/** Sound: the bytes of a WAV, MP3, Ogg or FLAC file, or its path (in Node). */
export class Audio implements Media {
  readonly packed: object;
  constructor(data: string | Uint8Array, options?: Caption & { type?: string });
}

/** Moving pictures: the bytes of an MP4 or WebM file, or its path (in Node). */
export class Video implements Media {
  readonly packed: object;
  constructor(data: string | Uint8Array, options?: Caption & { type?: string });
}

/** A chart as JSON: a Vega-Lite specification, a Plotly figure, or an ECharts option. */
export class Chart implements Media {
  readonly packed: object;
  /** What it was drawn from, which is logged with it, as `NAME_table`. */
  readonly table: Table | null;
  constructor(spec: Values, options?: Caption & { kind?: 'vegaLite' | 'plotly' | 'echarts'; table?: Table | null });
}

type ClassName = string | number;

interface ScoreOptions {
  title?: string;
  /** Names of the classes, where the truth has their numbers. */
  labels?: readonly ClassName[];
  /** These classes alone. */
  classesToPlot?: readonly ClassName[];
}

/** Charts of a table, of series and of a classifier's scores: logged as NAME, each is a chart, and a table `NAME_table`. */
export const plot: {
  /** Values of a column over those of another one; `stroke` names a column with a line for each of its values. */
  line(table: Table, columns: { x: string; y: string; stroke?: string }, options?: { title?: string }): Chart;
  /** A point for each row. */
  scatter(table: Table, columns: { x: string; y: string }, options?: { title?: string }): Chart;
  /** A bar for each row, in the order of the rows. */
  bar(table: Table, columns: { label: string; value: string }, options?: { title?: string }): Chart;
  /** How often values of a column occur, in bins of one width. */
  histogram(table: Table, columns: { value: string }, options?: { title?: string }): Chart;
  /** Several lines: `ys` is a list of lists, `xs` the same or one list for all of them, `keys` their names. */
  lineSeries(
    xs: ArrayLike<number> | readonly ArrayLike<number>[],
    ys: readonly ArrayLike<number>[],
    options?: { keys?: readonly string[]; title?: string; xname?: string },
  ): Chart;
  /** For each class against the others; `yProbas` has the scores of all classes for each example, or of two classes one score. */
  rocCurve(yTrue: ArrayLike<ClassName>, yProbas: ArrayLike<number | ArrayLike<number>>, options?: ScoreOptions): Chart;
  /** The best precision at each recall or a greater one, at `interpSize` recalls (21 unless given). */
  prCurve(
    yTrue: ArrayLike<ClassName>,
    yProbas: ArrayLike<number | ArrayLike<number>>,
    options?: ScoreOptions & { interpSize?: number },
  ): Chart;
  /** How often each class was taken for each: `preds` are classes; or `probs`, whose greatest is the prediction. */
  confusionMatrix(options: {
    yTrue: ArrayLike<ClassName>;
    preds?: ArrayLike<ClassName>;
    probs?: ArrayLike<ArrayLike<number>>;
    classNames?: readonly ClassName[];
    title?: string;
  }): Chart;
};

/** The server cannot be reached now. */
export class Unreachable extends Error {}

/** The server refuses a request for good; the message says why. */
export class Refused extends Error {
  constructor(code: string, message: string);
  readonly code: string;
}
