import type { SknnParameters } from '#src/catalog/kinds/sknn.ts';
import type { Experiment } from './experiment.ts';
import { SKNN_MEASURE } from './ranking/sequenceMeasures.ts';
import { rankByNeighbours } from './ranking/sequenceNeighbours.ts';

/** SkNN: nearest sequences by the cosine of their sets of items; what it is compared by is told in `rankSequences`. */
export const sknn: Experiment<SknnParameters> = (context) => rankByNeighbours(context, () => () => SKNN_MEASURE);
