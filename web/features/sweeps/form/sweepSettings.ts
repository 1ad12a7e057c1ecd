import { parseSeedList } from '#src/base/lib/seedList.ts';

/** What the form holds besides parameters, as it is typed. */
export interface SweepSettings {
  method: 'tpe' | 'random' | 'sobol' | 'grid';
  metric: string;
  /** Empty: what the metric is known for. */
  goal: '' | 'minimize' | 'maximize';
  summary: 'last' | 'best';
  target: string;
  seeds: string;
  trials: string;
  hours: string;
  epochs: string;
  patience: string;
  concurrency: string;
  samplerSeed: string;
  stopping: '' | 'asha' | 'hyperband' | 'median';
  firstLook: string;
  eta: string;
  name: string;
  project: string;
  tags: string;
}

export const START_SETTINGS: SweepSettings = {
  ...{ method: 'tpe', metric: '', goal: '', summary: 'last', target: '', seeds: '1' },
  ...{ trials: '40', hours: '', epochs: '', patience: '', concurrency: '4', samplerSeed: '1' },
  ...{ stopping: '', firstLook: '3', eta: '3', name: '', project: 'default', tags: '' },
};

/** Where the API's paths of a sweep file stand in the form. */
const FIELD_OF: Readonly<Record<string, keyof SweepSettings>> = {
  ...{ method: 'method', metric: 'metric', 'metric.name': 'metric', 'metric.goal': 'goal', 'metric.target': 'target' },
  ...{
    seeds: 'seeds',
    run_cap: 'trials',
    'budget.trials': 'trials',
    'budget.hours': 'hours',
    'budget.epochs': 'epochs',
    seed: 'samplerSeed',
  },
  ...{ 'budget.untilNothingBetterIn': 'patience', concurrency: 'concurrency', early_terminate: 'stopping' },
  ...{ 'early_terminate.min_iter': 'firstLook', 'early_terminate.eta': 'eta', 'early_terminate.type': 'stopping' },
  ...{ name: 'name', project: 'project', tags: 'tags' },
};

/** The field of the form that a path of the API belongs to; parameters keep their paths, null where there is none. */
export function fieldOfPath(path: string | null): string | null {
  if (path === null) return null;
  const plain = path
    .replace(/^(input\.)?(file\.)?/, '')
    .replace(/\[.*$/, '')
    .replace(/\.when$/, '');
  if (plain.startsWith('parameters.') || plain.startsWith('dataset'))
    return plain === 'dataset' ? 'dataset.name' : plain;
  if (plain.startsWith('early_terminate')) return FIELD_OF[plain] ?? 'stopping';
  return FIELD_OF[plain] ?? (plain === 'parameters' ? 'parameters' : null);
}

interface ReadSettings {
  /** Keys of a sweep file. */
  file: Record<string, unknown>;
  /** What is wrong, by field. */
  errors: Record<string, string>;
}

/** The keys of a sweep file that the settings stand for. */
export function readSettings(settings: SweepSettings): ReadSettings {
  const errors: Record<string, string> = {};
  const number = (name: keyof SweepSettings, { whole = true, least = 1 } = {}): number | undefined => {
    const text = settings[name].trim();
    if (text === '') return undefined;
    const value = Number(text);
    if (Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))) return value;
    errors[name] = whole ? `A whole number from ${least} on.` : 'A number.';
    return undefined;
  };
  const seeds = parseSeedList(settings.seeds);
  if ('problem' in seeds) errors.seeds = seeds.problem;
  const metric = settings.metric.trim();
  if (metric === '' && settings.method === 'tpe') errors.metric = 'tpe learns from a metric, such as valid/ndcg@10.';
  const target = number('target', { whole: false, least: Number.NEGATIVE_INFINITY });
  const budget = {
    trials: number('trials'),
    hours: number('hours', { whole: false, least: 0 }),
    epochs: number('epochs'),
    untilNothingBetterIn: number('patience'),
  };
  const stopping = settings.stopping;
  const tags = settings.tags.split(/[\s,]+/).filter((tag) => tag !== '');
  return {
    errors,
    file: {
      method: settings.method,
      ...(metric === ''
        ? {}
        : {
            metric: {
              name: metric,
              ...(settings.goal === '' ? {} : { goal: settings.goal }),
              ...(settings.summary === 'last' ? {} : { summary: settings.summary }),
              ...(target === undefined ? {} : { target }),
            },
          }),
      ...('seeds' in seeds ? { seeds: seeds.seeds } : {}),
      budget: Object.fromEntries(Object.entries(budget).filter(([, value]) => value !== undefined)),
      concurrency: number('concurrency') ?? 4,
      seed: number('samplerSeed', { least: 0 }) ?? 1,
      ...(stopping === ''
        ? {}
        : {
            early_terminate: {
              type: stopping,
              min_iter: number('firstLook') ?? 1,
              ...(stopping === 'median' ? {} : { eta: number('eta', { least: 2 }) ?? 3 }),
            },
          }),
      ...(tags.length === 0 ? {} : { tags }),
    },
  };
}
