import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { meantFields } from '#src/base/contracts/runFilter/meantFields.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { filterErrorColumn, unknownField } from '#web/lib/filterErrorColumn.ts';
import { filterOfWords } from './filterOfWords.ts';
import { Popover } from '#web/components/Popover.tsx';
import { FilterSuggestions } from './FilterSuggestions.tsx';
import { useFilterCompletion } from './useFilterCompletion.ts';
import './filter.css';

const EXAMPLES: readonly (readonly [filter: string, meaning: string])[] = [
  ['resnet lr0.01', 'words alone: in the run’s name; 12 is the run of that number'],
  ['state = RUNNING', 'a state; also in (QUEUED, RUNNING)'],
  ['kind = overrec and dataset = "amazon-beauty"', 'what was run on what'],
  ['metric."test/ndcg@10" > 0.02', 'a metric’s last value'],
  ['config.sigmaW < 1', 'a parameter; paths may be nested'],
  ['text.phase = "warm-up"', 'the newest text logged under a name'],
  ['tag = baseline or tag = final', 'has a tag'],
  ['user = ada and created > -7d', 'who made it, and when'],
  ['name like "%beauty%"', '% is any text, _ one character'],
  ['not (metric."test/mrr@5" is null)', 'not, parentheses, null'],
];

/** The filter language by example. */
function FilterHelp() {
  return (
    <Popover label="Syntax" title="Filter syntax" look="quiet">
      <dl className="filter-help">
        {EXAMPLES.map(([filter, meaning]) => (
          <div key={filter}>
            <dt>
              <code>{filter}</code>
            </dt>
            <dd className="muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="muted filter-help-more">
        Or point at a cell of the table: a right click, or a long press, offers runs with its value and without it.
      </p>
    </Popover>
  );
}

export interface FilterInputProps {
  /** The filter that holds now. */
  filter: string;
  /** Whose runs' values complete it; null: of all projects. */
  project: string | null;
  /** What the API said is wrong with it. */
  error: string | null;
  onApply(filter: string): void;
}

/** The filter language's line, completed as one types. Enter applies; the API's error shows beneath with its column marked. */
export function FilterInput({ filter, project, error, onApply }: FilterInputProps) {
  const [text, setText] = useState(filter);
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const listId = useId();
  const completion = useFilterCompletion(input, { project, text, setText });
  const isOffering = completion.options.length > 0;
  useEffect(() => setText(filter), [filter]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
      if (event.key !== '/' || typing) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const apply = (event: FormEvent) => {
    event.preventDefault();
    completion.close();
    const applied = filterOfWords(text.trim());
    setText(applied);
    onApply(applied);
  };
  return (
    <search className="filter">
      <form className="filter-line" onSubmit={apply}>
        <div className="filter-field">
          <input
            ref={input}
            className="input mono"
            type="text"
            role="combobox"
            aria-label="Filter runs"
            aria-autocomplete="list"
            aria-expanded={isOffering}
            aria-controls={listId}
            aria-activedescendant={completion.active === null ? undefined : `${listId}-${completion.active}`}
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : errorId}
            aria-keyshortcuts="/"
            placeholder={'Filter: words of a name, or state = SUCCEEDED and metric."test/loss" < 0.5'}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              completion.onTyped();
            }}
            onKeyDown={completion.onKeyDown}
            onBlur={completion.close}
          />
          {isOffering && <FilterSuggestions id={listId} completion={completion} />}
        </div>
        <Button type="submit">Filter</Button>
        {(filter !== '' || text !== '') && (
          <Button
            look="quiet"
            onClick={() => {
              setText('');
              onApply('');
              input.current?.focus();
            }}
          >
            Clear
          </Button>
        )}
        <FilterHelp />
      </form>
      {error !== null && (
        <div className="filter-error" id={errorId} role="alert">
          <FilterErrorMark filter={filter} column={filterErrorColumn(error)} />
          <span>{error.split('\n')[0]}</span>
          <MeantFields {...{ filter, project, error, onApply }} />
        </div>
      )}
    </search>
  );
}

/** What runs have that an unknown field may have meant, each to be put in its place. */
function MeantFields({ filter, project, error, onApply }: FilterInputProps & { error: string }) {
  const { data } = useRunColumns(project);
  const unknown = unknownField(filter, error);
  if (data === undefined || unknown === null) return null;
  const { word, column } = unknown;
  const meant = meantFields(word, data);
  if (meant.length === 0) return null;
  const before = filter.slice(0, column - 1);
  const after = filter.slice(column - 1 + word.length);
  return (
    <span className="row filter-meant">
      Use instead:
      {meant.map((field) => (
        <Button key={field} className="mono" onClick={() => onApply(`${before}${field}${after}`)}>
          {field}
        </Button>
      ))}
    </span>
  );
}

/** The filter once more with the column that the error points at underlined. */
function FilterErrorMark({ filter, column }: { filter: string; column: number | null }) {
  if (column === null) return null;
  const index = column - 1;
  return (
    <pre aria-hidden="true">
      {filter.slice(0, index)}
      <mark>{filter.slice(index, index + 1) || ' '}</mark>
      {filter.slice(index + 1)}
      {`\n${' '.repeat(index)}^`}
    </pre>
  );
}
