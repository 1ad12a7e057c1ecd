import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);

/** What the address of the projector holds: what is shown, and how. */
export const embeddingsSearchSchema = z.object({
  /** Number or id of the run. */
  run: text,
  /** Its artifact; without it the first that looks like embeddings. */
  artifact: text,
  /** Number or id of a second run. */
  with: text,
  /** Its artifact; without it that of the same name. */
  withArtifact: text,
  method: z.catch(z.optional(z.enum(['umap'])), undefined),
  space: z.catch(z.optional(z.enum(['3'])), undefined),
  /** `length`, `cluster`, `row`, or `item:` and a column of the table of items. */
  color: text,
  /** Artifact with a row an item. */
  items: text,
  /** Number of the row that is chosen. */
  row: text,
});

export type EmbeddingsSearch = z.output<typeof embeddingsSearchSchema>;
