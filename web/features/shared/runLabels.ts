import { configurationFields, type LabelledConfiguration } from '#src/base/lib/groupLabels.ts';
import { labelsOf } from '#src/base/lib/labels.ts';

export interface LabelledRun {
  number: number;
  name: string;
  seed: number;
  configuration: LabelledConfiguration;
}

/**
 * Names of runs beside each other: the number with the name that somebody gave, `#12 gru4rec-lr0.1 · seed 3`, where names and seeds
 * tell them apart; else with what does, `#12 learningRate 0.1 · seed 3`.
 */
export function runLabels(runs: readonly LabelledRun[]): string[] {
  const names = new Set(runs.map(({ name }) => name)).size;
  const pairs = new Set(runs.map(({ name, seed }) => JSON.stringify([name, seed]))).size;
  if (names > 1 && pairs === runs.length) {
    return runs.map(({ number, name, seed }) => `#${number} ${name}${names < runs.length ? ` · seed ${seed}` : ''}`);
  }
  const labels = labelsOf(
    runs.map((run) => ({
      fields: new Map([...configurationFields(run.configuration), ['name', run.name], ['seed', run.seed]]),
    })),
  );
  return runs.map((run, index) => `#${run.number} ${labels[index]!.text}`);
}
