import { isOfTestData } from './testData.ts';

/** How a rule begins that takes the value at the step where another metric was best; its name follows. */
export const AT_BEST = 'at the best ';

/** The name of a metric as a heading has it: with the rules by which its values were taken, unless they are simply the last ones. */
export function ruledName(name: string, rules: readonly string[]): string {
  return isPlain(rules) ? name : `${name} (${rules.join(' or ')})`;
}

/** Which values a table shows, over all of its metrics: `last values`, `values by the rules max and last`. */
export function valuesText(rules: readonly string[]): string {
  const different = [...new Set(rules)].sort();
  if (isPlain(different)) return 'last values';
  if (different.length === 1 && different[0]!.startsWith(AT_BEST)) return `values ${different[0]}`;
  return `values by the ${different.length === 1 ? 'rule' : 'rules'} ${different.join(', ')}`;
}

/** Whether these values of a metric were chosen by the test data: its own best over the steps, or the best of another such metric. */
export function isChosenOnTest(name: string, rules: readonly string[]): boolean {
  return rules.some((rule) => {
    if (rule === 'min' || rule === 'max') return isOfTestData(name);
    return rule.startsWith(AT_BEST) && isOfTestData(rule.slice(AT_BEST.length));
  });
}

function isPlain(rules: readonly string[]): boolean {
  return rules.every((rule) => rule === 'last');
}

/** What the API takes for a word of a person: `last`, `best`, or a metric at whose best step the values are. */
export function valueChoice(value: string): { at: 'LAST' | 'BEST'; bestOf: string | null } {
  return {
    at: value === 'best' ? 'BEST' : 'LAST',
    bestOf: value === 'last' || value === 'best' ? null : value,
  };
}

/** The rules by which groups of runs were summed up in a metric. */
export function groupRules({ at, bestOf, direction, summaryRules }: GroupedValues): string[] {
  if (bestOf != null) return [`${AT_BEST}${bestOf}`];
  if (at === 'BEST') return [direction === 'lower' ? 'min' : 'max'];
  return summaryRules.length > 0 ? [...summaryRules] : ['last'];
}

interface GroupedValues {
  at: string;
  bestOf?: string | null;
  direction?: 'higher' | 'lower' | null;
  summaryRules: readonly string[];
}
