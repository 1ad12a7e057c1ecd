import type { SevoEfficiencyParameters, TimedBackbone } from '../../../src/catalog/kinds/sevoEfficiency.ts';
import { reportFigure } from '../../figures/reportFigure.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { MetricRecord } from './metricRecord.ts';

/** One way of training a backbone. */
export interface EfficiencyArm {
  backbone: TimedBackbone;
  way: 'plain' | 'sevo';
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
  const { warmUpEpochs, backbones } = parameters;
  for (const { metric, ratio, figure, title, unit } of PHASES) {
    const fastest = (backbone: TimedBackbone, way: EfficiencyArm['way']): number => {
      if (!arms.some((arm) => arm.backbone === backbone && arm.way === way)) return Number.NaN;
      return fastestAfter(record.series(`${backbone}/${way}/${metric}`), warmUpEpochs);
    };
    const ratios = backbones.flatMap((backbone) => {
      const value = fastest(backbone, 'sevo') / fastest(backbone, 'plain');
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
          values: backbones.map((backbone) => fastest(backbone, way)),
        })),
      },
    });
  }
}

/** The least of the values after so many steps: other work on the machine only adds. */
function fastestAfter(series: ReadonlyMap<number, number>, warmUp: number): number {
  return Math.min(...[...series].filter(([step]) => step > warmUp).map(([, value]) => value));
}
