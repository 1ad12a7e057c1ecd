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
import { useRef } from 'react';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import type { SchemaField } from '#web/lib/schemaField.ts';
import { DatasetFields } from '#web/features/newRun/DatasetFields.tsx';
import { PresetChoice } from '#web/features/newRun/PresetChoice.tsx';
import { SchemaFields } from '#web/features/newRun/SchemaFields.tsx';
import { WrongFields } from '#web/features/newRun/WrongFields.tsx';
import { SearchFields } from './SearchFields.tsx';
import { type CreatedSweep, type SweepFormStart, useNewSweepForm, type SweepFormState } from './useNewSweepForm.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { distributionsFor, gridSize } from './variation.ts';
import { VariationRow } from './VariationRow.tsx';
import '#web/features/newRun/newRun.css';
import './newSweep.css';

/** Which parameters the sweep varies, and how. */
function VaryFields({ state }: { state: SweepFormState }) {
  const varied = new Set(state.variations.map(({ path }) => path));
  const left = state.leaves.filter(({ path }) => !varied.has(path) && path !== 'dataset.name');
  const points = state.settings.method === 'grid' && state.variations.length > 0 ? gridSize(state.variations) : null;
  const error = state.errors.parameters;
  return (
    <fieldset className="panel new-run-part">
      <legend>Varied parameters</legend>
      <div className="stack">
        {state.variations.map((variation) => {
          const field = state.leaves.find(({ path }) => path === variation.path);
          if (field === undefined) return null;
          return (
            <VariationRow
              key={variation.path}
              field={field}
              distributions={distributionsFor(field.control)}
              variation={variation}
              variations={state.variations}
              error={state.errors[variation.path]}
              onChange={state.changeVariation}
              onRemove={() => state.removeVariation(variation.path)}
            />
          );
        })}
        <div className="row">
          <select
            className="input variation-add"
            aria-label="Vary a parameter"
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : 'vary-error'}
            value=""
            onChange={(event) => {
              const field = left.find(({ path }) => path === event.target.value);
              if (field !== undefined) state.vary(field);
            }}
          >
            <option value="">Vary a parameter …</option>
            {left.map(({ path }) => (
              <option key={path} value={path}>
                {path.replace(/^parameters\./, '')}
              </option>
            ))}
          </select>
          {points !== null && <span className="muted">A grid of {formatCount(points)} points.</span>}
        </div>
        {error !== undefined && (
          <span className="field-error" id="vary-error">
            {error}
          </span>
        )}
      </div>
    </fieldset>
  );
}

/** The form of a sweep over one kind: what varies, what is looked for, and for how long. */
function SweepForm({ start, onCreated }: { start: SweepFormStart; onCreated(made: CreatedSweep): void }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const state = useNewSweepForm(start, onCreated);
  const schema = { drafts: state.drafts, base: state.base, errors: state.errors, onDraft: state.setDraft };
  const varied = new Set(state.variations.map(({ path }) => path));
  const fixed = fieldsWithout(state.fields, varied);
  const fixedTouched = [...Object.keys(state.drafts), ...Object.keys(state.errors)].some(
    (path) => path.startsWith('parameters.') && !varied.has(path),
  );
  return (
    <form
      className="new-run-form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        state.submit();
      }}
    >
      <div className="new-run-main">
        <p className="muted">{start.kind.description}</p>
        {start.kind.presets.length > 0 && (
          <PresetChoice kind={start.kind} chosen={state.presetName} onChoose={state.choosePreset} />
        )}
        {state.datasetFields.length > 0 && (
          <fieldset className="panel new-run-part">
            <legend>Dataset</legend>
            <DatasetFields fields={state.datasetFields} {...schema} />
          </fieldset>
        )}
        <VaryFields state={state} />
        {fixed.length > 0 && (
          <details className="panel new-run-part new-run-more" open={fixedTouched || undefined}>
            <summary>Fixed parameters</summary>
            <SchemaFields fields={fixed} {...schema} />
          </details>
        )}
      </div>
      <div className="new-run-side">
        <SearchFields {...state} project={start.project ?? null} />
        {state.failure !== null && <ErrorNotice title="Not started." error={state.failure} />}
        <WrongFields form={form} errors={state.errors} />
        <Button type="submit" look="primary" disabled={state.pending || !mayWrite}>
          Start sweep
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}

/** The fields but those that are varied; groups that are empty then go, too. */
function fieldsWithout(fields: readonly SchemaField[], varied: ReadonlySet<string>): SchemaField[] {
  return fields.flatMap((field): SchemaField[] => {
    if (varied.has(field.path)) return [];
    if (field.control.type !== 'group') return [field];
    const inner = fieldsWithout(field.control.fields, varied);
    return inner.length === 0 ? [] : [{ ...field, control: { ...field.control, fields: inner } }];
  });
}

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
