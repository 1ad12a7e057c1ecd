import type { RunField, RunFilter } from '#src/contracts/runFilter/syntax.ts';

/** Whether runs of one configuration always agree in a field, but for parameters that the programs of commands add. */
export function isFieldOfConfiguration(field: RunField): boolean {
  if (field.type === 'json') return field.root !== 'environment';
  return field.type === 'text' && (field.name === 'kind' || field.name === 'dataset' || field.name === 'configuration');
}

/** Whether runs of one configuration all meet a filter, or none. */
export function isOfConfiguration(filter: RunFilter): boolean {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.operands.every(isOfConfiguration);
    case 'not':
      return isOfConfiguration(filter.operand);
    default:
      return isFieldOfConfiguration(filter.field);
  }
}

/** Whether some part of a filter looks at parameters. */
export function asksForParameters(filter: RunFilter): boolean {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.operands.some(asksForParameters);
    case 'not':
      return asksForParameters(filter.operand);
    default:
      return isParameter(filter.field);
  }
}

export function isParameter(field: RunField): boolean {
  return field.type === 'json' && field.root === 'parameters';
}

/** Whether some part of a filter looks at what runs of one configuration share. */
export function asksForConfiguration(filter: RunFilter): boolean {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.operands.some(asksForConfiguration);
    case 'not':
      return asksForConfiguration(filter.operand);
    default:
      return isFieldOfConfiguration(filter.field);
  }
}
