import type { Paper } from '#src/catalog/published/papers.ts';
import type { RunState } from '#src/base/contracts/runState.ts';

/** What is to be said of a cell. */
export const CELL_VERDICTS = {
  AGREES: 'The whole 95 % interval over the seeds lies inside the margin around the printed value.',
  DIFFERS: 'Outside the 95 % interval in which runs as far apart as these, or as the authors’ own, would lie.',
  UNDECIDED: 'Neither: too few seeds, or too far apart.',
  SHORTENED: 'Measured with less training or data than in the paper: no verdict.',
  NOT_RUN: 'No run of it has finished.',
  NOT_RUNNABLE: 'It cannot be run here; the reason is given.',
  NOT_PRINTED: 'Measured; the paper prints no number.',
} as const;
export type CellVerdict = keyof typeof CELL_VERDICTS;

/** What is to be said of a claim. */
export const CLAIM_VERDICTS = {
  CONFIRMED: 'Everything that it states holds, with p at most 0.05 after correction where it is tested.',
  REFUTED: 'The opposite of something that it states holds, with p at most 0.05 after correction where it is tested.',
  UNDECIDED:
    'Neither; or its runs are missing, shortened, of fewer than three seeds, not comparable, or beside a baseline that is not the paper’s.',
} as const;
export type ClaimVerdict = keyof typeof CLAIM_VERDICTS;

/** How far a study is. */
export const STUDY_STATES = {
  NOT_RUN: 'No run of it has finished.',
  RUNNING: 'Runs of it are under way.',
  PARTLY: 'Some of its arms have finished runs.',
  SHORTENED: 'All of its arms that can be run have finished runs, some of them shortened or of fewer seeds.',
  COMPLETE: 'All of its arms that can be run have finished runs with the settings and seeds of the paper.',
  NOT_RUNNABLE: 'None of it can be run here.',
} as const;
export type StudyState = keyof typeof STUDY_STATES;

/** A run behind a number, as one names it. */
export interface RunReference {
  id: string;
  number: number;
  seed: number;
}

export interface PrintedNumber {
  value: number;
  standardDeviation: number | null;
  n: number | null;
  /** Where it stands, if not in the table. */
  place: string | null;
  /** How far the authors' own runs lie apart, where they are public. */
  spread: { standardDeviation: number; n: number } | null;
}

export interface CellReport {
  row: string;
  column: string;
  /** Decimals shown. */
  digits: number;
  printed: PrintedNumber | null;
  /** In the printed unit; null where nothing is measured. */
  mean: number | null;
  standardDeviation: number | null;
  /** Seeds. */
  n: number;
  /** Measured less printed. */
  difference: number | null;
  /** The numbers as people read them, with the printed decimals; empty where there is none. */
  printedText: string;
  measuredText: string;
  differenceText: string;
  verdict: CellVerdict;
  /** Why, in words. */
  reason: string;
  /** At most `MOST_REFERENCES` of them. */
  runs: RunReference[];
}

/** A cell over very many runs names the first of them only. */
export const MOST_REFERENCES = 50;

export interface StatementReport {
  /** What it states: `OverRec above SkNN in test/ndcg@10 on amazon-beauty`. */
  words: string;
  verdict: ClaimVerdict;
  /** Above less below, or the value that is to lie in a range; null where nothing is measured. */
  difference: number | null;
  /** 95 % confidence interval of it. */
  low: number | null;
  high: number | null;
  /** Two-sided; null where nothing is tested. */
  p: number | null;
  /** After Holm's correction over the family of the study; null where it decides nothing. */
  pHolm: number | null;
  /** What was tested: `paired t-test, 5 seeds`. */
  test: string;
  /** Why it is not tested or not decided; empty where all is well. */
  reason: string;
  runs: RunReference[];
}

export interface ClaimReport {
  name: string;
  text: string;
  source: string;
  verdict: ClaimVerdict;
  reason: string;
  statements: StatementReport[];
}

export interface FigurePointReport {
  /** A number, or the name of a bar. */
  x: number | string;
  mean: number | null;
  standardDeviation: number | null;
  n: number;
  printed: number | null;
}

export interface FigureSeriesReport {
  label: string;
  points: FigurePointReport[];
  /** Some of its runs are shortened. */
  shortened: boolean;
  /** Why there are fewer points than the study has; empty where all are there. */
  reason: string;
}

export interface FigurePanelReport {
  title: string;
  form: 'line' | 'bars' | 'picture';
  x: { label: string; logarithmic: boolean };
  y: { label: string; logarithmic: boolean };
  series: FigureSeriesReport[];
  /** Of `form` picture: the artifact; null where no run has left it. */
  picture: { artifactId: string; name: string; run: RunReference } | null;
}

export interface FigureReport {
  name: string;
  title: string;
  shows: string;
  panels: FigurePanelReport[];
}

export interface ArmReport {
  name: string;
  label: string;
  kind: string;
  dataset: string | null;
  /** Hash of the configuration of its finished runs, else of the paper's. */
  configurationHash: string;
  shortened: boolean;
  notRunnable: string | null;
  runs: (RunReference & { state: RunState })[];
}

/** Runs that were computed twice, and whether the same came out. */
export interface AuditReport {
  arm: string;
  seed: number;
  first: number;
  again: number;
  /** Null while the second has not ended. */
  agrees: boolean | null;
  /** The metric that differs most, with both values; empty where all agree. */
  reason: string;
}

/** By what the numbers were computed. */
export interface Provenance {
  commits: string[];
  machines: string[];
  /** Of the ends of the runs, as ISO dates; null without runs. */
  from: string | null;
  to: string | null;
}

/** A study with what was measured of it. */
export interface StudyReport {
  name: string;
  paper: Paper;
  title: string;
  source: string;
  notes: string;
  notRunnable: string | null;
  state: StudyState;
  rows: TableLineReport[];
  columns: TableLineReport[];
  unit: string;
  cells: CellReport[];
  claims: ClaimReport[];
  /** What Holm's correction is over: the comparisons that the claims state, and their hash. */
  family: { size: number; hash: string };
  figures: FigureReport[];
  arms: ArmReport[];
  audits: AuditReport[];
  provenance: Provenance;
}

export interface TableLineReport {
  name: string;
  label: string;
  group: string;
}
