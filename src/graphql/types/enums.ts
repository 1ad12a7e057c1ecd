import { registerEnumType } from 'type-graphql';
import { RUN_STATES, type RunState as RunStateName } from '../../contracts/runState.ts';

type NamesOf<Name extends string> = { readonly [Key in Name]: Key };

function namesOf<Name extends string>(names: readonly Name[]): NamesOf<Name> {
  return Object.fromEntries(names.map((name) => [name, name])) as NamesOf<Name>;
}

/** Enum objects for the decorators: what travels inside is the name itself. */
export const RunState: NamesOf<RunStateName> = namesOf(RUN_STATES);
registerEnumType(RunState, { name: 'RunState' });

export const AttemptState = namesOf(['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'LOST']);
registerEnumType(AttemptState, { name: 'AttemptState' });

export const LogLevel = namesOf(['debug', 'info', 'warn', 'error']);
registerEnumType(LogLevel, { name: 'LogLevel' });

export const MetricDirection = namesOf(['higher', 'lower']);
registerEnumType(MetricDirection, { name: 'MetricDirection' });

export const TestMethod = namesOf(['paired', 'welch']);
registerEnumType(TestMethod, { name: 'TestMethod', description: 't-test of pairs, or of two samples' });

export const SortDirection = namesOf(['ASC', 'DESC']);
registerEnumType(SortDirection, { name: 'SortDirection' });

export const TokenRole = namesOf(['READ', 'WRITE', 'ADMIN']);
registerEnumType(TokenRole, { name: 'TokenRole' });
