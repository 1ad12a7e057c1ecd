/** What an archive of a project may do without. */
export const OPTIONAL_PARTS = ['artifacts', 'logs', 'points'] as const;
export type OptionalPart = (typeof OPTIONAL_PARTS)[number];
