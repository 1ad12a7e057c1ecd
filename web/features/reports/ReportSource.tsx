import { useId, useRef } from 'react';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';
import { Button } from '#web/components/Button.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { FilterSuggestions } from '../runs/FilterSuggestions.tsx';
import { SNIPPETS } from './snippets.ts';
import { useCitationCompletion } from './useCitationCompletion.ts';
import { WritingHelp } from './WritingHelp.tsx';

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
