/**
 * The kernels of recommenders: `assembly/{adamVariation,elman,fullSoftmax,gru,lstm,optimizers,panels,sampledLoss}.ts` say what each takes.
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
  | 'lstmBackward'
  | 'lstmForward'
  | 'packChunks'
  | 'packPanels'
  | 'sampledLossBackward'
  | 'sampledLossForward'
  | 'sgdUpdate'
  | 'sumLanes'
  | 'sumMatrices';
