import { parseSeedList } from '#src/base/lib/seedList.ts';

/** What the form of a run holds besides the kind's own fields, as it is typed. */
export interface RunSettings {
  project: string;
  name: string;
  seeds: string;
  priority: string;
  maxAttempts: string;
  tags: string;
}

/** What is wrong, by field. */
export function checkSettings(settings: RunSettings): Record<string, string> {
  const errors: Record<string, string> = {};
  if (settings.project.trim() === '') errors.project = 'Name a project.';
  if (!isWhole(settings.priority, 1, 2_097_151)) errors.priority = 'A whole number from 1 (first) to 2,097,151 (last).';
  if (!isWhole(settings.maxAttempts, 1, 100)) errors.maxAttempts = 'A whole number from 1 to 100.';
  const seeds = parseSeedList(settings.seeds);
  if ('problem' in seeds) errors.seeds = `${seeds.problem[0]?.toUpperCase()}${seeds.problem.slice(1)}.`;
  return errors;
}

/** Words separated by commas or spaces. */
export function tagsOf({ tags }: Pick<RunSettings, 'tags'>): string[] {
  return tags.split(/[\s,]+/).filter((tag) => tag !== '');
}

function isWhole(text: string, from: number, to: number): boolean {
  const value = Number(text);
  return text.trim() !== '' && Number.isInteger(value) && value >= from && value <= to;
}
