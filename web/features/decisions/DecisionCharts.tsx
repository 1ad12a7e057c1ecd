import type { DecisionDetail } from './useDecision.ts';
import { BoundaryChart } from '#web/charts/BoundaryChart.tsx';

/** The running picture: the difference with its interval, and t beside its boundary, look by look. */
export function DecisionCharts({ decision }: { decision: DecisionDetail }) {
  const { looks, plannedLooks, atMost, metric } = decision;
  const differences = looks.map(({ pairs, difference, low, high }) => ({ x: pairs, y: difference, low, high }));
  const statistics = looks.flatMap(({ pairs, t }) => (t === null ? [] : [{ x: pairs, y: t }]));
  const boundary = plannedLooks.map(({ pairs, boundary: y }) => ({ x: pairs, y }));
  return (
    <div className="decision-charts">
      <figure className="panel panel-body">
        <figcaption>
          <h2>Difference, A − B</h2>
        </figcaption>
        <BoundaryChart
          points={differences}
          lastX={atMost}
          label={`Difference in ${metric} with its interval after each look`}
          xTitle="pairs"
          yTitle="A − B"
        />
        <p className="muted">Intervals hold at all looks together; it is decided when one leaves 0 out.</p>
      </figure>
      <figure className="panel panel-body">
        <figcaption>
          <h2>t beside its boundary</h2>
        </figcaption>
        <BoundaryChart
          points={statistics}
          boundary={boundary}
          lastX={atMost}
          label="The statistic t after each look, and the boundary from which it decides"
          xTitle="pairs"
          yTitle="t"
        />
        <p className="muted">Dashed: the least t that decides. Early boundaries lie beyond the frame.</p>
      </figure>
    </div>
  );
}
