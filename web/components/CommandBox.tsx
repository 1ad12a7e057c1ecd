import { useId } from 'react';
import { Button } from './Button.tsx';
import './commandBox.css';
import { copyText } from './copyText.ts';

export interface CommandBoxProps {
  title: string;
  /** What comes of it. */
  result: string;
  command: string;
  /** Of its heading. */
  level?: 2 | 3;
}

/** A command or a few lines of a program, with a button that copies them. */
export function CommandBox({ title, result, command, level = 3 }: CommandBoxProps) {
  const Heading = `h${level}` as const;
  const id = useId();
  return (
    <div className="panel command-box">
      <div className="panel-head">
        <Heading id={id}>{title}</Heading>
        <span className="muted">{result}</span>
        <Button className="spread" aria-label={`Copy: ${title}`} onClick={() => void copyText(command, 'Copied.')}>
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="panel-body command-text" aria-labelledby={id} tabIndex={0}>
        <pre>{command}</pre>
      </section>
    </div>
  );
}
