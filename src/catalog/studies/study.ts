import type { DatasetSelection } from '../datasetSelection.ts';
import type { KindName } from '../kinds.ts';
import type { Paper } from '../published/papers.ts';

/** `paper`: the authors' settings. `quick`: minutes on two cores; arms that are shortened for it are marked as such. */
export const STUDY_BUDGETS = ['quick', 'paper'] as const;
export type StudyBudget = (typeof STUDY_BUDGETS)[number];

/**
 * One table or figure of a paper: what is run, what is printed, what the paper says of it. A study computes nothing by
 * itself: running it means to queue the runs that it lacks.
 */
export interface Study {
  /** `paper/what`: `overrec/table-2`, `sevo/figure-5a`. */
  name: `${Paper}/${string}`;
  /** A line: what is shown. */
  title: string;
  /** Where it stands in the paper: `Table II, Section VI-B`. */
  source: string;
  /** What a reader must know to compare: protocol, what differs from the paper. Plain sentences. */
  notes?: string;
  /** Configurations; none where nothing can be run. */
  arms: readonly StudyArm[];
  /** Seeds of an arm by budget, unless the arm has its own or is deterministic (then the first alone). */
  seeds: Readonly<Record<StudyBudget, readonly number[]>>;
  table?: StudyTable;
  figures?: readonly StudyFigure[];
  claims: readonly StudyClaim[];
  /** Datasets that the paper has not: what is measured on them is shown, and decides no claim. */
  extraDatasets?: readonly string[];
  /** Why nothing of it can be run here; for studies without arms. */
  notRunnable?: string;
}

/** One configuration of a study. */
export interface StudyArm {
  /** Unique in the study: `sknn/amazon-beauty`. */
  name: string;
  /** As the paper calls it, without the dataset: `SkNN`. */
  label: string;
  kind: KindName;
  preset?: string;
  /** A name, or what differs from the preset's selection. */
  dataset?: string | Partial<DatasetSelection>;
  /** What differs from the preset, or from the defaults. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Artifacts of other arms' runs that it takes, of the same seed where that arm has it, else of its first. */
  inputs?: readonly StudyInput[];
  /** Whether its numbers do not depend on the seed: then one run says everything. */
  deterministic?: boolean;
  /** Seeds that are not the study's. */
  seeds?: Partial<Readonly<Record<StudyBudget, readonly number[]>>>;
  /** About how long a run takes with the paper's settings on two cores; until runs of its like have ended, `45m` plans by it. */
  minutes: number;
  /** What shortens it; without, the quick budget runs it as the paper has it, and its results are whole. */
  quick?: ArmShortening;
  /** What a table of the paper prints of it, by metric, where the study shows another one: a claim beside it asks whether it is the paper's. */
  printed?: Pick<StudyTable, 'digits' | 'tolerance'> & { byMetric: Readonly<Record<string, PrintedValue>> };
  /** What it has less than the paper under every budget, in words: data, length, width, epochs. Then it decides nothing. */
  lacks?: string;
  /** Why it cannot be run: then it is never queued, and its cells say this. */
  notRunnable?: string;
}

export interface StudyInput {
  /** What the kind calls it. */
  name: string;
  /** Name of the arm whose run leaves it. */
  arm: string;
  /** Name of the artifact: `item-embeddings.npy`. */
  artifact: string;
}

export interface ArmShortening {
  /** Laid over the arm's parameters. */
  parameters?: Readonly<Record<string, unknown>>;
  /** Laid over the arm's dataset, such as `{ maximumUsers: 2000 }`. */
  dataset?: Partial<DatasetSelection>;
  /** About how long a run takes then, on two cores. */
  minutes: number;
}

/** A metric of an arm's runs: of each seed its value at the last step, or its highest or lowest value. */
export interface ArmMetric {
  arm: string;
  metric: string;
  /** Default last. */
  take?: 'last' | 'highest' | 'lowest';
}

/** One number for each seed, computed from several: a mean over datasets, an improvement in percent, a rank. */
export interface CombinedValue {
  parts: readonly ArmMetric[];
  /** Values of one seed in the order of the parts (a deterministic arm's one value counts for every seed). */
  combine: (values: readonly number[]) => number;
  /** What it is, for people: `improvement over the best other method, in percent`. */
  words: string;
}

/** The p-value of a comparison, where the paper prints one. */
export interface ComparedValue {
  /** Two-sided, or one-sided for above > below. */
  test: 'paired-two-sided' | 'paired-one-sided';
  comparison: StudyComparison;
}

/** What is measured for a cell, a point of a figure or a claim. */
export type StudyValue = ArmMetric | CombinedValue | ComparedValue;

/**
 * That one arm's metric is greater than another's (greater as a number, also where lower is better). With several arms on both
 * sides they are paired in their order, such as one pair a dataset, and the test is over these pairs.
 */
export interface StudyComparison {
  above: string | readonly string[];
  below: string | readonly string[];
  metric: string;
  /** Of `below`, where it is another metric. */
  belowMetric?: string;
  /** How much greater by the paper's words, such as `slightly`: above / below - 1, with the words as they are taken here. */
  size?: { from?: number; to?: number; words: string };
}

/** As the paper prints it. */
export interface StudyTable {
  rows: readonly TableLine[];
  columns: readonly TableLine[];
  /** Those that the paper prints, or that are measured; any order. */
  cells: readonly TableCell[];
  /** Measured values are multiplied by it to be in the printed unit: 100 for percent, 10⁴ for cells like 237. Default 1. */
  scale?: number;
  /** Decimals shown. */
  digits: number;
  /** Behind the numbers' meaning: `%`, `× 10⁴`. */
  unit?: string;
  tolerance: Tolerance;
}

/** A row or a column. */
export interface TableLine {
  /** Unique among the rows or columns; what `--rows` and `--columns` select. */
  name: string;
  label: string;
  /** Shown once over neighbors of the same group, and selectable by its name: the dataset of a column. */
  group?: string;
}

export interface TableCell {
  row: string;
  column: string;
  printed?: PrintedValue;
  /** What is measured; absent where nothing is, for the reason given. */
  value?: StudyValue;
  /** Why it cannot be run. */
  notRunnable?: string;
  /** Where these differ from the table's. */
  scale?: number;
  digits?: number;
  tolerance?: Tolerance;
}

/** A number of the paper in its own unit. */
export interface PrintedValue {
  value: number;
  standardDeviation?: number;
  /** Runs behind it, where the paper says so. */
  n?: number;
  /** The authors' own runs, where they are public: how far they lie apart. */
  spread?: { standardDeviation: number; n: number };
  /** Where it stands, if not in the table itself: `Section 5.2, text`. */
  place?: string;
}

/**
 * The margin within which a measured value is the printed one: it agrees where its whole confidence interval of 95 % over the
 * seeds lies inside the widest of these.
 */
export interface Tolerance {
  /** Of the printed value: 0.05 is 5 %. */
  relative?: number;
  /** In the printed unit. */
  absolute?: number;
  /** Both on the same side of it: 0.05 for p-values. */
  sameSideOf?: number;
}

/** A statement of the paper that the runs can confirm or refute. */
export interface StudyClaim {
  /** Unique in the study. */
  name: string;
  /** What the paper says, in a sentence. */
  text: string;
  /** Where it says so. */
  source: string;
  /** What must hold for it, all of it. */
  statements: readonly StudyStatement[];
  /** Why it cannot be tested. */
  notRunnable?: string;
}

/** A comparison that is tested, or a range that holds a value. */
export type StudyStatement = StudyComparison | RangeStatement;

export interface RangeStatement {
  value: StudyValue;
  /** In words, for people: `slope of the log-log error`. */
  words: string;
  from?: number;
  to?: number;
  /** The value is a ratio of two standard deviations, each over so many values: then it has an interval by itself. */
  deviationsOver?: number;
}

/** Drawn from finished runs. */
export interface StudyFigure {
  /** Unique in the study. */
  name: string;
  title: string;
  /** A sentence: what the paper's figure shows. */
  shows: string;
  panels: readonly FigurePanel[];
}

export type FigurePanel = PlotPanel | ArtifactPanel;

export interface PlotPanel {
  title: string;
  form: 'line' | 'bars';
  x: FigureAxis;
  y: FigureAxis;
  series: readonly FigureSeries[];
}

/** A picture that a run leaves. */
export interface ArtifactPanel {
  title: string;
  arm: string;
  /** Name of the artifact. */
  artifact: string;
}

export interface FigureAxis {
  label: string;
  logarithmic?: boolean;
  /** Measured values are multiplied by it; default 1. */
  scale?: number;
}

/** Points from the arms' metrics, mean over seeds with its deviation; or the curve of a streamed metric over its steps. */
export type FigureSeries = PointSeries | CurveSeries;

export interface PointSeries {
  label: string;
  points: readonly FigurePoint[];
}

export interface FigurePoint {
  /** A number, or the name of a bar. */
  x: number | string;
  value: StudyValue;
  /** As read off the paper's figure or its text, in the axis' unit. */
  printed?: number;
}

export interface CurveSeries {
  label: string;
  curve: ArmMetric;
}
