import { useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type ExperimentKind, useCatalog } from '#web/api/useCatalog.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { runnable } from '../newRun/runnableKinds.ts';
import { SweepFileForm } from './SweepFileForm.tsx';
import { SweepForm } from './SweepForm.tsx';
import type { CreatedSweep } from './useNewSweepForm.ts';
import '../newRun/newRun.css';
import './newSweep.css';

/** Starts a sweep, by a form or from a sweep file. */
export function NewSweepPage() {
  useTitle('New sweep');
  const search = useSearch({ from: '/sweeps/new' });
  const navigate = useNavigate({ from: '/sweeps/new' });
  const { data: kinds, error, refetch } = useCatalog();
  const onCreated = ({ sweep, warnings }: CreatedSweep) => {
    showToast(`Sweep ${sweep.number} has started.`);
    for (const warning of warnings) showToast(warning, { error: true });
    void navigate({ to: '/sweeps/$sweepId', params: { sweepId: String(sweep.number) } });
  };
  const fromFile = search.from === 'file';
  return (
    <div className="page new-run">
      <div className="page-head">
        <h1>New sweep</h1>
        <Segments
          label="Begin with"
          options={[
            { value: 'form', label: 'Form' },
            { value: 'file', label: 'Sweep file' },
          ]}
          value={fromFile ? 'file' : 'form'}
          onChange={(from) =>
            void navigate({
              search: ({ from: _, ...rest }) => (from === 'file' ? { ...rest, from } : rest),
              replace: true,
            })
          }
        />
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The kinds cannot be read." error={error} onRetry={() => void refetch()} />
      )}
      {kinds === undefined && error === null && <Loading what="kinds" />}
      {kinds !== undefined &&
        (fromFile ? (
          <SweepFileForm kinds={runnable(kinds)} project={search.project} onCreated={onCreated} />
        ) : (
          <KindForm kinds={runnable(kinds)} onCreated={onCreated} />
        ))}
    </div>
  );
}

function KindForm({ kinds, onCreated }: { kinds: readonly ExperimentKind[]; onCreated(made: CreatedSweep): void }) {
  const search = useSearch({ from: '/sweeps/new' });
  const navigate = useNavigate({ from: '/sweeps/new' });
  const kind = kinds.find((one) => one.kind === search.kind) ?? kinds[0];
  if (kind === undefined) return <EmptyState title="The server knows no kinds of runs" />;
  const preset = kind.presets.some((one) => one.name === search.preset) ? (search.preset ?? null) : null;
  return (
    <>
      <label className="field new-run-kind">
        <span className="field-label">Kind</span>
        <select
          className="input"
          value={kind.kind}
          onChange={(event) =>
            void navigate({
              search: ({ project }) => ({ kind: event.target.value, ...(project === undefined ? {} : { project }) }),
              replace: true,
            })
          }
        >
          {kinds.map((one) => (
            <option key={one.kind} value={one.kind}>
              {one.kind} – {one.title}
            </option>
          ))}
        </select>
      </label>
      <SweepForm key={kind.kind} start={{ kind, preset, project: search.project }} onCreated={onCreated} />
    </>
  );
}
