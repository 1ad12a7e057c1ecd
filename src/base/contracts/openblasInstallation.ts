import { z } from 'zod';

/** Where `warren backend install openblas` writes down what it installed: within Warren's home. */
export const OPENBLAS_FOLDER = 'openblas';
export const OPENBLAS_RECORD = 'installation.json';

/** OpenBLAS's library as it was installed. */
export const openblasInstallationSchema = z.object({
  /** The library, absolute. */
  file: z.string(),
  /** As it tells of itself. */
  version: z.string(),
});
export type OpenblasInstallation = z.output<typeof openblasInstallationSchema>;
