/** The kernels of transformers: `assembly/{dropout,activation,layerNorm,attention}.ts` say what each takes. */
export type TransformerKernelName =
  | 'dropout'
  | 'residualDropout'
  | 'activationForward'
  | 'activationBackward'
  | 'layerNormForward'
  | 'layerNormBackward'
  | 'attentionForward'
  | 'attentionBackward';
