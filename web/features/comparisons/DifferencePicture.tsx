import type { Verdict } from '#src/statistics/verdict.ts';

export interface DifferencePictureProps {
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
export function DifferencePicture({ difference, low, high, verdict, scale }: DifferencePictureProps) {
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
