/**
 * The kernels of recommenders: `assembly/{adamVariation,elman,fullSoftmax,gru,optimizers,panels,sampledLoss}.ts` say what each takes.
 */
export type RecommenderKernelName =
  | 'adamUpdate'
  | 'adamVariation'
  | 'addScaled'
  | 'elmanBackward'
  | 'elmanForward'
  | 'fullSoftmax'
  | 'gruBackward'
  | 'gruForward'
  | 'packChunks'
  | 'packPanels'
  | 'sampledLossBackward'
  | 'sampledLossForward'
  | 'sgdUpdate'
  | 'sumLanes'
  | 'sumMatrices';
