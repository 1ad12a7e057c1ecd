import { configurationFields, tellingNames } from '#src/base/lib/groupLabels.ts';
import { type Labelled, labelsOf } from '#src/base/lib/labels.ts';
import { printable } from '#src/base/lib/printable.ts';

/** Compared runs with what tells them apart, as the API answers them. */
export interface NamedComparison {
  runs: readonly {
    id: string;
    number: number;
    name: string;
    configuration: { kind: string; datasetName: string | null };
  }[];
  /** One value a run, in their order. */
  fields: readonly { path: string; values: readonly unknown[]; differs: boolean }[];
  groups: readonly { runIds: readonly string[]; configuration: { hash: string } }[];
}

/** The numbers of a group's runs, and its name or what else tells it from the other groups: `#4 #5 #6 mf-bpr`; ranges where there are many. */
export function groupName(
  comparison: NamedComparison,
  { runIds }: Pick<NamedComparison['groups'][number], 'runIds'>,
): string {
  const { runs, groups } = comparison;
  const members = runs.filter((run) => runIds.includes(run.id));
  const numbers = members.map((run) => run.number).sort((a, b) => a - b);
  const first = numbers[0] ?? 0;
  const isRange = numbers.length > 2 && numbers.every((number, index) => number === first + index);
  const which = isRange ? `#${first}-${numbers.at(-1)}` : numbers.map((number) => `#${number}`).join(' ');
  const names = tellingNames(groups.map((group) => namesOf(comparison, group.runIds)));
  const labels = names ?? labelsOf(groups.map((group) => fieldsOf(comparison, group.runIds))).map(({ text }) => text);
  const label = labels[groups.findIndex((group) => group.runIds[0] === runIds[0])] ?? '';
  return `${which} ${printable(label)}`;
}

function namesOf({ runs }: NamedComparison, runIds: readonly string[]): string[] {
  return runs.filter((run) => runIds.includes(run.id)).map((run) => run.name);
}

function fieldsOf({ runs, fields }: NamedComparison, runIds: readonly string[]): Labelled {
  const index = runs.findIndex((run) => run.id === runIds[0]);
  const run = runs[index];
  if (run === undefined) return { fields: new Map() };
  const { kind, datasetName } = run.configuration;
  const differing = fields.filter((field) => field.differs && !['kind', 'seed', 'dataset.name'].includes(field.path));
  const own = configurationFields({ kind, datasetName, parameters: null });
  return { fields: new Map([...own, ...differing.map(({ path, values }) => [path, values[index]] as const)]) };
}
