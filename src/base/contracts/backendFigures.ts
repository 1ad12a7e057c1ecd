import { z } from 'zod';

/** Where `npm run bench -- backends --save` leaves its figures: in Warren's home. */
export const BACKEND_FIGURES = 'backend-figures.json';

/** How long an epoch takes on each backend of this machine. */
export const backendFiguresSchema = z.object({
  measuredAt: z.iso.datetime(),
  /** Figures of another one say nothing here. */
  processor: z.string(),
  /** By kind, then by backend. */
  seconds: z.record(z.string(), z.record(z.string(), z.number().positive())),
});
export type BackendFigures = z.output<typeof backendFiguresSchema>;
