import { useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type ExperimentKind, useCatalog } from '#web/features/shared/useCatalog.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { KindChoice } from '#web/features/newRun/KindChoice.tsx';
import { runnable } from '#web/features/newRun/runnableKinds.ts';
import { ProgramSweepForm } from './ProgramSweepForm.tsx';
import { SweepFileForm } from './SweepFileForm.tsx';
import { SweepForm } from './SweepForm.tsx';
import type { CreatedSweep } from './useNewSweepForm.ts';
import '#web/features/newRun/newRun.css';
import './newSweep.css';

/** Starts a sweep: by a form over a kind or over a program of the user's own, or from a sweep file. */
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
  const from = search.from === 'file' || search.from === 'program' ? search.from : 'form';
  return (
    <div className="page new-run">
      <div className="page-head">
        <h1>New sweep</h1>
        <Segments
          label="Begin with"
          options={[
            { value: 'form', label: 'Form' },
            { value: 'program', label: 'Own program' },
            { value: 'file', label: 'Sweep file' },
          ]}
          value={from}
          onChange={(chosen) =>
            void navigate({
              search: ({ from: _, ...rest }) => (chosen === 'form' ? rest : { ...rest, from: chosen }),
              replace: true,
            })
          }
        />
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The kinds cannot be read." error={error} onRetry={() => void refetch()} />
      )}
      {kinds === undefined && error === null && <Loading what="kinds" />}
      {from === 'program' && <ProgramSweepForm run={search.run} onCreated={onCreated} />}
      {kinds !== undefined && from === 'file' && (
        <SweepFileForm kinds={runnable(kinds)} project={search.project} onCreated={onCreated} />
      )}
      {kinds !== undefined && from === 'form' && <KindForm kinds={runnable(kinds)} onCreated={onCreated} />}
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
      <KindChoice
        kinds={kinds}
        chosen={kind.kind}
        onChoose={(chosen) =>
          void navigate({
            search: ({ project }) => ({ kind: chosen, ...(project === undefined ? {} : { project }) }),
            replace: true,
          })
        }
      />
      <SweepForm key={kind.kind} start={{ kind, preset, project: search.project }} onCreated={onCreated} />
    </>
  );
}
