import { parse, print } from 'graphql';
import { type KeyboardEvent, useState } from 'react';
import { useSchema } from './useSchema.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { EXAMPLES } from './examples.ts';
import { readOperation } from './readOperation.ts';
import { SchemaReference } from './SchemaReference.tsx';
import { useOperation } from './useOperation.ts';
import './explorer.css';

/** Asks the API by hand: examples, a check against the schema while one writes, the answer, and the schema to search in. */
export function ExplorerPage() {
  useTitle('API explorer');
  const schema = useSchema();
  const [query, setQuery] = useState(EXAMPLES[0].query);
  const [variables, setVariables] = useState(EXAMPLES[0].variables);
  const operation = useOperation();
  const read = readOperation(query, variables, schema.data);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    operation.start(read);
  };
  return (
    <div className="page explorer">
      <div className="page-head">
        <h1>API explorer</h1>
      </div>
      <div className="explorer-parts">
        <div className="explorer-write">
          <div className="row">
            <select
              className="input"
              aria-label="Example"
              onChange={({ target }) => {
                const example = EXAMPLES.find(({ title }) => title === target.value) ?? EXAMPLES[0];
                setQuery(example.query);
                setVariables(example.variables);
              }}
            >
              {EXAMPLES.map(({ title }) => (
                <option key={title}>{title}</option>
              ))}
            </select>
            <Button look="primary" title="Ctrl+Enter" onClick={() => operation.start(read)}>
              Run
            </Button>
            {operation.running && <Button onClick={operation.stop}>Stop</Button>}
            <Button
              look="quiet"
              disabled={read.problems.length > 0}
              title="Lays the document out anew; comments are lost"
              onClick={() => setQuery(`${print(parse(query))}\n`)}
            >
              Tidy
            </Button>
          </div>
          <textarea
            className="input mono explorer-query"
            aria-label="Operation"
            aria-invalid={read.problems.length > 0}
            aria-describedby="explorer-problems"
            spellCheck={false}
            rows={22}
            value={query}
            onKeyDown={onKeyDown}
            onChange={({ target }) => setQuery(target.value)}
          />
          <textarea
            className="input mono"
            aria-label="Variables"
            spellCheck={false}
            rows={4}
            value={variables}
            onKeyDown={onKeyDown}
            onChange={({ target }) => setVariables(target.value)}
          />
          <ul className="explorer-problems" id="explorer-problems" aria-live="polite">
            {read.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </div>
        <textarea
          className="input mono explorer-answer"
          aria-label="Answer"
          aria-busy={operation.running}
          readOnly
          spellCheck={false}
          rows={30}
          placeholder={operation.running ? 'Waiting …' : 'The answer comes here.'}
          value={operation.results.map((result) => JSON.stringify(result, null, 2)).join('\n\n')}
        />
        {schema.data !== undefined && <SchemaReference schema={schema.data} />}
        {schema.error !== null && <ErrorNotice title="The schema cannot be shown." error={schema.error} />}
      </div>
    </div>
  );
}
