import type { RunDetail } from './useRun.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { environmentText } from '#web/lib/environmentText.ts';
import { humanName } from '#web/lib/schemaField.ts';
import { asPlainObject, isPlainObject } from '#src/base/lib/plainObject.ts';
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
  const parts = Object.entries(environment);
  const plain = Object.fromEntries(parts.filter(([, value]) => !isPlainObject(value)));
  return (
    <div className="run-columns">
      <ValueTable title="Environment" values={plain} empty="Nothing else." textOf={environmentText} />
      {parts.map(
        ([name, value]) =>
          isPlainObject(value) && (
            <ValueTable key={name} title={humanName(name)} values={value} empty="None." textOf={environmentText} />
          ),
      )}
    </div>
  );
}
