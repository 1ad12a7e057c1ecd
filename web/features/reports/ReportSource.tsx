import { useId, useRef, type KeyboardEvent, type RefObject, useMemo, useState } from 'react';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';
import { Button } from '#web/components/Button.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { FilterSuggestions } from '../runs/FilterSuggestions.tsx';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { useFirstRuns } from '#web/features/runs/useFirstRuns.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { type CitationOption, citationOptions, citationPlace, withCitation } from './citationCompletion.ts';
import { Popover } from '#web/components/Popover.tsx';

interface At {
  caret: number;
  /** Where the caret stands in the field, in pixels. */
  left: number;
  top: number;
}

const NONE: readonly CitationOption[] = [];
const NO_METRICS: readonly string[] = [];

/** What completes a citation in the text of a report where the caret stands: arrows, Enter, Tab, Escape as in the filter. */
function useCitationCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  { project, text, setText }: { project: string | null; text: string; setText(text: string): void },
) {
  const [at, setAt] = useState<At | null>(null);
  const [active, setActive] = useState<number>(0);
  const { data: columns } = useRunColumns(project);
  const place = useMemo(() => (at === null ? null : citationPlace(text, Math.min(at.caret, text.length))), [text, at]);
  const isRun = place?.part === 'run';
  const runs = useFirstRuns({ project, filter: '', inTrash: false, metrics: NO_METRICS, enabled: isRun });
  const options = useMemo(() => {
    if (place === null) return NONE;
    const metrics = [...(columns?.metrics ?? [])].sort(compareHeadlines(null));
    return citationOptions(place, { metrics, runs: runs ?? [] });
  }, [place, columns, runs]);
  const onTyped = () => {
    const element = area.current;
    setActive(0);
    setAt(element === null ? null : { caret: element.selectionStart, ...caretPlace(element) });
  };
  const close = () => setAt(null);
  const take = ({ text: chosen }: CitationOption) => {
    if (place === null) return;
    const next = withCitation(text, place, chosen);
    if (area.current !== null) {
      area.current.value = next.text;
      area.current.setSelectionRange(next.caret, next.caret);
    }
    setText(next.text);
    close();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = options[active];
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else return;
    event.preventDefault();
  };
  return { options, active, setActive, take, onTyped, close, onKeyDown, left: at?.left ?? 0, top: at?.top ?? 0 };
}

const COPIED = ['font', 'padding', 'border', 'boxSizing', 'lineHeight', 'letterSpacing', 'tabSize'] as const;

/** Where the line beneath the caret begins, in pixels of the field: measured in a copy of it. */
function caretPlace(element: HTMLTextAreaElement): { left: number; top: number } {
  const copy = document.createElement('div');
  const style = getComputedStyle(element);
  for (const name of COPIED) copy.style[name] = style[name];
  Object.assign(copy.style, {
    ...{ position: 'absolute', visibility: 'hidden', width: `${element.clientWidth}px`, height: 'auto' },
    ...{ whiteSpace: 'pre-wrap', overflowWrap: 'break-word' },
  });
  copy.textContent = element.value.slice(0, element.selectionStart);
  const mark = document.createElement('span');
  mark.textContent = '\u200b';
  copy.append(mark);
  document.body.append(copy);
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight - element.scrollTop };
  copy.remove();
  return place;
}

/** How a report is written, in short. */
function WritingHelp() {
  return (
    <Popover label="Help" title="How a report is written" look="quiet">
      <div className="stack report-help">
        <p>Text is Markdown: # heads, **bold**, lists, tables, links. A citation or a block is drawn from the runs.</p>
        <dl>
          <dt>
            <code>[[run 12]]</code>
          </dt>
          <dd>the run with its name and state</dd>
          <dt>
            <code>[[run 12: test/ndcg@10]]</code>
          </dt>
          <dd>its value</dd>
          <dt>
            <code>[[runs 4-6, 9: test/ndcg@10]]</code>
          </dt>
          <dd>mean ± standard deviation (number of runs)</dd>
          <dt>
            <code>[[compare 12, 14-16]]</code>
          </dt>
          <dd>the comparison of these runs</dd>
          <dt>
            <code>```warren-panel</code>
          </dt>
          <dd>
            a figure: metric, kind (line, scatter, bar, box, parallel, importance, heat), fields, x, log y, smoothing,
            band, colors by
          </dd>
          <dt>
            <code>```warren-table</code>
          </dt>
          <dd>a table: metrics, columns, group by, baseline (number of a run), values, order</dd>
          <dt>
            <code>```warren-comparison</code>
          </dt>
          <dd>verdicts: runs, metrics, baseline, pairs (seeds or users), show (verdict or differences)</dd>
        </dl>
        <p>
          Figures and tables take runs (12, 14-16) or filter, as in the table of runs, and project, first, title. Each
          stands in a line of its own: <code>metric: valid/loss</code>.
        </p>
      </div>
    </Popover>
  );
}

/** What the buttons above the text put into it. */
const SNIPPETS: readonly { label: string; text: string }[] = [
  {
    label: 'Figure',
    text: '```warren-panel\nmetric: valid/loss\nfilter: state = SUCCEEDED\ngroup by: configuration\n```\n',
  },
  {
    label: 'Table',
    text: '```warren-table\nmetrics: test/ndcg@10\nfilter: state = SUCCEEDED\ngroup by: configuration\n```\n',
  },
  { label: 'Comparison', text: '```warren-comparison\nruns: 1-6\nmetrics: test/ndcg@10\n```\n' },
  { label: 'Cite a run', text: '[[run 1]]' },
];

export interface ReportSourceProps {
  project: string | null;
  text: string;
  onText(text: string): void;
}

/** The text of a report while it is written, with what can be put into it. */
export function ReportSource({ project, text, onText }: ReportSourceProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const completion = useCitationCompletion(area, { project, text, setText: onText });
  const isOffered = completion.options.length > 0;
  const insert = (snippet: string) => {
    const element = area.current;
    if (element === null) return;
    const { selectionStart: from, selectionEnd: to } = element;
    const lead = snippet.startsWith('```') && from > 0 && !text.slice(0, from).endsWith('\n\n') ? '\n\n' : '';
    const next = `${text.slice(0, from)}${lead}${snippet}${text.slice(to)}`;
    onText(next);
    requestAnimationFrame(() => {
      element.focus();
      element.setSelectionRange(from + lead.length, from + lead.length + snippet.length);
    });
  };
  return (
    <div className="report-source">
      <div className="row">
        {SNIPPETS.map(({ label, text: snippet }) => (
          <Button key={label} onClick={() => insert(snippet)}>
            {label}
          </Button>
        ))}
        <WritingHelp />
      </div>
      <div className="report-area">
        <textarea
          className="input mono"
          ref={area}
          aria-label="Text in Markdown"
          aria-autocomplete="list"
          {...(isOffered && {
            'aria-controls': listId,
            'aria-activedescendant': `${listId}-${completion.active}`,
          })}
          placeholder="Markdown. The buttons above put in what Warren draws from the runs."
          spellCheck
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            completion.onTyped();
          }}
          onKeyDown={completion.onKeyDown}
          onBlur={completion.close}
          onScroll={completion.close}
          onClick={completion.close}
        />
        {isOffered && (
          <FilterSuggestions
            id={listId}
            completion={completion}
            style={{ left: `min(${completion.left}px, 45%)`, top: completion.top, width: 'min(380px, 55%)' }}
          />
        )}
      </div>
      {text.length > LONGEST_REPORT * 0.9 && (
        <p className={text.length > LONGEST_REPORT ? 'danger-text' : 'muted'}>
          {formatCount(text.length)} of {formatCount(LONGEST_REPORT)} characters
        </p>
      )}
    </div>
  );
}
