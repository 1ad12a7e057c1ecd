import type { ComparisonBlock } from '#src/base/contracts/report/reportBlock.ts';
import { useReportComparison } from './useReportData.ts';
import { FieldTable } from '../comparisons/FieldTable.tsx';
import { VerdictTable } from '../comparisons/VerdictTable.tsx';
import { FigureFrame } from './FigureFrame.tsx';
import '../comparisons/compare.css';

/** What a comparison of runs has shown, in a text: verdicts against the baseline, or in what the runs differ. */
export function ComparisonFigure({ block }: { block: ComparisonBlock }) {
  const { metrics, baseline, perUser, show } = block;
  const { data, error } = useReportComparison({
    ...{ ids: block.runs.map(String), metrics, perUser, tested: show === 'verdict' },
    baseline,
  });
  return (
    <FigureFrame title={block.title} name="Comparison of runs" pending={data === undefined} error={error}>
      {data !== undefined && data.comparison.notComparable.length > 0 && (
        <p className="danger-text report-note">Not comparable, because {data.comparison.notComparable.join('; ')}.</p>
      )}
      {data !== undefined && show === 'differences' && (
        <FieldTable
          comparison={data.comparison}
          fields={data.comparison.fields.filter(({ differs, path }) => differs && path !== 'seed')}
          environment={[]}
          marked={false}
        />
      )}
      {data?.tests.map((tests) => (
        <div key={tests.name} className="report-verdict">
          <p className="report-note">
            <code>{tests.name}</code>
            <span className="muted"> over {perUser ? 'users' : 'seeds'}</span>
          </p>
          <VerdictTable comparison={data.comparison} metric={tests} perUser={perUser} />
        </div>
      ))}
    </FigureFrame>
  );
}
