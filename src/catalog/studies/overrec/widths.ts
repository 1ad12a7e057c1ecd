import type { StudyArm } from '../study.ts';

/** What Figures 1, 2 and 4 span; the paper names 2, 4, 3000 and 4096. */
export const WIDTHS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3000, 4096] as const;
export type Width = (typeof WIDTHS)[number];

export const WIDTH_DATASETS = [
  { name: 'beauty', dataset: 'amazon-beauty', label: 'Beauty' },
  { name: 'clothing', dataset: 'amazon-clothing', label: 'Clothing' },
  { name: 'toys', dataset: 'amazon-toys', label: 'Toys' },
  { name: 'ml-1m', dataset: 'ml-1m', label: 'ML-1M' },
] as const;
export type WidthDataset = (typeof WIDTH_DATASETS)[number];

/** Networks that are hopeless on a processor with the paper's epochs. */
const WIDEST_ON_PROCESSOR = 512;

export const widthArmName = ({ name }: WidthDataset, width: Width, tied = true): string =>
  `n${width}${tied ? '' : '-untied'}/${name}`;

/**
 * A network of one width, trained for the paper's 200 epochs. The quick budget takes the 12-core of Beauty, and few users and
 * epochs of the others: narrow networks come near to interpolating there, wide ones do not.
 */
export function widthArm(of: WidthDataset, width: Width, tied = true): StudyArm {
  const isWide = width > WIDEST_ON_PROCESSOR;
  const onBeauty = of.name === 'beauty';
  const few = { maximumUsers: isWide ? 100 : 500 };
  return {
    name: widthArmName(of, width, tied),
    label: `n = ${width}${tied ? '' : ', untied'}`,
    kind: 'finite-rnn',
    preset: 'overrec/finite-rnn-beauty',
    dataset: of.name === 'ml-1m' ? { name: of.dataset, core: 5 } : of.dataset,
    parameters: {
      dimension: width,
      ...(tied ? {} : { tiesEmbeddings: false }),
      ...(isWide ? { requires: 'gpu' } : {}),
    },
    minutes: 10 + 2 * width,
    quick: {
      parameters: {
        epochs: isWide ? 1 : onBeauty ? 60 : 3,
        batchSize: 32,
        optimizer: { learningRate: 0.002 },
        ...(isWide ? { requires: 'any' } : {}),
      },
      dataset: onBeauty ? { core: 12 } : few,
      minutes: isWide ? 1.5 : onBeauty ? 0.3 + width / 200 : 0.5,
    },
  };
}

/** OverRec itself, the limit of infinite width: the arm of Table II. */
export function limitArm({ name, label }: WidthDataset): StudyArm {
  return {
    name: `overrec/${name}`,
    label: `OverRec, ${label}`,
    kind: 'overrec',
    preset: `overrec/table-2-overrec-${name}`,
    deterministic: true,
    minutes: name === 'ml-1m' ? 3 : 0.5,
  };
}

export const WIDTH_SEEDS = { quick: [1], paper: [1, 2, 3] } as const;
