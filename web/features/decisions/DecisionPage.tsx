import { Link, useParams } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type DecisionDetail, useCancelDecision, useDecision } from './useDecision.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Announcer } from '#web/components/Announcer.tsx';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { BoundaryChart } from '#web/charts/BoundaryChart.tsx';
import { LookTable, PairTable } from './DecisionTables.tsx';
import './decision.css';

/** The running picture: the difference with its interval, and t beside its boundary, look by look. */
function DecisionCharts({ decision }: { decision: DecisionDetail }) {
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

/** What has come out, in a sentence; empty while it goes on. */
function decisionSentence({ state, better, a, b, metric, looks, reason }: DecisionDetail): string {
  const look = looks.at(-1);
  const p = look?.p == null ? '' : ` (p ${formatProbability(look.p)} over all looks)`;
  switch (state) {
    case 'RUNNING':
      return '';
    case 'DECIDED': {
      const [first, second] = better === 'B' ? [b, a] : [a, b];
      const how = better === null ? 'differs from' : 'is better than';
      const size = formatNumber(Math.abs(look?.difference ?? Number.NaN));
      return `${first.label} ${how} ${second.label} in ${metric}, by ${size}${p}.`;
    }
    case 'FUTILE':
      return `Futile: ${reason}${p}.`;
    case 'UNDECIDED':
      return `Not decided: ${reason}${p}.`;
    default:
      return `${reason}.`;
  }
}

/** What it took beside a single test; empty while nobody knows. */
function savingSentence({ pairsSaved, fixedPairs }: DecisionDetail): string {
  if (pairsSaved === null) return '';
  const single = `the ${fixedPairs} of a single test with the same alpha and power for the same difference`;
  if (pairsSaved === 0) return `As many pairs as ${single}.`;
  const count = Math.abs(pairsSaved);
  return `${count} ${count === 1 ? 'pair' : 'pairs'} ${pairsSaved > 0 ? 'fewer' : 'more'} than ${single}.`;
}

/** One adaptive comparison: what it has decided, and how it came there. */
export function DecisionPage() {
  const { decisionId } = useParams({ from: '/decisions/$decisionId' });
  const { data: decision, error, refetch } = useDecision(decisionId);
  useTitle(decision ? `Decision ${decision.number}, ${decision.metric}` : 'Decision');
  const failed = error !== null && !isNetworkError(error);
  return (
    <div className="page">
      {(failed || decision === null) && <h1>Adaptive comparison</h1>}
      {failed && <ErrorNotice title="The decision cannot be read." error={error} onRetry={() => void refetch()} />}
      {decision === undefined && !failed && <Loading what="decision" />}
      {decision === null && (
        <EmptyState title={`There is no decision ${decisionId}`}>
          <Link to="/decisions">All adaptive comparisons</Link>
        </EmptyState>
      )}
      {decision && <LoadedDecision decision={decision} />}
    </div>
  );
}

function LoadedDecision({ decision }: { decision: DecisionDetail }) {
  const sentence = decisionSentence(decision);
  const saving = savingSentence(decision);
  return (
    <>
      <Announcer text={`Decision ${decision.number} is ${decision.state.toLowerCase()}. ${sentence}`} />
      <Header decision={decision} />
      {sentence !== '' && (
        <section className="panel panel-body decision-end" aria-label="Outcome">
          <p>
            <strong>{sentence}</strong>
          </p>
          {saving !== '' && <p className="muted">{saving}</p>}
        </section>
      )}
      <DecisionCharts decision={decision} />
      {decision.looks.length > 0 && <LookTable decision={decision} />}
      <PairTable decision={decision} />
    </>
  );
}

function Header({ decision }: { decision: DecisionDetail }) {
  const { number, state, metric, a, b, alpha, power, effect, atMost, pairs, project, createdAt, endedAt } = decision;
  const mayWrite = useMayWrite();
  const cancel = useCancelDecision();
  const there = pairs.filter(({ valueA }) => valueA !== null).length;
  const runs = pairs.flatMap(({ runA, runB }) => [runA, runB]).flatMap((run) => (run === null ? [] : [run.number]));
  return (
    <header className="stack">
      <div className="page-head">
        <h1>{metric}</h1>
        <span className="muted">decision {number}</span>
        <StateBadge state={state} />
        {state === 'RUNNING' && (
          <div className="row spread">
            <Button
              disabled={!mayWrite || cancel.isPending}
              onClick={() =>
                cancel.mutate(decision.id, { onError: (error) => showToast(error.message, { error: true }) })
              }
            >
              Cancel
            </Button>
          </div>
        )}
      </div>
      <div className="progress-line">
        <ProgressBar
          fraction={there / atMost}
          label="Pairs that are there"
          look={state === 'RUNNING' ? 'running' : state === 'DECIDED' ? 'done' : 'stopped'}
        />
        <span>
          {there} of at most {atMost} pairs
        </span>
      </div>
      <div className="decision-facts">
        <Facts
          facts={[
            ['A', a.label],
            ['B', b.label],
          ]}
        />
        <Facts
          facts={[
            ['Alpha', String(alpha)],
            ['Power', `${power} for a difference of ${formatNumber(effect, 3)} standard deviations of a pair`],
          ]}
        />
        <Facts
          facts={[
            ['Project', project.name],
            ['Started', <TimeText key="started" time={createdAt} />],
            ['Ended', endedAt === null ? '–' : <TimeText key="ended" time={endedAt} />],
            [
              'Runs',
              <Link key="runs" to="/compare" search={{ runs: runs.join(','), tested: metric }}>
                compared
              </Link>,
            ],
          ]}
        />
      </div>
    </header>
  );
}
