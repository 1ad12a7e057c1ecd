import { nearestOfAll, unitRows } from '#workers/math/embeddings/cosineNeighbours.ts';
import { selectRows } from '#workers/math/embeddings/matchRows.ts';
import type { NumberTable } from '#workers/math/embeddings/numberTable.ts';
import { movedOnto, procrustesFit } from '#workers/math/embeddings/procrustes.ts';
import { umapLayout } from '#workers/math/embeddings/umapLayout.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { answerRequests, type TellProgress } from './answerRequests.ts';
import { inCommonFrame } from './commonFrame.ts';
import type { MapAnswer, MapRequest } from './embeddingMessages.ts';
import { fetchEmbedding } from './readEmbeddings.ts';

// Runs in a thread of its own, which ends with the page or when the reader cancels: UMAP of many rows takes minutes.

/** UMAP's own defaults. */
const NEIGHBOURS = 15;
const MINIMUM_DISTANCE = 0.1;
const SEARCH_SHARE = 0.5;

/** (rows, dimensions) UMAP (McInnes, Healy, Melville 2018) from exact nearest neighbors by cosine. */
function mapOf(table: NumberTable, dimensions: 2 | 3, tell: TellProgress): NumberTable {
  const { rows } = table;
  const count = Math.min(NEIGHBOURS, rows - 1) - 1;
  const near = nearestOfAll(unitRows(table), count, (done) => tell('UMAP: finding neighbors', SEARCH_SHARE * done));
  const values = umapLayout(
    { rows, count, neighbours: near.rows, distances: near.cosines.map((cosine) => Math.max(0, 1 - cosine)) },
    {
      dimensions,
      minimumDistance: MINIMUM_DISTANCE,
      epochs: null,
      generator: randomGenerator(0, 'map'),
      pulse: (done) => tell('UMAP: laying out', SEARCH_SHARE + (1 - SEARCH_SHARE) * done),
    },
  );
  return { rows, columns: dimensions, values };
}

answerRequests<MapRequest, MapAnswer>(async ({ sources, pairs, dimensions }, tell) => {
  const tables = await Promise.all(sources.map(fetchEmbedding));
  const maps = tables.map((table, index) =>
    mapOf(table, dimensions, (text, done) => tell(text, (index + done) / tables.length)),
  );
  const [first, second] = maps;
  if (second === undefined) return { places: inCommonFrame([first!.values], dimensions) };
  const isKnown = pairs === null ? first!.rows === second.rows : pairs.first.length > dimensions;
  if (!isKnown) return { places: maps.flatMap(({ values }) => inCommonFrame([values], dimensions)) };
  const fit =
    pairs === null
      ? procrustesFit(second, first!)
      : procrustesFit(selectRows(second, pairs.second), selectRows(first!, pairs.first));
  const aligned = movedOnto(second, fit);
  return { places: inCommonFrame([first!.values, aligned.values], dimensions) };
});
