import { z } from 'zod';
import type { ShareLinkRecord } from '#src/sharing/store/shareLink.ts';

const targetSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), numbers: z.array(z.int()), search: z.string() }),
  z.object({ kind: z.literal('comparison'), numbers: z.array(z.int()), search: z.string() }),
  z.object({ kind: z.literal('report'), id: z.string(), number: z.int(), search: z.string() }),
  z.object({ kind: z.literal('view'), project: z.string(), filter: z.string(), search: z.string() }),
]);
/** What a link shows, and how. */
export type ShareTarget = z.infer<typeof targetSchema>;

/** What is stored with a link. */
export function targetOf({ target }: Pick<ShareLinkRecord, 'target'>): ShareTarget {
  return targetSchema.parse(target);
}

/** The page of the dashboard that shows it: one of its own, whatever `search` holds. */
export function pageOf(target: ShareTarget): string {
  const search = target.search.replace(/^\?/, '');
  const page = (path: string, own: string): string => {
    const words = search === '' ? own : search;
    return words === '' ? path : `${path}?${words}`;
  };
  if (target.kind === 'run') return page(`/runs/${target.numbers[0] ?? 0}`, '');
  if (target.kind === 'comparison') return page('/compare', `runs=${target.numbers.join(',')}`);
  if (target.kind === 'report') return `/reports/${target.number}`;
  return page('/runs', new URLSearchParams({ project: target.project, filter: target.filter }).toString());
}
