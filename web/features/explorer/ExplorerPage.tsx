import {
  parse,
  print,
  buildSchema,
  type GraphQLSchema,
  type GraphQLField,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { type KeyboardEvent, useState, useEffect, useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '#web/api/apiError.ts';
import { authorizationHeaders } from '#web/api/request.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { EXAMPLES } from './examples.ts';
import { readOperation, type ReadOperation } from './readOperation.ts';
import { execute, follow } from '#web/api/execute.ts';
import './explorer.css';

interface Entry {
  /** Such as `Run.history(names: [String!], maxPoints: Int): [MetricColumns!]!`. */
  text: string;
  description: string;
}

const MOST_SHOWN = 40;

function argumentsText({ args }: GraphQLField<unknown, unknown>): string {
  return args.length === 0 ? '' : `(${args.map(({ name, type }) => `${name}: ${type}`).join(', ')})`;
}

/** Everything that the schema describes, root fields first. */
function entriesOf(schema: GraphQLSchema): Entry[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const others = Object.values(schema.getTypeMap()).filter(
    (type) => !type.name.startsWith('__') && !roots.some((root) => root?.name === type.name),
  );
  return [...roots, ...others].flatMap((type): Entry[] => {
    if (type == null) return [];
    const own = { text: type.name, description: type.description ?? '' };
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name, description }) => ({ name, description }));
      return [
        own,
        ...values.map(({ name, description }) => ({ text: `${type.name}.${name}`, description: description ?? '' })),
      ];
    }
    if (!isObjectType(type) && !isInputObjectType(type)) return [own];
    const fields = Object.values(type.getFields()).map((field) => ({
      text: `${type.name}.${field.name}${'args' in field ? argumentsText(field) : ''}: ${field.type}`,
      description: field.description ?? '',
    }));
    return [own, ...fields];
  });
}

/** The schema to look things up in: types and fields whose name or description has the words. */
function SchemaReference({ schema }: { schema: GraphQLSchema }) {
  const [words, setWords] = useState('Query.');
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entriesOf(schema).filter(({ text, description }) => {
    const searched = `${text} ${description}`.toLowerCase();
    return wanted.every((word) => searched.includes(word));
  });
  return (
    <section className="explorer-reference" aria-label="Schema">
      <input
        className="input"
        type="search"
        aria-label="Search the schema"
        placeholder="Search types and fields"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className="explorer-count">
        {found.length} found{found.length > MOST_SHOWN && `, ${MOST_SHOWN} shown`}
      </p>
      <dl>
        {found.slice(0, MOST_SHOWN).map(({ text, description }) => (
          <div key={text}>
            <dt className="mono">{text}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Results of a subscription that are kept. */
const MOST_RESULTS = 50;

interface RunningOperation {
  /** What has come, the newest first. */
  results: readonly unknown[];
  running: boolean;
  start(read: ReadOperation): void;
  stop(): void;
}

/** Runs one operation at a time; a new one ends the one before. */
function useOperation(): RunningOperation {
  const [results, setResults] = useState<readonly unknown[]>([]);
  const [running, setRunning] = useState(false);
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);

  const stop = () => {
    end.current();
    setRunning(false);
  };
  const start = (read: ReadOperation) => {
    stop();
    if (!('operation' in read)) {
      setResults([{ problems: read.problems }]);
      return;
    }
    setResults([]);
    setRunning(true);
    if (read.live) {
      end.current = follow(read.operation, (result) =>
        setResults((before) => [result, ...before].slice(0, MOST_RESULTS)),
      );
      return;
    }
    const controller = new AbortController();
    end.current = () => controller.abort();
    execute(read.operation, controller.signal)
      .then((answer) => setResults([answer]))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setResults([{ problems: [String(error)] }]);
      })
      .finally(() => {
        if (!controller.signal.aborted) setRunning(false);
      });
  };
  return { results, running, start, stop };
}

/** The schema of the API, as the server has it. */
function useSchema() {
  return useQuery({
    queryKey: ['schema'],
    queryFn: async ({ signal }): Promise<GraphQLSchema> => {
      const response = await fetch('/schema.graphql', { headers: authorizationHeaders(), signal });
      if (!response.ok) throw new ApiError('NETWORK', `The schema was answered with status ${response.status}.`);
      return buildSchema(await response.text());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

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
