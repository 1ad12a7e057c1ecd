import type { InitialDistribution } from './initialTable.ts';

/** What the embeddings of users and of items are before training. */
export type EmbeddingStart = Readonly<Record<'users' | 'items', InitialDistribution>>;
