/** The kernels of transformers: `assembly/{dropout,activation,layerNorm,attention,wassersteinAttention}.ts` say what each takes. */
export type TransformerKernelName =
  | 'dropout'
  | 'residualDropout'
  | 'activationForward'
  | 'activationBackward'
  | 'layerNormForward'
  | 'layerNormBackward'
  | 'attentionForward'
  | 'attentionBackward'
  | 'wassersteinForward'
  | 'wassersteinBackward';
