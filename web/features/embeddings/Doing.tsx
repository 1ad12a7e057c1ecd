import { ProgressBar } from '#web/components/ProgressBar.tsx';

/** What is being computed, and how far it is. */
export function Doing({ text, done }: { text: string; done: number }) {
  return (
    <span className="row" role="status">
      {text} <ProgressBar fraction={done} label={text} />
    </span>
  );
}
