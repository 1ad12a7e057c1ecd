import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { EXAMPLES } from '#web/features/explorer/examples.ts';
import { readOperation } from '#web/features/explorer/readOperation.ts';

const schema = buildSchema(readFileSync(join(projectRoot(), 'src/graphql/schema.graphql'), 'utf8'));

test.each(EXAMPLES)('the example "$title" is right', ({ query, variables }) => {
  expect(readOperation(query, variables, schema).problems).toEqual([]);
});

test('mistakes are told with their place', () => {
  const problemsOf = (query: string, variables = '') => readOperation(query, variables, schema).problems;
  expect(problemsOf('{ runz { totalCount } }')).toEqual([
    expect.stringMatching(/^line 1, column 3: Cannot query field "runz".*Did you mean "run" or "runs"/),
  ]);
  expect(problemsOf('{ runs ')).toEqual([expect.stringMatching(/^line 1, column 8: Syntax Error/)]);
  expect(problemsOf('{ queue { queued } }', '[1]')).toEqual([
    'variables: expected a JSON object, such as { "id": "1" }',
  ]);
  expect(problemsOf('query A { queue { queued } } query B { queue { queued } }')).toEqual([
    'write one operation: the document has none, or several',
  ]);
});

test('a subscription is followed instead of sent', () => {
  const read = readOperation('subscription { runChanged { number } }', '', schema);
  expect(read).toMatchObject({ live: true, operation: { variables: {} } });
});
