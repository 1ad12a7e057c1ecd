import type { MlflowOptions } from './mlflowArtifacts.ts';

/** What of a store of MLflow's does not come in. */
export interface LeftOut {
  deletedRuns: number;
  registeredModels: number;
}

/** The tag of runs that MLflow has deleted, where they come in all the same. */
export const DELETED_TAG = 'deleted in MLflow';

/** Says what is left out, and how to get it. */
export function tellLeftOut({ deletedRuns, registeredModels }: LeftOut, { onLeftOut }: MlflowOptions): void {
  if (deletedRuns > 0) {
    const what = deletedRuns === 1 ? '1 deleted run is' : `${deletedRuns} deleted runs are`;
    onLeftOut?.(`${what} left out: --deleted takes them, too`);
  }
  if (registeredModels > 0) {
    const what = registeredModels === 1 ? '1 registered model is' : `${registeredModels} registered models are`;
    onLeftOut?.(`${what} not imported: register files of their runs with \`warren model register NAME RUN:FILE\``);
  }
}
