import { lazy, Suspense } from 'react';
import { useServer } from '#web/features/administration/useServer.ts';
import { Loading } from '#web/components/Loading.tsx';
import { Popover } from '#web/components/Popover.tsx';
import type { SharedThing } from './sharedThing.ts';

const SharePanel = lazy(async () => ({ default: (await import('./SharePanel.tsx')).SharePanel }));

/** Makes a read-only link to what the page shows; for those who may change it. */
export function ShareButton(thing: SharedThing) {
  const mayShare = useServer().data?.caller.mayShare === true;
  if (!mayShare) return null;
  return (
    <Popover label="Share" title="Share by a link" look="quiet">
      <Suspense fallback={<Loading what="links" lines={2} />}>
        <SharePanel {...thing} />
      </Suspense>
    </Popover>
  );
}
