import { type RntkTableMethod, rntkTable2 } from '#src/catalog/published/rntkTables.ts';
import type { Study, StudyArm, TableCell } from '../study.ts';
import { accuracyMeasure, MEASURES, type MeasureName } from './accuracyMeasures.ts';
import { armName, classifierArm, KERNEL_ARMS, KERNELS, type KernelName, KNOWN_SETS } from './classifiers.ts';
import { aboveOthers, cellOf, columnsOf, MEASURE_ROWS, measured, SETS } from './table1Measures.ts';

/** What the printed accuracies of Table 2 give over the sets at hand, among the four kernels, in the printed unit. */
function printedOver(measure: MeasureName, method: KernelName): number {
  const table = SETS.map((name) => KERNELS.map((one) => rntkTable2(name)![one] / 100));
  return cellOf(measure, method).scale * accuracyMeasure(measure, table, KERNELS.indexOf(method));
}

interface KernelTable {
  name: Study['name'];
  title: string;
  notes: string;
  arms: readonly StudyArm[];
  nameOf: (method: RntkTableMethod, set: string) => string;
}

function kernelStudy({ name, title, notes, arms, nameOf }: KernelTable): Study {
  return {
    name,
    title,
    source: 'Table 1, Section 4; printed values computed from Table 2',
    notes: `Both sides over the same ${SETS.length} sets and among the four kernels alone: the printed values are what Table 2’s accuracies give there.${notes}`,
    arms,
    seeds: { quick: [1], paper: [1] },
    table: {
      rows: MEASURE_ROWS,
      columns: columnsOf(KERNELS),
      cells: MEASURES.flatMap((measure) =>
        KERNELS.map(
          (method): TableCell => ({
            ...cellOf(measure, method),
            printed: {
              value: printedOver(measure, method),
              n: SETS.length,
              place: 'computed from the accuracies of Table 2',
            },
            value: measured(measure, KERNELS, { method, nameOf }),
          }),
        ),
      ),
      digits: 2,
      tolerance: { absolute: 1 },
    },
    claims: [
      {
        name: 'above-kernels',
        text: 'The RNTK outperforms the NTK and the classical kernels.',
        source: 'Section 4, Table 1',
        statements: aboveOthers(['ntk', 'rbf', 'polynomial'], nameOf),
      },
    ],
  };
}

/** Table 1 for the four kernels alone, over the sets at hand on both sides. */
export const rntkTable1KernelsStudy: Study = kernelStudy({
  name: 'rntk/table-1-kernels',
  title: 'The four kernels over the sets at hand',
  notes: '',
  arms: KERNEL_ARMS,
  nameOf: armName,
});

const stepsName = (method: RntkTableMethod, set: string): string =>
  armName(method, set).replace(/^rntk\//, 'rntk-steps/');

/** The RNTK with several samples joined into one step, chosen with the rest. */
function stepsArm(set: string): StudyArm[] {
  const arm = classifierArm('rntk', set);
  if (arm === null) return [];
  const label = 'RNTK, 1, 5 or 10 samples a step';
  const parameters = { ...arm.parameters, samplesPerStep: [1, 5, 10] };
  return [{ ...arm, name: stepsName('rntk', set), label, parameters, minutes: 3 * arm.minutes }];
}

/** The same with an extension of ours that fits the printed figures better than the paper's method does. */
export const rntkTable1StepsStudy: Study = kernelStudy({
  name: 'rntk/table-1-steps',
  title: 'The four kernels, the RNTK with 1, 5 or 10 samples a step',
  notes: ' An extension: the paper has one sample a step. That it fits better proves nothing about the paper.',
  arms: [...KNOWN_SETS.flatMap(stepsArm), ...KERNEL_ARMS.filter(({ name }) => !name.startsWith('rntk/'))],
  nameOf: stepsName,
});
