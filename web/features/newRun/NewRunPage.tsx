import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type ExperimentKind, useCatalog } from '#web/features/shared/useCatalog.ts';
import { type RunDetail, useRun } from '#web/features/run/useRun.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { LeftOutModules } from '../shared/LeftOutModules.tsx';
import { inputLines } from './inputLines.ts';
import { KindChoice } from './KindChoice.tsx';
import { ProgramRunForm } from './program/ProgramRunForm.tsx';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { DatasetFields } from './DatasetFields.tsx';
import { InputFiles } from './InputFiles.tsx';
import { PresetChoice } from './PresetChoice.tsx';
import { QueueFields, submitLabel } from './QueueFields.tsx';
import { SchemaFields } from './SchemaFields.tsx';
import { WrongFields } from './WrongFields.tsx';
import { type FormStart, useNewRunForm } from './useNewRunForm.ts';
import { useShowQueued } from './useShowQueued.ts';
import type { RunSettings } from './runSettings.ts';
import { runnable } from './runnableKinds.ts';
import './newRun.css';

/** The form for one kind: preset, dataset, parameters, and how the runs are queued. */
function RunForm({ start, origin }: { start: FormStart; origin: RunDetail | null }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const onQueued = useShowQueued();
  const state = useNewRunForm(start, onQueued);
  const { kind } = start;
  const schema = { drafts: state.drafts, base: state.base, errors: state.errors, onDraft: state.setDraft };

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
        <p className="muted">
          {kind.description} <cite>{kind.source}</cite>
        </p>
        {origin !== null && (
          <p>
            Begins with the configuration of run #{origin.number}, {origin.name}.
          </p>
        )}
        {kind.presets.length > 0 && (
          <PresetChoice kind={kind} chosen={state.presetName} onChoose={state.choosePreset} />
        )}
        {state.datasetFields.length > 0 && (
          <fieldset className="panel new-run-part">
            <legend>Dataset</legend>
            <DatasetFields fields={state.datasetFields} {...schema} />
          </fieldset>
        )}
        <fieldset className="panel new-run-part">
          <legend>Parameters</legend>
          {state.fields.length === 0 ? (
            <p className="muted">This kind has none.</p>
          ) : (
            <SchemaFields fields={state.fields} {...schema} />
          )}
        </fieldset>
        <InputFiles
          value={state.inputs}
          error={state.errors.inputs}
          hint="Kinds that take some say so above; they are found by their names."
          onChange={state.changeInputs}
        />
      </div>
      <div className="new-run-side">
        <QueueFields {...state} nameHint="Left empty, it is made from kind and dataset." />
        {state.failure !== null && <ErrorNotice title="Not queued." error={state.failure} />}
        <WrongFields form={form} errors={state.errors} />
        <Button type="submit" look="primary" disabled={state.pending || !mayWrite}>
          {submitLabel(state.settings.seeds)}
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}

/** The form that queues runs of any kind. */
export function NewRunPage() {
  useTitle('New run');
  const search = useSearch({ from: '/new' });
  const { data: kinds, error, refetch } = useCatalog();
  return (
    <div className="page new-run">
      <h1>New run</h1>
      <LeftOutModules />
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The kinds cannot be read." error={error} onRetry={() => void refetch()} />
      )}
      {kinds === undefined && error === null && <Loading what="kinds" />}
      {kinds !== undefined &&
        (search.from === undefined ? (
          <KindForm kinds={runnable(kinds)} origin={null} />
        ) : (
          <CopyForm kinds={runnable(kinds)} from={search.from} />
        ))}
    </div>
  );
}

/** The form filled in as an earlier run was. */
function CopyForm({ kinds, from }: { kinds: readonly ExperimentKind[]; from: string }) {
  const { data: run, error, refetch } = useRun(from);
  if (run === undefined) {
    return error === null || isNetworkError(error) ? (
      <Loading what="run" />
    ) : (
      <ErrorNotice title="The run cannot be read." error={error} onRetry={() => void refetch()} />
    );
  }
  if (run === null) return <EmptyState title={`There is no run ${from}`} />;
  if (run.configuration.kind === 'command') {
    return <ProgramRunForm key={run.id} origin={run} start={settingsOf(run.project.name, run)} />;
  }
  return <KindForm kinds={kinds} origin={run} />;
}

function KindForm({ kinds, origin }: { kinds: readonly ExperimentKind[]; origin: RunDetail | null }) {
  const search = useSearch({ from: '/new' });
  const navigate = useNavigate({ from: '/new' });
  const wanted = search.kind ?? origin?.configuration.kind;
  const kind = kinds.find((one) => one.kind === wanted) ?? kinds[0];
  const start = useMemo(
    () => (kind === undefined ? null : startOf(kind, { origin, preset: search.preset, project: search.project })),
    [kind, origin, search.preset, search.project],
  );
  if (kind === undefined || start === null) return <EmptyState title="The server knows no kinds of runs" />;
  return (
    <>
      {wanted !== undefined && wanted !== kind.kind && <OtherKind wanted={wanted} />}
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
      <RunForm key={`${kind.kind} ${origin?.id ?? ''}`} start={start} origin={origin} />
    </>
  );
}

/** Says why the form is not that of the kind in the address. */
function OtherKind({ wanted }: { wanted: string }) {
  return (
    <p className="notice" role="status">
      {wanted === 'command' ? (
        <span>
          A program of your own is queued from its folder with <code>warren run -- python train.py</code>, or by “Run
          again with …” on the page of a run of it. Here are the kinds that Warren brings.
        </span>
      ) : (
        `There is no kind "${wanted}" that can be queued: choose one.`
      )}
    </p>
  );
}

interface StartOptions {
  origin: RunDetail | null;
  preset: string | undefined;
  project: string | undefined;
}

function startOf(kind: ExperimentKind, { origin, preset, project }: StartOptions): FormStart {
  const copied = origin !== null && origin.configuration.kind === kind.kind ? origin : null;
  return {
    kind,
    preset: kind.presets.some((one) => one.name === preset) ? (preset ?? null) : null,
    parameters: copied === null ? null : asPlainObject(copied.configuration.parameters),
    dataset:
      copied === null || copied.configuration.dataset === null ? null : asPlainObject(copied.configuration.dataset),
    inputs: copied === null ? '' : inputLines(copied.inputs),
    settings: settingsOf(project ?? origin?.project.name ?? 'default', copied),
  };
}

/** How a run is queued again: with the next seed. */
function settingsOf(project: string, copied: RunDetail | null): RunSettings {
  return {
    ...{ project, name: '' },
    seeds: copied === null ? '1' : String(copied.seed + 1),
    priority: String(copied?.priority ?? 1000),
    maxAttempts: String(copied?.maxAttempts ?? 5),
    tags: copied?.tags.join(', ') ?? '',
  };
}
