import { z } from 'zod';
import type { KindDefinition } from '../kind.ts';
import { SASREC_BACKBONE, sasRecParameters } from './sasRec.ts';
import { mapSettings } from '../parameters/mapParameters.ts';
import { ENHANCED, SEVO_DATASETS, sevoPreset } from '../presets/sevoPresets.ts';
import { SEVO_STUDIES, STUDY_OF } from '../presets/sevoStudies.ts';

const studies = SEVO_STUDIES.map((study) => `${study} (${STUDY_OF[study].words}: ${STUDY_OF[study].source})`);

export const sevoStudyParameters = z
  .strictObject({
    study: z
      .enum(SEVO_STUDIES)
      .default('rescaling')
      .describe(`What is compared, each way with the same seed: ${studies.join('; ')}. Default rescaling.`),
    map: mapSettings
      // Not a default: configurations that do not name it keep their hash.
      .optional()
      .meta({ default: null })
      .describe(
        'How clusters maps the embeddings of items, colours them and counts purity. Left out: UMAP with 15 neighbours. Not used by other studies.',
      ),
    ...sasRecParameters.shape,
  })
  .superRefine(({ study, map, ...training }, context) => {
    if (map !== undefined && STUDY_OF[study].figure.form !== 'maps') {
      context.addIssue({ code: 'custom', path: ['map'], message: `only the study clusters has maps, not ${study}` });
    }
    const checked = sasRecParameters.safeParse(training);
    for (const { path, message } of checked.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });

export type SevoStudyParameters = z.output<typeof sevoStudyParameters>;

const studied = SEVO_DATASETS.filter(({ name }) => name === 'beauty' || name === 'ml-1m');

export const sevoStudyKind: KindDefinition<typeof sevoStudyParameters> = {
  kind: 'sevo-study',
  version: 1,
  title: 'Studies of SEvo',
  description:
    'SASRec trained in several ways that differ in how its embeddings are smoothed, with the figure or table of the paper that compares them. Metrics have the name of their way before theirs; test/… are those of the way that validates best.',
  source:
    'C. Xu, J. Wang, J. Wang, W. Zhang. Graph-enhanced optimizers for structure-aware recommendation embedding evolution, Sections 5.3 to 5.6.',
  parameters: sevoStudyParameters,
  data: 'sequences',
  presets: [
    ...studied.flatMap((of) =>
      SEVO_STUDIES.filter((study) => STUDY_OF[study].needsGenres !== true || of.name === 'ml-1m').map((study) => {
        const { source, words } = STUDY_OF[study];
        const preset = sevoPreset(SASREC_BACKBONE, of, { ...ENHANCED, words: `${source}, ${words}` });
        return {
          ...preset,
          name: `sevo/${source.toLowerCase().replace(' ', '-')}-${of.name}`,
          parameters: { study, ...preset.parameters },
        };
      }),
    ),
    {
      name: 'demo/sevo-rescaling-generated',
      description:
        'Generated Markov sequences, with and without rescaling: needs no download, and ends within minutes.',
      dataset: 'generated/markov-medium',
      parameters: { dimension: 32, epochs: 10, batchSize: 128, optimizer: { smoothing: {} } },
    },
    {
      name: 'demo/sevo-clusters-generated',
      description:
        'Generated clusters as genres, mapped after training in four ways: needs no download, takes seconds.',
      dataset: 'generated/clusters-600x300',
      parameters: {
        study: 'clusters',
        dimension: 16,
        epochs: 15,
        batchSize: 64,
        optimizer: { learningRate: 0.01, smoothing: {} },
        map: { mapEpochs: 200 },
      },
    },
  ],
  primaryMetric: 'test/ndcg@10',
};
