import { clusterRows } from '#workers/math/embeddings/clusters.ts';
import { nearestRows, unitRows } from '#workers/math/embeddings/cosineNeighbours.ts';
import { linearAlignment } from '#workers/math/embeddings/linearAlignment.ts';
import { selectRows } from '#workers/math/embeddings/matchRows.ts';
import { neighbourOverlap } from '#workers/math/embeddings/neighbourOverlap.ts';
import type { NumberTable } from '#workers/math/embeddings/numberTable.ts';
import { alongAxes, principalComponents } from '#workers/math/embeddings/principalComponents.ts';
import { movedOnto, procrustesFit } from '#workers/math/embeddings/procrustes.ts';
import { answerRequests, type TellProgress } from './answerRequests.ts';
import { inCommonFrame } from './commonFrame.ts';
import type {
  EmbeddingAnswer,
  EmbeddingRequest,
  EmbeddingSource,
  ItemMatch,
  ItemSource,
  Neighbours,
} from './embeddingMessages.ts';
import { itemMatch } from './itemMatch.ts';
import { type ItemTable, readItemTable } from './itemTable.ts';
import { fetchEmbedding } from './readEmbeddings.ts';

// Runs in a thread of its own: the page answers while tens of thousands of rows are read, turned and compared.

/** As many as there are colors of their own. */
const CLUSTERS = 6;
/** Rows whose neighbors are compared: all of so many, else so many spread evenly. */
const MOST_LOOKED = 1000;
/** A decomposition of wider tables takes minutes. */
const MOST_ALIGNED = 512;
/** Fewer items lie on each other whatever they are. */
const LEAST_MATCHED = 3;
const MOST_ITEM_CHARACTERS = 64e6;

let tables: NumberTable[] = [];
let units: (NumberTable & { values: Float64Array })[] = [];
let match: ItemMatch | null = null;

async function load(sources: EmbeddingSource[], tell: TellProgress): Promise<EmbeddingAnswer> {
  tell('Reading', 0);
  tables = await Promise.all(sources.map(fetchEmbedding));
  units = tables.map(unitRows);
  const [first, second] = tables as [NumberTable, NumberTable?];
  const components = principalComponents(first, 3, (done) => tell('Principal components', done));
  match = second === undefined ? null : await matchItems(sources, [first, second]);
  const apart = second === undefined ? null : whyApart(first, second);
  const known = match;
  const fit =
    second === undefined || apart !== null
      ? null
      : procrustesFit(
          known === null ? second : selectRows(second, known.pairs.second),
          known === null ? first : selectRows(first, known.pairs.first),
          (done) => tell('Aligning', done),
        );
  const placed = [alongAxes(first, components)];
  if (second !== undefined) {
    placed.push(
      fit === null
        ? alongAxes(second, principalComponents(second, components.variances.length))
        : alongAxes(movedOnto(second, fit), components),
    );
  }
  const width = components.variances.length;
  const isFramedAlike = fit !== null || second === undefined;
  const places = isFramedAlike
    ? inCommonFrame(placed, width)
    : placed.flatMap((one, index) => inCommonFrame([one], index === 0 ? width : one.length / second.rows));
  return {
    type: 'loaded',
    rows: tables.map(({ rows }) => rows),
    columns: tables.map(({ columns }) => columns),
    places,
    explained: Array.from(components.variances, (variance) => (components.total > 0 ? variance / components.total : 0)),
    lengths: Float32Array.from({ length: first.rows }, (_, row) => {
      return Math.hypot(...first.values.subarray(row * first.columns, (row + 1) * first.columns));
    }),
    clusters: new Uint8Array(clusterRows(units[0]!, CLUSTERS)),
    disparity: fit?.disparity ?? null,
    match,
    compared: second === undefined ? null : comparedRows(first, second),
    apart,
  };
}

/** By the ids that both runs tell; null where one tells none, or its table cannot be read. */
async function matchItems(
  sources: readonly EmbeddingSource[],
  pair: readonly [NumberTable, NumberTable],
): Promise<ItemMatch | null> {
  const told = sources.flatMap(({ items }) => items ?? []);
  if (told.length < 2) return null;
  const [first, second] = await Promise.all(told.map((source) => readItems(source).catch(() => null)));
  return first == null || second == null ? null : itemMatch([first, second], [pair[0].rows, pair[1].rows]);
}

function comparedRows(first: NumberTable, second: NumberTable): number | null {
  if (match !== null) return match.pairs.first.length < LEAST_MATCHED ? null : match.pairs.first.length;
  return first.rows === second.rows ? first.rows : null;
}

function whyApart(first: NumberTable, second: NumberTable): string | null {
  if (comparedRows(first, second) === null) {
    const why =
      match === null
        ? `They have ${first.rows} and ${second.rows} rows, so that nobody knows which belong together`
        : `By their ids they have ${match.pairs.first.length} items in common, too few to compare`;
    return `${why}: each is drawn along its own axes.`;
  }
  if (Math.max(first.columns, second.columns) > MOST_ALIGNED) {
    return `Embeddings of more than ${MOST_ALIGNED} columns are not aligned: each is drawn along its own axes.`;
  }
  return null;
}

function compare(count: number, tell: TellProgress): EmbeddingAnswer {
  const pairs = match?.pairs ?? null;
  const both = pairs === null ? tables : [selectRows(tables[0]!, pairs.first), selectRows(tables[1]!, pairs.second)];
  const [first, second] = both as [NumberTable, NumberTable];
  const [unitA, unitB] = pairs === null ? [units[0]!, units[1]!] : [unitRows(first), unitRows(second)];
  const { rows } = first;
  const step = Math.max(1, rows / MOST_LOOKED);
  const looked = Array.from({ length: Math.min(rows, MOST_LOOKED) }, (_, i) => Math.floor(i * step));
  const found = neighbourOverlap([unitA, unitB], looked, count, (done) => tell('Neighbors', 0.7 * done));
  const alignment = linearAlignment(first, second, (done) => tell('Alignment', 0.7 + 0.3 * done));
  const { overlap, jaccard, chance } = found;
  return { type: 'compared', alignment, overlap, jaccard, chance, looked: looked.length };
}

/** The nearest of a row of the first embedding, within one of both; none where that does not have it. */
function near(unit: NumberTable, index: number, { row, count }: { row: number; count: number }): Neighbours {
  const own = index === 1 && match !== null ? match.toSecond[row]! : row;
  if (own < 0 || own >= unit.rows) return { rows: new Int32Array(0), cosines: new Float64Array(0) };
  return nearestRows(unit, own, count);
}

async function readItems(source: ItemSource): Promise<ItemTable> {
  let text: string;
  if ('text' in source) {
    text = source.text;
  } else {
    const response = await fetch(source.url);
    if (!response.ok)
      throw new Error(`${source.name} cannot be read (status ${response.status}); load the page again.`);
    text = await response.text();
  }
  if (text.length > MOST_ITEM_CHARACTERS)
    throw new Error(`${source.name} is too large; expected at most 64 million characters.`);
  return readItemTable(text, source.name);
}

answerRequests<{ id: number } & EmbeddingRequest, EmbeddingAnswer>(async (request, tell) => {
  switch (request.type) {
    case 'load':
      return await load(request.sources, tell);
    case 'near':
      return {
        type: 'near',
        lists: units.map((unit, index) => near(unit, index, request)),
      };
    case 'compare':
      return compare(request.count, tell);
    case 'items':
      return { type: 'items', items: await readItems(request.source) };
  }
});
