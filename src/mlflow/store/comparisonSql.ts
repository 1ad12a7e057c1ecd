import { Prisma } from '#src/generated/prisma/client.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { databaseText } from '#src/base/database/databaseText.ts';

/** Comparisons of MLflow's search language. */
export const SEARCH_OPERATORS = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'LIKE',
  'ILIKE',
  'IN',
  'NOT IN',
  'IS NULL',
  'IS NOT NULL',
] as const;
export type SearchOperator = (typeof SEARCH_OPERATORS)[number];

/** What a field is compared with; null for `IS NULL` and `IS NOT NULL`. */
export type SearchValue = string | number | readonly (string | number)[] | null;

function valueSql(value: string | number): Prisma.Sql {
  if (typeof value === 'number') return Prisma.sql`${String(value)}::text::float8`;
  return Prisma.sql`${databaseText(value)}::text`;
}

/** Whether a value meets a condition; NULL, which no filter passes, where there is no value. Texts by code points. */
export function compareSql(left: Prisma.Sql, operator: SearchOperator, value: SearchValue): Prisma.Sql {
  if (operator === 'IS NULL') return Prisma.sql`(${left} IS NULL)`;
  if (operator === 'IS NOT NULL') return Prisma.sql`(${left} IS NOT NULL)`;
  const values = (Array.isArray(value) ? value : [value]).map(valueSql);
  const right = values[0] ?? Prisma.sql`NULL`;
  switch (operator) {
    case '=':
      return Prisma.sql`(${left} = ${right})`;
    case '!=':
      return Prisma.sql`(${left} <> ${right})`;
    case '<':
      return Prisma.sql`(${left} < ${right})`;
    case '<=':
      return Prisma.sql`(${left} <= ${right})`;
    case '>':
      return Prisma.sql`(${left} > ${right})`;
    case '>=':
      return Prisma.sql`(${left} >= ${right})`;
    case 'LIKE':
      return Prisma.sql`(${left} LIKE ${right} ESCAPE '')`;
    case 'ILIKE':
      // the database's own collation knows the cases of all letters
      return Prisma.sql`((${left}) COLLATE "default" ILIKE ${right} ESCAPE '')`;
    case 'IN':
      return Prisma.sql`(${left} IN (${Prisma.join(values)}))`;
    case 'NOT IN':
      return Prisma.sql`(${left} NOT IN (${Prisma.join(values)}))`;
    default:
      return assertNever(operator);
  }
}
