/** How a part of the API is: `no writes` answers what it holds, and takes nothing new, as on a full disk. */
export const PART_STATES = ['ok', 'away', 'no writes'] as const;
export type PartState = (typeof PART_STATES)[number];

/** The parts that `/health` tells of. */
export const HEALTH_PARTS = ['database', 'queue'] as const;
export type HealthPart = (typeof HEALTH_PARTS)[number];

/** What is wrong with a part, and what to do: the same words wherever it is said. */
const WORDS: Readonly<Record<HealthPart, Readonly<Record<Exclude<PartState, 'ok'>, string>>>> = {
  database: {
    away: 'its database does not answer: start PostgreSQL, and the API goes on by itself',
    'no writes':
      'its database takes no writes: make room on the disk of PostgreSQL, or see its log; nothing is lost meanwhile, and everything goes on by itself',
  },
  queue: {
    away: 'its queue does not answer: start Redis, and the API goes on by itself; runs wait in the database until then',
    'no writes':
      'its queue takes no jobs: give Redis more memory (maxmemory), or see its log; runs wait in the database until then',
  },
};

/** What is wrong, a sentence each; nothing where all is well. */
export function healthProblems(health: Readonly<Record<HealthPart, PartState>>): string[] {
  return HEALTH_PARTS.flatMap((part) => {
    const state = health[part];
    return state === 'ok' ? [] : [WORDS[part][state]];
  });
}
