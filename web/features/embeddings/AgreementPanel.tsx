import { Facts } from '#web/components/Facts.tsx';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import type { Agreement, LoadedEmbeddings } from './embeddingMessages.ts';
import { COMPARED_NEIGHBOURS } from './useEmbeddings.ts';

export interface AgreementPanelProps {
  loaded: LoadedEmbeddings;
  agreement: Agreement | null;
  /** Why rows that are taken for the same item may not be; null where nothing speaks for it. */
  doubt: string | null;
}

/** How far two embeddings of the same items agree, in numbers. */
export function AgreementPanel({ loaded, agreement, doubt }: AgreementPanelProps) {
  const { apart, disparity, rows, match, compared } = loaded;
  const matched = match?.pairs.first.length ?? null;
  const k = COMPARED_NEIGHBOURS;
  return (
    <section className="panel" aria-labelledby="agreement">
      <h2 className="panel-head" id="agreement">
        How far they agree
      </h2>
      <div className="panel-body stack">
        {doubt !== null && <p className="notice">{doubt}</p>}
        {apart !== null && <p className="notice">{apart}</p>}
        {compared !== null && (
          <p className="muted">
            {matched === null
              ? 'Rows of the same number are taken for the same item.'
              : `${formatCount(matched)} items matched by their ids, of ${formatCount(rows[0]!)} and ${formatCount(rows[1]!)}.`}
          </p>
        )}
        {compared !== null && agreement === null && (
          <p className="muted" role="status">
            Comparing …
          </p>
        )}
        {agreement !== null && (
          <Facts
            facts={[
              [
                `Neighbor overlap@${k}`,
                <span
                  key="overlap"
                  title={`Share of an item's ${k} nearest in one run that are among its ${k} nearest in the other, mean over items`}
                >
                  <strong>{formatNumber(agreement.overlap, 4)}</strong> by chance {formatNumber(agreement.chance, 2)}
                </span>,
              ],
              [
                'Jaccard index',
                <span
                  key="jaccard"
                  title="Of the two sets of nearest: those in both over those in either, mean over items"
                >
                  {formatNumber(agreement.jaccard, 4)}
                </span>,
              ],
              [
                'Linear CKA',
                <span
                  key="cka"
                  title="Centered kernel alignment (Kornblith et al. 2019): 1 for the same up to a rotation and a scale"
                >
                  {formatNumber(agreement.alignment, 4)}
                </span>,
              ],
              ...(disparity === null
                ? []
                : [
                    [
                      'Procrustes disparity',
                      <span
                        key="disparity"
                        title="What the best rotation, scale and shift leave over of the sum of squares: 0 for the same shape"
                      >
                        {formatNumber(disparity, 4)}
                      </span>,
                    ] as const,
                  ]),
              ...(agreement.looked < (compared ?? 0)
                ? [
                    [
                      'Neighbors of',
                      `${formatCount(agreement.looked)} of ${formatCount(compared ?? 0)} items, spread evenly`,
                    ] as const,
                  ]
                : []),
            ]}
          />
        )}
      </div>
    </section>
  );
}
