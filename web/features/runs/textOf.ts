import type { RunRow } from './useRuns.ts';

/** The newest text that a run logged under a name, several of one step in lines; empty where it has none. */
export function textOf({ texts = [] }: RunRow, name: string): string {
  return texts.find((one) => one.name === name)?.texts.join('\n') ?? '';
}
