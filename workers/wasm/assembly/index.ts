import { KEYS, MASK_WORDS, SIZE } from '../fields/searchFields';
import { field } from './memory';
import { NO_MEMORY, numberOf } from './patternTable';

export { activationBackward, activationForward } from './activation';
export { attentionBackward, attentionForward } from './attention';
export { binary } from './binary';
export { compare, select } from './comparison';
export { convert } from './conversion';
export { crossValidate } from './crossValidation';
export { dropout, residualDropout } from './dropout';
export { arcCosine, arcCosine2Into, polarAngle2Into } from './exports';
export { layerNormBackward, layerNormForward } from './layerNorm';
export { probeLanes, probeTrap } from './laneProbe';
export { matrixProduct } from './matrixProduct';
export { nearestNeighbours } from './neighbours';
export { countReverse, fillReverse, mergeReverse } from './neighbourUnion';
export { rankItems } from './ranking';
export { recurrentGram } from './recurrentGram';
export { reduceColumns, reduceRows, reduceRuns } from './reduction';
export { copyRows, fill, gatherRows, segmentSum } from './rows';
export { search } from './search';
export { slimWeights } from './slim';
export { softmax } from './softmax';
export { stridedCopy, transposeMatrices } from './strided';
export { sparsePropagation32 } from './sparsePropagation';
export { sparseProduct32, sparseProduct64, sparseRecurrence4 } from './sparse';
export { blendBlocks, combineBlocks, projectBlocks, shiftedSquares, subtractBlocks } from './columnBlocks';
export { choleskyBlock, choleskyPanel, choleskyUpdate, triangularSolve } from './denseFactor';
export { reflectRows, rotateRows, trailingProduct, trailingUpdate } from './denseEigen';
export { adamVariation } from './adamVariation';
export { adamUpdate, addScaled, sgdUpdate } from './optimizers';
export { elmanBackward, elmanForward } from './elman';
export { fullSoftmax, packChunks, sumMatrices } from './fullSoftmax';
export { gruBackward, gruForward } from './gru';
export { lstmBackward, lstmForward } from './lstm';
export { packPanels } from './panels';
export { sampledLossBackward, sampledLossForward, sumLanes } from './sampledLoss';
export { unary } from './unary';
export { trainWordVectors } from './wordVectors';
export { wassersteinBackward, wassersteinForward } from './wassersteinAttention';

/** Adds the patterns of the table of `from` to that of `to`, and returns how many different ones there are then. */
export function mergePatterns(job: usize, to: usize, from: usize): u32 {
  const stride: usize = (field(job, MASK_WORDS) + 1) << 2;
  const keys = <usize>field(from, KEYS);
  const size = field(from, SIZE);
  for (let pattern: u32 = 0; pattern < size; pattern++) {
    const key = keys + (<usize>pattern) * stride;
    if (numberOf(job, to, load<u32>(key), key + 4) === NO_MEMORY) return NO_MEMORY;
  }
  return field(to, SIZE);
}
