import type { EmbeddingMapParameters } from '#src/catalog/kinds/embeddingMap.ts';
import { computedSettings } from '#src/catalog/parameters/embeddingParameters.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { computedEmbeddings } from '../training/start/computedEmbeddings.ts';
import { itemLabels } from './embeddings/itemLabels.ts';
import { mapEmbeddings, type NamedEmbedding } from './embeddings/mappedEmbeddings.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import type { SequenceDataset } from '../data/prepare/sequenceDataset.ts';
import { splitSequences } from '../data/split/splitSequences.ts';
import { reporterWithin } from './reporterWithin.ts';

type Context = ExperimentContext<EmbeddingMapParameters>;

/** Part of the progress that computing embeddings is. */
const COMPUTING_SHARE = 0.3;
const INPUT_NAME = /^[a-z0-9_][a-z0-9_.-]*$/;

/**
 * Embeddings of items, from other runs or computed, drawn by UMAP and coloured by their genres; `mapEmbeddings` says what is
 * reported. `purity` is that of the embedding where it is highest, which the note `purest` names.
 */
export const embeddingMap: Experiment<EmbeddingMapParameters> = async (context) => {
  const { parameters, reporter } = context;
  const dataset = await context.data.sequences();
  const labels = await itemLabels(context, parameters.labels);
  const { method } = parameters;
  const embeddings = method === 'input' ? givenEmbeddings(context, dataset) : await computed(context, method);
  const before = method === 'input' ? 0 : COMPUTING_SHARE;
  const found = await mapEmbeddings(context, {
    embeddings,
    labels,
    settings: parameters,
    title: `UMAP of the items of ${dataset.name}`,
    progress: (done, message) => reporter.progress(before + (1 - before) * done, message),
  });
  const [purest, { purity }] = [...found].reduce((a, b) => (b[1].purity > a[1].purity ? b : a));
  reporter.note('purest', purest);
  reporter.metric('purity', 0, purity);
  reporter.progress(1, 'done');
};

function givenEmbeddings({ data: { inputs } }: Context, dataset: SequenceDataset): NamedEmbedding[] {
  if (inputs.size === 0) {
    throw badInput(
      'method is input, but the run has none: give it embeddings as NAME=RUN:item-embeddings.npy, or a method that computes some',
      'inputs',
    );
  }
  return [...inputs.keys()].sort().map((name) => {
    if (!INPUT_NAME.test(name)) {
      throw badInput(
        `the input ${JSON.stringify(name)} is named in metrics; expected small letters, digits, -, _ and .`,
        `inputs.${name}`,
      );
    }
    const { values, rows, columns } = decodeNpyTable(inputs.get(name)!, `inputs.${name}`);
    if (rows !== dataset.itemCount) {
      throw badInput(
        `inputs.${name}: it has ${rows} rows; expected ${dataset.itemCount}, one for each item of "${dataset.name}", prepared as for the run that left it`,
        `inputs.${name}`,
      );
    }
    return { name, label: name, values, width: columns };
  });
}

async function computed(
  context: Context,
  method: Exclude<EmbeddingMapParameters['method'], 'input'>,
): Promise<NamedEmbedding[]> {
  const { parameters, reporter } = context;
  const { inputs } = context.data;
  if (inputs.size > 0) {
    throw badInput(
      `method is ${method}, which computes embeddings, but inputs are given: ${[...inputs.keys()].join(', ')}; expected method input`,
      'parameters.method',
    );
  }
  const { dimension, graphNeighbours } = parameters;
  const ofPart = reporterWithin(reporter, {
    progress: (done, message) => reporter.progress(COMPUTING_SHARE * done, message),
  });
  const found = await computedEmbeddings(
    { ...context, reporter: ofPart },
    {
      method,
      part: splitSequences(await context.data.sequences(), context.data.split),
      dimension,
      settings: computedSettings({ neighbours: graphNeighbours }),
      sides: ['items'],
    },
  );
  return [{ name: method, label: method, values: found.get('items')!.vectors, width: dimension }];
}
