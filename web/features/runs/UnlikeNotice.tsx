import { unlikeDataText } from '#src/base/lib/differingData.ts';
import type { UnlikeDataQuery } from '#web/generated/graphql.ts';

/** Says of which metrics the groups do not compare, since their runs saw different data, and what the marks mean then. */
export function UnlikeNotice({ found = [] }: { found: UnlikeDataQuery['unlikeData'] | undefined }) {
  const text = unlikeDataText(found);
  if (text === null) return null;
  return (
    <div className="notice">
      <p>
        <strong>Not comparable,</strong> for the runs differ in their data: {text}. Stars and verdicts stand among
        groups of the same data alone. A filter by <code>config.dataset.{found[0]?.fields[0]}</code> leaves runs of the
        same.
      </p>
    </div>
  );
}
