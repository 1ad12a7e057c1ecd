import type { DatasetInfo, PublishedSeries } from './datasetInfo.ts';

/**
 * Name, series to train on and to test on, length, classes, as counted from copies of the archive's files; the test parts
 * of ECG5000 and TwoPatterns, whose copies lacked one series, as that copy's notes give them. Not typed from the archive's
 * own table: that a file agrees says it is the same copy, no more.
 */
const SIZES: readonly (readonly [name: string, train: number, test: number, length: number, classes: number])[] = [
  ['Adiac', 390, 391, 176, 37],
  ['ArrowHead', 36, 175, 251, 3],
  ['Beef', 30, 30, 470, 5],
  ['Car', 60, 60, 577, 4],
  ['Coffee', 28, 28, 286, 2],
  ['Earthquakes', 322, 139, 512, 2],
  ['ECG200', 100, 100, 96, 2],
  ['ECG5000', 500, 4_500, 140, 5],
  ['FacesUCR', 200, 2_050, 131, 14],
  ['GunPoint', 50, 150, 150, 2],
  ['GunPointAgeSpan', 135, 316, 150, 2],
  ['GunPointOldVersusYoung', 136, 315, 150, 2],
  ['Ham', 109, 105, 431, 2],
  ['Meat', 60, 60, 448, 3],
  ['MedicalImages', 381, 760, 99, 10],
  ['MiddlePhalanxOutlineCorrect', 600, 291, 80, 2],
  ['Plane', 105, 105, 144, 7],
  ['ProximalPhalanxOutlineCorrect', 600, 291, 80, 2],
  ['SmoothSubspace', 150, 150, 15, 3],
  ['Strawberry', 613, 370, 235, 2],
  ['SyntheticControl', 300, 300, 60, 6],
  ['Trace', 100, 100, 275, 4],
  ['TwoPatterns', 1_000, 4_000, 128, 4],
  ['UMD', 36, 144, 150, 3],
];

const PREFIX = 'ucr/';

function describe(name: string, published: PublishedSeries | undefined): DatasetInfo {
  const lower = name.toLowerCase();
  const pair = (train: string, test: string) => ({ name: train, test, format: 'series' as const });
  return {
    name: `${PREFIX}${name}`,
    title: `UCR ${name}`,
    description: `Labelled time series of the UCR archive, 2018 edition, with the archive's own split into training and test series.`,
    holds: 'series',
    home: 'https://www.cs.ucr.edu/~eamonn/time_series_data_2018/',
    licence: 'Free for research with citation.',
    citation:
      'H. A. Dau, et al. The UCR time series archive. 2018. https://www.cs.ucr.edu/~eamonn/time_series_data_2018/',
    files: [
      pair(`${PREFIX}${lower}-train.tsv`, `${PREFIX}${lower}-test.tsv`),
      pair(`${PREFIX}${name}_TRAIN.tsv`, `${PREFIX}${name}_TEST.tsv`),
      pair(`${PREFIX}${name}_TRAIN.ts`, `${PREFIX}${name}_TEST.ts`),
      pair(`${PREFIX}${name}/${name}_TRAIN.tsv`, `${PREFIX}${name}/${name}_TEST.tsv`),
    ],
    published: [],
    ...(published === undefined ? {} : { publishedSeries: published }),
    uses: [
      {
        source: 'RNTK, Section 5',
        words:
          "the archive's split into training and test series; hyperparameters by cross-validation on the training part",
        preprocessing: {},
      },
    ],
    downloads: [
      {
        url: `https://www.timeseriesclassification.com/aeon-toolkit/${name}.zip`,
        sha256: null,
        maximumBytes: 2 ** 30,
        unpack: {
          [`${name}_TRAIN.ts`]: `${PREFIX}${name}_TRAIN.ts`,
          [`${name}_TEST.ts`]: `${PREFIX}${name}_TEST.ts`,
        },
        saveAs: `${name}.zip`,
      },
    ],
  };
}

/** Datasets of the UCR archive whose sizes are known here; any other is `ucr/NAME` as well. */
export const UCR_DATASETS: readonly DatasetInfo[] = SIZES.map(([name, train, test, length, classes]) =>
  describe(name, { source: 'counted from copies of the archive', train, test, length, classes }),
);

/** The dataset `ucr/NAME` of the archive, spelt as asked for; undefined for other names. */
export function ucrDataset(name: string): DatasetInfo | undefined {
  const match = /^ucr\/([A-Za-z0-9]+)$/i.exec(name);
  return match === null ? undefined : describe(match[1]!, undefined);
}
