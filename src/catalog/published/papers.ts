/** The five papers, in the order in which they are shown; the first part of the names of studies and of their presets. */
export const PAPERS = {
  rntk: 'S. Alemohammad, Z. Wang, R. Balestriero, R. Baraniuk. The Recurrent Neural Tangent Kernel. ICLR 2021.',
  overrec:
    'R. Qiu, Z. Huang, H. Yin. Beyond Double Ascent via Recurrent Neural Tangent Kernel in Sequential Recommendation. ICDM 2022.',
  leporid:
    'Y. Zhang, B. Li, Y. Liu, H. Wang, C. Miao. Initialization Matters: Regularizing Manifold-informed Initialization for Neural Recommendation Systems. KDD 2021.',
  sevo: 'C. Xu, J. Wang, J. Wang, W. Zhang. Graph-enhanced Optimizers for Structure-aware Recommendation Embedding Evolution. NeurIPS 2024.',
  featurizing:
    'Some Practical Concerns and Solutions for Using Pretrained Representation in Industrial Systems. Under review, anonymous.',
} as const;
export type Paper = keyof typeof PAPERS;

/** The paper and where in it, as the source of a kind: `cited('sevo', 'Section 5')`. */
export function cited(paper: Paper, where: string): string {
  return `${PAPERS[paper].replace(/\.$/, '')}, ${where}.`;
}
