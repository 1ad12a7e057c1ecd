import type { UnlikeDataQuery } from '#web/generated/graphql.ts';

/** Says of which metrics the groups do not compare, since their runs saw different data. */
export function UnlikeNotice({ found }: { found: UnlikeDataQuery['unlikeData'] | undefined }) {
  const [first] = found ?? [];
  if (found === undefined || first === undefined) return null;
  const word = (field: string) => (field === 'name' ? 'dataset' : field);
  const parts = found.map(({ metric, fields }) => `${metric} by ${fields.map(word).join(', ')}`);
  return (
    <div className="notice">
      <p>
        <strong>Not comparable,</strong> for the runs differ in their data: {parts.join('; ')}. A filter by{' '}
        <code>config.dataset.{first.fields[0]}</code> leaves runs of the same.
      </p>
    </div>
  );
}
