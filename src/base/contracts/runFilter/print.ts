import { assertNever } from '#src/base/lib/assertNever.ts';
import type { JsonScalar, RunField, RunFilter, TimeSpan } from './syntax.ts';

/** A text that `parseRunFilter` reads as this filter. */
export function printRunFilter(filter: RunFilter): string {
  switch (filter.type) {
    case 'and':
    case 'or':
      return filter.operands
        .map((operand) =>
          operand.type === 'and' || operand.type === 'or' ? grouped(operand) : printRunFilter(operand),
        )
        .join(` ${filter.type} `);
    case 'not': {
      const { operand } = filter;
      return `not ${operand.type === 'and' || operand.type === 'or' ? grouped(operand) : printRunFilter(operand)}`;
    }
    case 'compareText':
      return `${printField(filter.field)} ${filter.operator} ${quote(filter.value)}`;
    case 'compareNumber':
      return `${printField(filter.field)} ${filter.operator} ${filter.value}`;
    case 'compareTime':
      return `${printField(filter.field)} ${filter.operator} ${printTime(filter.value)}`;
    case 'compareJson':
      return `${printField(filter.field)} ${filter.operator} ${printScalar(filter.value)}`;
    case 'inTexts':
    case 'inTags':
      return `${printField(filter.field)} ${list(filter.negated, filter.values.map(quote))}`;
    case 'inNumbers':
      return `${printField(filter.field)} ${list(filter.negated, filter.values.map(String))}`;
    case 'inJson':
      return `${printField(filter.field)} ${list(filter.negated, filter.values.map(printScalar))}`;
    case 'inStates':
      return `state ${list(filter.negated, filter.values)}`;
    case 'like': {
      const operator = `${filter.negated ? 'not ' : ''}${filter.caseless ? 'ilike' : 'like'}`;
      return `${printField(filter.field)} ${operator} ${quote(filter.pattern)}`;
    }
    case 'null':
      return `${printField(filter.field)} is ${filter.negated ? 'not null' : 'null'}`;
    default:
      return assertNever(filter);
  }
}

/** The name of a field as the filter language writes it. */
export function printField(field: RunField): string {
  switch (field.type) {
    case 'text':
    case 'number':
    case 'time':
      return field.name;
    case 'state':
    case 'tag':
      return field.type;
    case 'loggedText':
      return `text.${/^[A-Za-z_]\w*$/.test(field.name) ? field.name : quote(field.name)}`;
    case 'metric':
      return `${{ last: 'metric', minimum: 'min', maximum: 'max' }[field.summary]}.${quote(field.name)}`;
    case 'json': {
      const head = { parameters: 'config.parameters', dataset: 'config.dataset', environment: 'env' }[field.root];
      return [head, ...field.path.map((segment) => (/^\w+$/.test(segment) ? segment : quote(segment)))].join('.');
    }
    default:
      return assertNever(field);
  }
}

function grouped(filter: RunFilter): string {
  return `(${printRunFilter(filter)})`;
}

function list(negated: boolean, values: readonly string[]): string {
  return `${negated ? 'not ' : ''}in (${values.join(', ')})`;
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function printScalar(value: JsonScalar): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

function printTime({ relative, start, end }: TimeSpan): string {
  if (relative) return `${start < 0 ? '' : '+'}${start / 1000}s`;
  const iso = new Date(start).toISOString();
  return end - start > 1 ? iso.slice(0, 10) : iso;
}
