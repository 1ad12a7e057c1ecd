import type { BackendCheck } from './backendCheck.ts';
import { ELEMENT_CHECKS } from './elementChecks.ts';
import { LAYER_CHECKS } from './layerChecks.ts';
import { LOSS_CHECKS } from './lossChecks.ts';
import { MATRIX_CHECKS } from './matrixChecks.ts';
import { OPTIMIZER_CHECKS } from './optimizerChecks.ts';
import { SMOOTHING_CHECKS } from './smoothingChecks.ts';

/** What `warren doctor --verify` and the tests have every backend compute. */
export const BACKEND_CHECKS: readonly BackendCheck[] = [
  ...MATRIX_CHECKS,
  ...ELEMENT_CHECKS,
  ...LAYER_CHECKS,
  ...LOSS_CHECKS,
  ...OPTIMIZER_CHECKS,
  ...SMOOTHING_CHECKS,
];
