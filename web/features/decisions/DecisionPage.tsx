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
import { formatNumber } from '#web/lib/formatNumber.ts';
import { DecisionCharts } from './DecisionCharts.tsx';
import { decisionSentence, savingSentence } from './decisionSentence.ts';
import { LookTable, PairTable } from './DecisionTables.tsx';
import './decision.css';

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
