import { verdictWords } from '#src/base/lib/groupedTable.ts';
import { Icon } from '#web/components/Icon.tsx';
import { DifferencePicture } from './DifferencePicture.tsx';
import type { differenceScale } from './differenceScale.ts';
import type { JudgedTest } from './judgedTest.ts';

/** The class of a cell with a verdict. */
export function verdictClass({ verdict }: JudgedTest): string | undefined {
  return verdict === 'better' ? 'compare-best' : verdict === 'undecided' ? 'muted' : undefined;
}

export function VerdictWord({ verdict }: JudgedTest) {
  return (
    <>
      {verdict === 'better' && <Icon name="star" size={11} />}
      {verdictWords(verdict)}
    </>
  );
}

/** A difference with its interval, drawn; the numbers are read aloud and shown by the pointer. */
export function IntervalCell({ judged, scale }: { judged: JudgedTest; scale: ReturnType<typeof differenceScale> }) {
  return (
    <td>
      <span className="verdict-interval" title={judged.interval}>
        {scale !== null && <DifferencePicture {...judged.values} verdict={judged.verdict} scale={scale} />}
        <span className="visually-hidden">{judged.interval}</span>
      </span>
    </td>
  );
}
