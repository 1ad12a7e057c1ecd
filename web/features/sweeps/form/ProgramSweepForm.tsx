import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { isNetworkError, ApiError } from '#web/api/apiError.ts';
import { type RunDetail, useRun } from '#web/features/run/useRun.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { InputFiles } from '#web/features/newRun/InputFiles.tsx';
import { ProgramLine, ProgramNeeds } from '#web/features/newRun/program/ProgramFields.tsx';
import { SettingInput } from '#web/features/newRun/SettingInput.tsx';
import { WrongFields } from '#web/features/newRun/WrongFields.tsx';
import { SearchFields } from './SearchFields.tsx';
import type { CreatedSweep } from './useNewSweepForm.ts';
import { useCreateSweep } from '#web/features/sweeps/sweepActions.ts';
import type { SchemaField } from '#web/lib/schemaField.ts';
import {
  type ProgramField,
  programFieldOf,
  readProgram,
  readValue,
} from '#web/features/newRun/program/programDraft.ts';
import { useProgram } from '#web/features/newRun/program/useProgram.ts';
import { fieldOfPath, readSettings, START_SETTINGS, type SweepSettings } from './sweepSettings.ts';
import { readVariation, startVariation, type Variation, ANY_NUMBER } from './variation.ts';
import { VariationRow } from './VariationRow.tsx';

/** State and rules of the form of a sweep over the program of a run. */
function useProgramSweep(run: RunDetail, onCreated: (made: CreatedSweep) => void) {
  const program = useProgram(run);
  const [settings, setSettings] = useState<SweepSettings>({ ...START_SETTINGS, project: run.project.name });
  const [all, setVariations] = useState<readonly Variation[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateSweep();
  const forget = (path: string) => setErrors(({ [path]: _, parameters: __, ...rest }) => rest);
  // a name may go from the command line and come back
  const variations = all.filter(({ path }) => program.names.includes(path.slice('parameters.'.length)));

  const submit = () => {
    const line = readProgram(program.draft);
    const search = readSettings(settings);
    const found: Record<string, string> = { ...line.errors, ...search.errors };
    const parameters: Record<string, unknown> = {};
    for (const name of program.names) {
      const path = `parameters.${name}`;
      const variation = variations.find((one) => one.path === path);
      const text = program.draft.values[name] ?? '';
      const read = variation === undefined ? { parameter: { value: readValue(text) } } : readVariation(variation);
      if ('message' in read) found[path] = read.message;
      else if (variation === undefined && text === '') found[path] = 'It has no value: give it one, or vary it.';
      else parameters[name] = read.parameter;
    }
    if (variations.length === 0) found.parameters = 'Choose at least one parameter that the sweep varies.';
    setFailure(null);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const name = settings.name.trim();
    create.mutate(
      {
        file: { ...search.file, ...line.fields, ...program.source, parameters, inputs: line.inputs },
        project: settings.project.trim() || 'default',
        ...(name === '' ? {} : { name }),
      },
      {
        onSuccess: onCreated,
        onError: (error) => {
          const given = error instanceof ApiError ? error.path : null;
          const path = programFieldOf(given) ?? fieldOfPath(given);
          if (path === null) setFailure(error.message);
          else setErrors({ [path.replace(/\.when$/, '')]: error.message });
        },
      },
    );
  };

  return {
    program,
    changeProgram(name: ProgramField, value: string) {
      program.change(name, value);
      forget(name);
    },
    settings,
    setSetting<Name extends keyof SweepSettings>(name: Name, value: SweepSettings[Name]) {
      setSettings((before) => ({ ...before, [name]: value }));
      forget(name);
    },
    variations,
    vary(name: string) {
      const held = readValue(program.draft.values[name] ?? '');
      const started = startVariation(parameterField(name, held), held === '' ? undefined : held);
      setVariations((before) => [...before.filter(({ path }) => path !== started.path), started]);
      forget(started.path);
    },
    changeVariation(variation: Variation) {
      setVariations((before) => before.map((one) => (one.path === variation.path ? variation : one)));
      forget(variation.path);
    },
    removeVariation(path: string) {
      setVariations((before) => before.filter((one) => one.path !== path));
      forget(path);
    },
    ...{ errors, forget, failure, pending: create.isPending, submit },
  };
}

type ProgramSweepState = ReturnType<typeof useProgramSweep>;

/** A parameter of a command, of which only the name is known, as the rows of a sweep take it. */
function parameterField(name: string, held?: unknown): SchemaField {
  const limits = { integer: Number.isInteger(held), minimum: null, maximum: null };
  const number = { type: 'number', ...limits, exclusiveMinimum: null, exclusiveMaximum: null } as const;
  return {
    ...{ path: `parameters.${name}`, name, title: name, description: '', nullable: false, defaultValue: undefined },
    control: held === undefined || held === '' || typeof held === 'number' ? number : { type: 'text', pattern: null },
  };
}

export interface ProgramSweepFormProps {
  /** Number or id of the run whose program it begins with; undefined until one is named. */
  run: string | undefined;
  onCreated(made: CreatedSweep): void;
}

/** A sweep over the program of an earlier run, which says what code, environment and needs it has. */
export function ProgramSweepForm({ run: wanted, onCreated }: ProgramSweepFormProps) {
  if (wanted === undefined) return <RunChoice />;
  return <OfRun wanted={wanted} onCreated={onCreated} />;
}

function OfRun({ wanted, onCreated }: { wanted: string; onCreated(made: CreatedSweep): void }) {
  const { data: run, error, refetch } = useRun(wanted);
  if (run === undefined) {
    return error === null || isNetworkError(error) ? (
      <Loading what="run" />
    ) : (
      <ErrorNotice title="The run cannot be read." error={error} onRetry={() => void refetch()} />
    );
  }
  if (run === null) return <EmptyState title={`There is no run ${wanted}`} />;
  if (run.configuration.kind !== 'command') {
    return (
      <EmptyState title={`Run #${run.number} is no program on the queue, but of kind ${run.configuration.kind}`} />
    );
  }
  return <Form key={run.id} run={run} onCreated={onCreated} />;
}

function RunChoice() {
  const navigate = useNavigate({ from: '/sweeps/new' });
  const [number, setNumber] = useState('');
  return (
    <form
      className="panel new-run-part"
      onSubmit={(event) => {
        event.preventDefault();
        const run = number.trim().replace('#', '');
        if (run !== '') void navigate({ search: { from: 'program', run } });
      }}
    >
      <p>
        A sweep over a program of your own begins with a run of it: queue one with <code>warren run -- COMMAND</code>.
      </p>
      <SettingInput
        label="Run of the program"
        hint="Its number."
        value={number}
        error={undefined}
        onChange={setNumber}
      />
      <Button type="submit" look="primary">
        Go on
      </Button>
    </form>
  );
}

function Form({ run, onCreated }: { run: RunDetail; onCreated(made: CreatedSweep): void }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const state = useProgramSweep(run, onCreated);
  const { draft, source } = state.program;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    state.submit();
  };
  return (
    <form className="new-run-form" ref={form} noValidate onSubmit={submit}>
      <div className="new-run-main">
        <p>
          Begins with the program of run #{run.number}, {run.name}.
        </p>
        <ProgramLine {...{ draft, source }} errors={state.errors} onChange={state.changeProgram} />
        <ProgramParameters state={state} />
        <InputFiles
          value={draft.inputs}
          error={state.errors.inputs}
          hint="The program finds them in WARREN_INPUT_DIR."
          onChange={(value) => state.changeProgram('inputs', value)}
        />
      </div>
      <div className="new-run-side">
        <SearchFields {...state} project={run.project.name} />
        <ProgramNeeds draft={draft} errors={state.errors} onChange={state.changeProgram} />
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

/** Each parameter of the command line: a value that all trials have, or what it is drawn from. */
function ProgramParameters({ state }: { state: ProgramSweepState }) {
  const { names, draft, setValue } = state.program;
  return (
    <fieldset className="panel new-run-part">
      <legend>Parameters</legend>
      {names.length === 0 && (
        <p className="muted">Write {'{lr}'} in the command where a trial is to have its own value of lr.</p>
      )}
      <div className="stack">
        {names.map((name) => {
          const path = `parameters.${name}`;
          const variation = state.variations.find((one) => one.path === path);
          return variation === undefined ? (
            <div className="row" key={name}>
              <SettingInput
                label={name}
                hint="The same in all trials."
                value={draft.values[name] ?? ''}
                error={state.errors[path]}
                onChange={(value) => {
                  setValue(name, value);
                  state.forget(path);
                }}
              />
              <Button aria-label={`Vary ${name}`} onClick={() => state.vary(name)}>
                Vary
              </Button>
            </div>
          ) : (
            <VariationRow
              key={name}
              field={parameterField(name)}
              distributions={ANY_NUMBER}
              variation={variation}
              variations={state.variations}
              error={state.errors[path]}
              onChange={state.changeVariation}
              onRemove={() => state.removeVariation(path)}
            />
          );
        })}
      </div>
      {state.errors.parameters !== undefined && <span className="field-error">{state.errors.parameters}</span>}
    </fieldset>
  );
}
