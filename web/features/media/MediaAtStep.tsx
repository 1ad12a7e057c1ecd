import { useEffect } from 'react';
import { type Media, useMedia } from './useMedia.ts';
import { Button } from '#web/components/Button.tsx';
import { useInSight } from '../shared/useInSight.ts';
import { MediaItem } from './MediaItem.tsx';

export interface MediaAtStepProps {
  runId: string;
  name: string;
  step: number;
}

/** All that a run logged under a name at a step; further pages come when the end is near. */
export function MediaAtStep({ runId, name, step }: MediaAtStepProps) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useMedia(runId, name, [step, step]);
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (data === undefined) return <p className="empty">Loading …</p>;
  const items: Media[] = data.pages.flat();
  const isGrid = items.length > 1 && items.every(({ kind }) => kind === 'image');
  return (
    <>
      <div className={isGrid ? 'media-grid' : 'stack media-list'}>
        {items.map((item) => (
          <MediaItem key={item.id} item={item} label={items.length === 1 ? name : `${name} ${item.index + 1}`} />
        ))}
      </div>
      {hasNextPage && (
        <More key={items.length} busy={isFetchingNextPage} shown={items.length} onMore={() => void fetchNextPage()} />
      )}
    </>
  );
}

function More({ busy, shown, onMore }: { busy: boolean; shown: number; onMore(): void }) {
  const [holder, inSight] = useInSight<HTMLDivElement>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once, when it comes near, not again when `busy` or `onMore` change
  useEffect(() => {
    if (inSight && !busy) onMore();
  }, [inSight]);
  return (
    <div ref={holder}>
      <Button onClick={onMore}>{busy ? 'Loading …' : `Show more (${shown} shown)`}</Button>
    </div>
  );
}
