import { assertNever } from '#src/lib/assertNever.ts';
import { HeatPanel } from './HeatPanel.tsx';
import { ImportancePanel } from './ImportancePanel.tsx';
import { LinePanel, type PanelBodyProps } from './LinePanel.tsx';
import { ParallelPanel } from './ParallelPanel.tsx';
import { RowsPanel } from './RowsPanel.tsx';
import { ScatterPanel } from './ScatterPanel.tsx';

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
    case 'heat':
      return <HeatPanel {...props} />;
    default:
      return assertNever(kind);
  }
}
