import { lazy, Suspense } from 'react';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { Loading } from '#web/components/Loading.tsx';
import { HeatPanel } from './HeatPanel.tsx';
import { ImportancePanel } from './ImportancePanel.tsx';
import { LinePanel, type PanelBodyProps } from './LinePanel.tsx';
import { ParallelPanel } from './ParallelPanel.tsx';
import { RowsPanel } from './RowsPanel.tsx';
import { ScatterPanel } from './ScatterPanel.tsx';

const RunsMediaPanel = lazy(async () => ({ default: (await import('./RunsMediaPanel.tsx')).RunsMediaPanel }));

/** What a panel shows. */
export function PanelBody(props: PanelBodyProps) {
  const { kind } = props.panel;
  switch (kind) {
    case 'line':
      return <LinePanel {...props} />;
    case 'scatter':
      return <ScatterPanel {...props} />;
    case 'bar':
    case 'box':
      return <RowsPanel {...props} />;
    case 'parallel':
      return <ParallelPanel {...props} />;
    case 'importance':
      return <ImportancePanel {...props} />;
    case 'media':
      return (
        <Suspense fallback={<Loading what="media" />}>
          <RunsMediaPanel {...props} />
        </Suspense>
      );
    case 'heat':
      return <HeatPanel {...props} />;
    default:
      return assertNever(kind);
  }
}
