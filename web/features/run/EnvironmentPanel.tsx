import type { RunDetail } from '../../api/useRun.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { asPlainObject } from '../../lib/plainObject.ts';
import { ValueTable } from './ValueTable.tsx';

/** On what the run was executed: versions, device, dataset fingerprint, timings, memory. */
export function EnvironmentPanel({ run }: { run: RunDetail }) {
  const environment = asPlainObject(run.environment);
  if (Object.keys(environment).length === 0) {
    return (
      <EmptyState title="Nothing recorded yet">
        <p>The environment is recorded when a worker starts the run.</p>
      </EmptyState>
    );
  }
  return <ValueTable title="Environment" values={environment} empty="None." />;
}
