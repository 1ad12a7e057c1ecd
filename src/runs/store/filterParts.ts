import type { RunField, RunFilter } from '#src/base/contracts/runFilter/syntax.ts';

/** Whether runs of one configuration always agree in a field, but for parameters that the programs of commands add. */
export function isFieldOfConfiguration(field: RunField): boolean {
  if (field.type === 'json') return field.root !== 'environment';
  return field.type === 'text' && (field.name === 'kind' || field.name === 'dataset' || field.name === 'configuration');
}

export function isParameter(field: RunField): boolean {
  return field.type === 'json' && field.root === 'parameters';
}

/** Whether runs of one configuration all meet a filter, or none. */
export function isOfConfiguration(filter: RunFilter): boolean {
  return fieldsOf(filter).every(isFieldOfConfiguration);
}

/** Whether some part of a filter looks at parameters. */
export function asksForParameters(filter: RunFilter): boolean {
  return fieldsOf(filter).some(isParameter);
}

/** Whether some part of a filter looks at what runs of one configuration share. */
export function asksForConfiguration(filter: RunFilter): boolean {
  return fieldsOf(filter).some(isFieldOfConfiguration);
}

/** What the conditions of a filter look at. */
function fieldsOf(filter: RunFilter): RunField[] {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(fieldsOf);
    case 'not':
      return fieldsOf(filter.operand);
    default:
      return [filter.field];
  }
}
