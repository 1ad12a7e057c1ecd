import { useProjects } from '#web/features/projects/useProjects.ts';
import { parseSeedList } from '#src/base/lib/seedList.ts';
import type { RunSettings } from './runSettings.ts';
import { SettingInput } from './SettingInput.tsx';

export interface QueueFieldsProps {
  settings: RunSettings;
  errors: Readonly<Record<string, string>>;
  setSetting(name: keyof RunSettings, value: string): void;
  nameHint: string;
}

/** How runs are queued: seeds, project, name, tags, priority. */
export function QueueFields({ settings, errors, setSetting, nameHint }: QueueFieldsProps) {
  const { data: projects = [] } = useProjects();
  const setting = (name: keyof RunSettings) => ({
    value: settings[name],
    error: errors[name],
    onChange: (value: string) => setSetting(name, value),
  });
  return (
    <fieldset className="panel new-run-part">
      <legend>Queue</legend>
      <div className="schema-fields new-run-queue">
        <SettingInput label="Seeds" hint="A list with ranges: 1-5, 8. One run per seed." {...setting('seeds')} />
        <SettingInput
          label="Project"
          hint="Made if there is none of this name."
          suggestions={projects.map((project) => project.name)}
          {...setting('project')}
        />
        <SettingInput label="Name" hint={nameHint} {...setting('name')} />
        <SettingInput label="Tags" hint="Separated by commas." {...setting('tags')} />
        <SettingInput label="Priority" hint="1 first, 2,097,151 last." {...setting('priority')} />
        <SettingInput
          label="Attempts"
          hint="Tries at most, when a machine fails. A failure of the run itself is not tried again."
          {...setting('maxAttempts')}
        />
      </div>
    </fieldset>
  );
}

export function submitLabel(seeds: string): string {
  const parsed = parseSeedList(seeds);
  return 'seeds' in parsed && parsed.seeds.length > 1 ? `Queue ${parsed.seeds.length} runs` : 'Queue run';
}
