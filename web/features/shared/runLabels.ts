import { configurationFields, type LabelledConfiguration } from '#src/lib/groupLabels.ts';
import { labelsOf } from '#src/lib/labels.ts';

export interface LabelledRun {
  number: number;
  name: string;
  seed: number;
  configuration: LabelledConfiguration;
}

/** Names of runs beside each other: the number and what tells each from the others, `#12 learningRate 0.1 · seed 3`. */
export function runLabels(runs: readonly LabelledRun[]): string[] {
  const labels = labelsOf(
    runs.map((run) => ({
      fields: new Map([...configurationFields(run.configuration), ['name', run.name], ['seed', run.seed]]),
    })),
  );
  return runs.map((run, index) => `#${run.number} ${labels[index]!.text}`);
}
