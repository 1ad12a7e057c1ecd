/** Kernels of linear algebra: `assembly/sparse.ts`, `columnBlocks.ts`, `denseEigen.ts`, `denseFactor.ts`. */
export type NumericKernelName =
  | 'blendBlocks'
  | 'choleskyBlock'
  | 'choleskyPanel'
  | 'choleskyUpdate'
  | 'combineBlocks'
  | 'projectBlocks'
  | 'reflectRows'
  | 'rotateRows'
  | 'shiftedSquares'
  | 'sparseProduct32'
  | 'sparseProduct64'
  | 'sparseRecurrence4'
  | 'subtractBlocks'
  | 'trailingProduct'
  | 'trailingUpdate'
  | 'triangularSolve';
