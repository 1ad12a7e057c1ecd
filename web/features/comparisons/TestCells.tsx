import { verdictWords } from '#src/base/lib/groupedTable.ts';
import { Icon } from '#web/components/Icon.tsx';
import type { Verdict } from '#src/statistics/verdict.ts';
import type { differenceScale } from './differenceScale.ts';
import type { JudgedTest } from './judgedTest.ts';

interface DifferencePictureProps {
  difference: number;
  low: number;
  high: number;
  verdict: Verdict;
  scale(value: number): number;
}

const WIDTH = 200;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
const CAP = 3;

/** A difference from the baseline with its interval; zero is the dashed line. The dot is hollow while nothing is decided. */
function DifferencePicture({ difference, low, high, verdict, scale }: DifferencePictureProps) {
  const at = (value: number) => WIDTH * scale(value);
  return (
    <svg className={`difference-picture difference-${verdict}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <line className="difference-zero" x1={at(0)} x2={at(0)} y1="0" y2={HEIGHT} />
      <line x1={at(low)} x2={at(high)} y1={MIDDLE} y2={MIDDLE} />
      <line x1={at(low)} x2={at(low)} y1={MIDDLE - CAP} y2={MIDDLE + CAP} />
      <line x1={at(high)} x2={at(high)} y1={MIDDLE - CAP} y2={MIDDLE + CAP} />
      <circle cx={at(difference)} cy={MIDDLE} r="4" />
    </svg>
  );
}

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
