import { useState } from 'react';
import { type StudyChoice, type StudyDetails, type StudyPlan, useReproduceStudy, useStudyPlan } from './useStudies.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useSettled } from '#web/components/useSettled.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { parseSeedList } from '#src/base/lib/seedList.ts';
import { SettingInput } from '../newRun/SettingInput.tsx';

type Budget = NonNullable<StudyChoice['budget']>;

const BUDGETS: readonly { value: Budget; label: string }[] = [
  { value: 'quick', label: 'Quick' },
  { value: 'paper', label: 'As in the paper' },
];
const MINUTE_MS = 60_000;
/** After the last key. */
const TYPING_MS = 300;

/** Asks what is to be run of a study, and says what that takes before anything is queued. */
export function QueueStudyDialog({ study, onClose }: { study: StudyDetails; onClose(): void }) {
  const [budget, setBudget] = useState<Budget>('quick');
  const [texts, setTexts] = useState({ rows: '', columns: '', seeds: '' });
  const setting = (name: keyof typeof texts) => ({
    value: texts[name],
    onChange: (value: string) => setTexts((before) => ({ ...before, [name]: value })),
  });
  const settled = {
    rows: useSettled(texts.rows, TYPING_MS),
    columns: useSettled(texts.columns, TYPING_MS),
    seeds: useSettled(texts.seeds, TYPING_MS),
  };
  const isSettled = settled.rows === texts.rows && settled.columns === texts.columns && settled.seeds === texts.seeds;
  const seeds = settled.seeds.trim() === '' ? { seeds: null } : parseSeedList(settled.seeds);
  const choice: StudyChoice = {
    budget,
    rows: namesOf(settled.rows),
    columns: namesOf(settled.columns),
    seeds: 'problem' in seeds ? null : seeds.seeds,
  };
  const plan = useStudyPlan(study.name, choice);
  const reproduce = useReproduceStudy(study.name);
  const count = plan.data?.planned.length ?? 0;
  const isCertain = isSettled && plan.error === null && !plan.isFetching && !('problem' in seeds);
  const queue = async () => {
    // not a callback of `mutate`: none is called once the page is left
    const done = await reproduce.mutateAsync(choice).catch((error: Error) => showToast(error.message, { error: true }));
    if (done === undefined) return;
    showToast(`${runsText(done.queued.length)} queued, ${done.reused.length} finished ones serve as they are`);
    onClose();
  };
  return (
    <Dialog title={`Run ${study.name}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isCertain && count > 0) void queue();
        }}
      >
        <Segments<Budget> label="Settings" options={BUDGETS} value={budget} onChange={setBudget} />
        {study.rows.length > 0 && (
          <>
            <SettingInput
              label="Rows"
              hint="Names or groups, with commas between them; empty: all."
              error={undefined}
              suggestions={labelsOf(study.rows)}
              {...setting('rows')}
            />
            <SettingInput
              label="Columns"
              hint="Names or groups, with commas between them; empty: all."
              error={undefined}
              suggestions={labelsOf(study.columns)}
              {...setting('columns')}
            />
          </>
        )}
        <SettingInput
          label="Seeds"
          hint="A list with ranges: 1-5, 8. Empty: the study’s own."
          error={'problem' in seeds ? seeds.problem : undefined}
          {...setting('seeds')}
        />
        {plan.error === null ? (
          <p aria-live="polite">{plan.data === undefined ? 'Counting the runs…' : planText(plan.data)}</p>
        ) : (
          <ErrorNotice title="This cannot be run." error={plan.error} />
        )}
        <div className="dialog-foot">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" look="primary" disabled={!isCertain || count === 0 || reproduce.isPending}>
            {count === 0 ? 'Queue' : `Queue ${runsText(count)}`}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const runsText = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);

function namesOf(text: string): string[] | null {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? null : names;
}

/** What one may type: groups, or names where there are none. */
function labelsOf(lines: StudyDetails['rows']): string[] {
  return [...new Set(lines.map(({ group, label }) => group || label))];
}

function planText({ planned, minutes, reused, underWay, left }: StudyPlan): string {
  const parts = [
    planned.length === 0
      ? 'There is nothing to queue'
      : `${runsText(planned.length)} would be queued, about ${formatDuration(minutes * MINUTE_MS)} of computing`,
    ...(reused.length > 0 ? [`${runsText(reused.length)} finished before and are not run again`] : []),
    ...(underWay.length > 0 ? [`${runsText(underWay.length)} under way`] : []),
    ...(left.length > 0 ? [`${left.length} cannot be run here`] : []),
  ];
  return `${parts.join('; ')}.`;
}
