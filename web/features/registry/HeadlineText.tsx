import type { VersionRow } from './useRegistry.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { formatDigits } from '#web/lib/formatNumber.ts';

type Headline = NonNullable<VersionRow['run']>['headline'];

/** The metric that tells most of a run, with its value. */
export function HeadlineText({ headline }: { headline: Headline }) {
  if (headline === null) return <>–</>;
  return (
    <>
      {formatDigits(summaryValue(headline))} <span className="muted">{headline.name}</span>
    </>
  );
}
