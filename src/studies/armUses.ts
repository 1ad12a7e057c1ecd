import { setImmediate } from 'node:timers/promises';
import { armConfiguration, hasShortForm } from '#src/catalog/studies/armConfiguration.ts';
import { type Study, STUDY_BUDGETS, type StudyArm, type StudyBudget } from '#src/catalog/studies/study.ts';

/** A configuration that an arm has under a budget. */
export interface ArmUse {
  arm: StudyArm;
  budget: StudyBudget;
}

/** The arms of a study by the hashes of their configurations. */
export type ArmUses = ReadonlyMap<string, readonly ArmUse[]>;

const ARMS_AT_ONCE = 5;

/** Studies are constants. */
const known = new WeakMap<Study, ArmUses>();

/**
 * The arms by the hashes of their configurations; `paper` where both budgets have the same. To resolve the thousand arms of all
 * studies for the first time takes a second, in which others are answered, too.
 */
export async function armUses(study: Study): Promise<ArmUses> {
  const before = known.get(study);
  if (before !== undefined) return before;
  const uses = new Map<string, ArmUse[]>();
  for (const [index, arm] of study.arms.entries()) {
    if (index % ARMS_AT_ONCE === 0) await setImmediate();
    for (const budget of STUDY_BUDGETS) {
      if (budget === 'quick' && !hasShortForm(study, arm)) continue;
      const { hash } = armConfiguration(arm, budget);
      uses.set(hash, [...(uses.get(hash) ?? []), { arm, budget }]);
    }
  }
  known.set(study, uses);
  return uses;
}
