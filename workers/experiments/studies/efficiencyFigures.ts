import type { SevoEfficiencyParameters, TimedBackbone } from '#src/catalog/kinds/sevoEfficiency.ts';
import { reportFigure } from '#workers/figures/reportFigure.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { MetricRecord } from './metricRecord.ts';

/** One way of training a backbone, for one turn. */
export interface EfficiencyArm {
  backbone: TimedBackbone;
  way: 'plain' | 'sevo';
  /** From 0. */
  turn: number;
}

const WAYS = [
  { way: 'plain', label: 'without SEvo' },
  { way: 'sevo', label: 'with SEvo' },
] as const;

const PHASES = [
  { metric: 'time/epoch', ratio: 'train', figure: 'training-time', title: 'training', unit: 'seconds an epoch' },
  {
    metric: 'time/rank',
    ratio: 'rank',
    figure: 'inference-time',
    title: 'inference',
    unit: 'seconds to rank all items for all users',
  },
] as const;

/** Bars of the fastest of the epochs that count, without and with SEvo (Figure 3), and the ratios of the two as metrics. */
export async function reportEfficiency(
  { reporter, parameters, dataset }: ExperimentContext<SevoEfficiencyParameters>,
  record: MetricRecord,
  arms: readonly EfficiencyArm[],
): Promise<void> {
  const { backbones } = parameters;
  for (const { metric, ratio, figure, title, unit } of PHASES) {
    const seconds = (backbone: TimedBackbone, way: EfficiencyArm['way']): number => {
      if (!arms.some((arm) => arm.backbone === backbone && arm.way === way)) return Number.NaN;
      return fastest(record.series(`${backbone}/${way}/${metric}`), parameters);
    };
    const ratios = backbones.flatMap((backbone) => {
      const value = seconds(backbone, 'sevo') / seconds(backbone, 'plain');
      if (Number.isNaN(value)) return [];
      reporter.metric(`${backbone}/time-ratio/${ratio}`, 0, value);
      return [value];
    });
    if (ratios.length > 0) {
      const mean = Math.exp(ratios.reduce((sum, value) => sum + Math.log(value), 0) / ratios.length);
      reporter.metric(`time-ratio/${ratio}`, 0, mean);
    }
    await reportFigure(reporter, figure, {
      figure: {
        form: 'curves',
        title: `SEvo Figure 3, ${title}: ${dataset.name}`,
        x: { title: '', scale: 'category', categories: backbones },
        y: { title: unit },
        series: WAYS.map(({ way, label }) => ({
          form: 'bars',
          name: label,
          values: backbones.map((backbone) => seconds(backbone, way)),
        })),
      },
    });
  }
}

/** The least of the values but of the first epochs of each turn: other work on the machine only adds. */
function fastest(
  series: ReadonlyMap<number, number>,
  { warmUpEpochs, epochs }: Pick<SevoEfficiencyParameters, 'warmUpEpochs' | 'epochs'>,
): number {
  const counts = (step: number): boolean => (step - 1) % (warmUpEpochs + epochs) >= warmUpEpochs;
  return Math.min(...[...series].filter(([step]) => counts(step)).map(([, value]) => value));
}
