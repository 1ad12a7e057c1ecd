import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { fetchAllRuns } from './fetchAllRuns.ts';
import type { RunGroupsInput } from './useRunGroups.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';

/** So many runs at most are compared. */
const MOST_COMPARED = 200;

interface CompareGroupsProps {
  input: RunGroupsInput;
  runCount: number;
  /** Hash of the configuration of the baseline, which stays the baseline; null where there is none. */
  baseline: string | null;
}

/** Compares the configurations of all runs that are grouped: tests, differences, curves. */
export function CompareGroups({ input, runCount, baseline }: CompareGroupsProps) {
  const navigate = useNavigate();
  const [pending, setPending] = useState(false);
  if (runCount < 2 || input.inTrash) return null;
  const tooMany = runCount > MOST_COMPARED;
  const compare = async () => {
    setPending(true);
    try {
      const { project, filter, inTrash } = input;
      const shown = { withNotes: false, withHeadline: false, withTexts: false };
      const order = { orderBy: 'number', direction: 'ASC' as const, metrics: [] };
      const runs = await fetchAllRuns({ project, filter, inTrash, ...order, ...shown });
      const first = runs.find(({ configuration }) => configuration.hash === baseline);
      await navigate({
        to: '/compare',
        search: { runs: runs.map(({ number }) => number).join(','), baseline: first && String(first.number) },
      });
    } catch (error) {
      showToast(coerceError(error).message, { error: true });
    }
    setPending(false);
  };
  return (
    <Button
      className="spread"
      disabled={pending || tooMany}
      title={tooMany ? `At most ${MOST_COMPARED} runs are compared: filter them` : undefined}
      onClick={() => void compare()}
    >
      Compare them
    </Button>
  );
}
