import type { RunState } from '../runState.ts';

/** Fields whose value is a text; `configuration` is its hash, which runs that differ in nothing but their seed share. */
export const TEXT_FIELDS = [
  'kind',
  'preset',
  'dataset',
  'configuration',
  'name',
  'project',
  'id',
  'worker',
  'user',
  'notes',
  'error',
  'errorCode',
] as const;
/** Fields whose value is a number; `duration` is in seconds, `progress` from 0 to 1. */
export const NUMBER_FIELDS = [
  'number',
  'seed',
  'priority',
  'attempt',
  'duration',
  'progress',
  'sweep',
  'trial',
] as const;
/** Fields whose value is a point in time. */
export const TIME_FIELDS = ['created', 'started', 'ended'] as const;

export type TextField = { type: 'text'; name: (typeof TEXT_FIELDS)[number] };
/** The newest text that a program logged under a name; of several at that step all, each a line. */
export type LoggedTextField = { type: 'loggedText'; name: string };
export type NumberField = { type: 'number'; name: (typeof NUMBER_FIELDS)[number] };
export type TimeField = { type: 'time'; name: (typeof TIME_FIELDS)[number] };
export type StateField = { type: 'state' };
export type TagField = { type: 'tag' };
/** Last, least or greatest value of a series. */
export type MetricField = { type: 'metric'; summary: 'last' | 'minimum' | 'maximum'; name: string };
/** A value inside the parameters, the dataset selection or the environment; `path` has at least one segment. */
export type JsonField = { type: 'json'; root: 'parameters' | 'dataset' | 'environment'; path: readonly string[] };

/** What a run can be asked for, in filters and in orders. */
export type RunField =
  | TextField
  | LoggedTextField
  | NumberField
  | TimeField
  | StateField
  | TagField
  | MetricField
  | JsonField;

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A point or stretch of time, Unix milliseconds from `start` up to and without `end`: a date is its whole day in UTC.
 * `relative` ones count from the moment of the query.
 */
export interface TimeSpan {
  relative: boolean;
  start: number;
  end: number;
}

/** A value inside JSON. */
export type JsonScalar = string | number | boolean;

/**
 * A condition on one field. A run without a value there meets none but `null`; so `metric.loss != 1` is true only for runs
 * that have the metric. Tags are a set: `=` asks whether it holds the tag, `!=` whether it does not.
 */
export type Condition =
  | { type: 'compareText'; field: TextField | LoggedTextField; operator: Operator; value: string }
  | { type: 'compareNumber'; field: NumberField | MetricField; operator: Operator; value: number }
  | { type: 'compareTime'; field: TimeField; operator: Operator; value: TimeSpan }
  | { type: 'compareJson'; field: JsonField; operator: Operator; value: JsonScalar }
  | { type: 'inTexts'; field: TextField | LoggedTextField; negated: boolean; values: readonly string[] }
  | { type: 'inNumbers'; field: NumberField | MetricField; negated: boolean; values: readonly number[] }
  | { type: 'inJson'; field: JsonField; negated: boolean; values: readonly JsonScalar[] }
  | { type: 'inStates'; field: StateField; negated: boolean; values: readonly RunState[] }
  | { type: 'inTags'; field: TagField; negated: boolean; values: readonly string[] }
  | {
      type: 'like';
      field: TextField | LoggedTextField | TagField | JsonField;
      negated: boolean;
      caseless: boolean;
      /** `%` any text, `_` any character, `\` takes the next character as it is. */
      pattern: string;
    }
  | { type: 'null'; field: RunField; negated: boolean };

/** A filter for runs. `and` and `or` have at least two operands. */
export type RunFilter =
  | { type: 'and'; operands: readonly RunFilter[] }
  | { type: 'or'; operands: readonly RunFilter[] }
  | { type: 'not'; operand: RunFilter }
  | Condition;
