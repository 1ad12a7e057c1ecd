import { useProjects, useRunColumns } from '#web/features/projects/useProjects.ts';
import { SettingInput } from '#web/features/newRun/SettingInput.tsx';
import { SettingChoice } from './SettingChoice.tsx';
import type { SweepSettings } from './sweepSettings.ts';

const METHODS = [
  { value: 'tpe', label: 'tpe – learns from the trials before' },
  { value: 'random', label: 'random' },
  { value: 'sobol', label: 'sobol – even coverage' },
  { value: 'grid', label: 'grid – every combination' },
] as const;

const STOPPING = [
  { value: '', label: 'none: every trial runs to its end' },
  { value: 'asha', label: 'asha – successive halving' },
  { value: 'hyperband', label: "hyperband – W&B's" },
  { value: 'median', label: 'median rule' },
] as const;

export interface SearchFieldsProps {
  settings: SweepSettings;
  errors: Readonly<Record<string, string>>;
  setSetting<Name extends keyof SweepSettings>(name: Name, value: SweepSettings[Name]): void;
  /** Whose metrics are suggested; null: those of all projects. */
  project: string | null;
}

/** What a sweep looks for, how, and for how long. */
export function SearchFields({ settings, errors, setSetting, project }: SearchFieldsProps) {
  const { data: projects = [] } = useProjects();
  const { data: columns } = useRunColumns(project);
  const metrics = (columns?.metrics ?? []).filter((name) => !/^(test|system)\//.test(name));
  const setting = <Name extends keyof SweepSettings>(name: Name) => ({
    value: settings[name],
    error: errors[name],
    onChange: (value: SweepSettings[Name]) => setSetting(name, value),
  });
  const text = (name: Exclude<keyof SweepSettings, 'method' | 'goal' | 'summary' | 'stopping'>) => setting(name);
  return (
    <>
      <fieldset className="panel new-run-part">
        <legend>Search</legend>
        <div className="schema-fields new-run-queue">
          <SettingChoice label="Sampler" options={METHODS} {...setting('method')} />
          <SettingInput
            label="Objective"
            hint="A metric on validation data."
            suggestions={metrics}
            {...text('metric')}
          />
          <SettingChoice
            label="Direction"
            options={[
              { value: '', label: 'what the metric is known for' },
              { value: 'maximize', label: 'maximize' },
              { value: 'minimize', label: 'minimize' },
            ]}
            {...setting('goal')}
          />
          <SettingChoice
            label="Counts"
            options={[
              { value: 'last', label: 'the last value of a run' },
              { value: 'best', label: 'the best value of a run' },
            ]}
            {...setting('summary')}
          />
          <SettingInput
            label="Seeds"
            hint="1-3: each trial runs with each, its objective is their mean."
            {...text('seeds')}
          />
        </div>
      </fieldset>
      <fieldset className="panel new-run-part">
        <legend>Budget</legend>
        <div className="schema-fields new-run-queue">
          <SettingInput label="Trials" hint="In all; empty for no limit." {...text('trials')} />
          <SettingInput label="Trials at once" hint="Fewer teach tpe more." {...text('concurrency')} />
          <SettingInput label="Hours" hint="It draws none after so many." {...text('hours')} />
          <SettingInput label="Epochs" hint="Of all runs together." {...text('epochs')} />
          <SettingInput
            label="Until nothing better in"
            hint="So many trials without a better one."
            {...text('patience')}
          />
          <SettingInput label="Target" hint="It ends when an objective reaches this." {...text('target')} />
          <SettingChoice label="Early stopping" options={STOPPING} {...setting('stopping')} />
          {settings.stopping !== '' && (
            <SettingInput label="First look" hint="After so many values of the metric." {...text('firstLook')} />
          )}
          {(settings.stopping === 'asha' || settings.stopping === 'hyperband') && (
            <SettingInput label="Keeps one in" hint="Of the trials at each look." {...text('eta')} />
          )}
        </div>
      </fieldset>
      <fieldset className="panel new-run-part">
        <legend>Sweep</legend>
        <div className="schema-fields new-run-queue">
          <SettingInput label="Name" hint="Left empty, it is made from sampler and kind." {...text('name')} />
          <SettingInput
            label="Project"
            hint="Made if there is none of this name."
            suggestions={projects.map(({ name }) => name)}
            {...text('project')}
          />
          <SettingInput label="Tags" hint="Of its runs, separated by commas." {...text('tags')} />
          <SettingInput
            label="Seed of the sampler"
            hint="The same seed draws the same trials."
            {...text('samplerSeed')}
          />
        </div>
      </fieldset>
    </>
  );
}
