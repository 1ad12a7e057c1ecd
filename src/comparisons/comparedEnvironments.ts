import { arithmeticOf } from '#src/base/contracts/arithmetic.ts';
import { flattenJson } from '#src/base/lib/flattenJson.ts';
import { canonicalJson } from '#src/base/lib/stableHash.ts';
import type { Comparison, ConfigurationField } from './compareRuns.ts';
import { type ComparedValues, repeatsFields } from './repeatedValues.ts';

/** What a run recorded of where and with what it ran. */
export type Environment = Readonly<Record<string, unknown>>;

/** They differ between any two runs, or are results, or follow from the data. */
const LEFT_OUT = ['timings', 'peakRssMb', 'seed', 'notes', 'datasetStatistics'];
const SPLIT_FIELDS = ['split', 'trainShare', 'validationShare', 'splitSeed'];
/** Ties that decide on fewer users' hits than this change nothing. */
const TELLING_TIES = 0.01;
const MOST_NUMBERS = 6;

/**
 * Facts of code and environment in which the runs differ: commit, versions, backend, data. Times, memory and notes are left out,
 * and so is what the fields of the runs tell already.
 * @param environments One per compared run, in their order.
 */
export function environmentDifferences(
  environments: readonly Environment[],
  fields: readonly ComparedValues[] = [],
): ConfigurationField[] {
  const leaves = environments.map((environment) => {
    const told = { arithmetic: arithmeticOf(environment), ...environment };
    const kept = Object.fromEntries(Object.entries(told).filter(([name]) => !LEFT_OUT.includes(name)));
    return new Map(flattenJson(kept, '').map(([path, value]) => [path.slice(1), value] as const));
  });
  const paths = [...new Set(leaves.flatMap((facts) => [...facts.keys()]))].sort();
  return paths.flatMap((path) => {
    const texts = new Set(leaves.map((facts) => (facts.has(path) ? canonicalJson(facts.get(path)) : 'absent')));
    const values = leaves.map((facts) => facts.get(path) ?? null);
    return texts.size < 2 || repeatsFields({ path, values }, fields) ? [] : [{ path, values, differs: true }];
  });
}

/**
 * Why numbers of the runs do not compare, a sentence each; empty where nothing speaks against it.
 * @param environments One per compared run, in their order.
 */
export function whyNotComparable(
  { runs, fields }: Pick<Comparison, 'runs' | 'fields'>,
  environments: readonly Environment[],
): string[] {
  const reasons: string[] = [];
  const say = (what: string, values: readonly unknown[], write: (value: unknown) => string = String) => {
    const numbersOf = new Map<string, number[]>();
    for (const [index, value] of values.entries()) {
      if (value === undefined || value === null) continue;
      const text = write(value);
      numbersOf.set(text, [...(numbersOf.get(text) ?? []), runs[index]!.number]);
    }
    if (numbersOf.size < 2) return;
    const parts = [...numbersOf].map(([text, numbers]) => `${text} (${written(numbers)})`);
    reasons.push(`${what}: ${parts.join(', ')}`);
  };
  const valuesOf = (path: string) => fields.find((field) => field.path === path)?.values ?? [];
  say('the datasets differ', valuesOf('dataset.name'));
  say(
    'the content of the data differs by fingerprint',
    environments.map((environment) => environment.fingerprint),
    (value) => String(value).slice(0, 12),
  );
  const splits = runs.map((_, index) => {
    const parts = SPLIT_FIELDS.flatMap((name) => {
      const value = valuesOf(`dataset.${name}`)[index];
      return value === undefined || value === null ? [] : [name === 'split' ? String(value) : `${name} ${value}`];
    });
    return parts.length === 0 ? null : parts.join(' ');
  });
  say('the splits differ', splits);
  for (const { path, values, differs } of fields) {
    const isCandidates = /^(dataset|parameters)\.(.*\.)?(evaluation|candidates|excludeSeen)$/.test(path);
    if (differs && isCandidates) say(`the ranked candidates differ in ${path}`, values, canonicalJson);
  }
  reasons.push(...otherArithmetics(runs, environments));
  const notes = environments.map(({ notes }) => record(notes));
  say(
    'ties are broken by different rules',
    notes.map(({ tieRule }) => tieRule),
  );
  for (const [index, { tieShare }] of notes.entries()) {
    const shares = Object.entries(record(tieShare)).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] >= TELLING_TIES,
    );
    if (shares.length === 0) continue;
    const told = shares.map(([cutoff, share]) => `${(100 * share).toFixed(1)} % of the users ${cutoff}`).join(', ');
    reasons.push(`in #${runs[index]!.number} a tie of scores decides on the hit of ${told}`);
  }
  return reasons;
}

/** Runs of one configuration and seed that should be the same to the bit, but for how they rounded. */
function otherArithmetics(runs: Comparison['runs'], environments: readonly Environment[]): string[] {
  const twins = new Map<string, number[]>();
  for (const [index, { configurationHash, seed }] of runs.entries()) {
    const key = `${configurationHash} ${seed}`;
    twins.set(key, [...(twins.get(key) ?? []), index]);
  }
  return [...twins.values()].flatMap((indices) => {
    const of = indices.map((index) => arithmeticOf(environments[index] ?? {}));
    if (new Set(of).size < 2) return [];
    const parts = indices.map((index, at) => `${of[at]} (#${runs[index]!.number})`);
    return [
      `sums of products were rounded differently, so that equal runs differ in their last bits: ${parts.join(', ')}`,
    ];
  });
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function written(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MOST_NUMBERS).map((number) => `#${number}`);
  return numbers.length > MOST_NUMBERS
    ? `${shown.join(' ')} and ${numbers.length - MOST_NUMBERS} more`
    : shown.join(' ');
}
