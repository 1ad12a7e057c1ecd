import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type StudyDetails, useStudy } from './useStudies.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { ClaimList } from './ClaimList.tsx';
import { ExportButtons } from './ExportButtons.tsx';
import { QueueStudyDialog } from './QueueStudyDialog.tsx';
import { StudyFigures } from './StudyFigures.tsx';
import { StudyTable } from './StudyTable.tsx';
import { VerdictMark } from './VerdictMark.tsx';
import './reproductions.css';

/** A table or a figure of a paper beside what its runs have measured. */
export function StudyPage() {
  const { _splat: name = '' } = useParams({ strict: false });
  useTitle(name);
  const { data: study, error, refetch } = useStudy(name);
  if (error !== null && !isNetworkError(error)) {
    return (
      <div className="page">
        <h1>{name}</h1>
        <ErrorNotice title="The study cannot be shown." error={error} onRetry={() => void refetch()} />
        <p>
          <Link to="/reproductions">All reproductions</Link>
        </p>
      </div>
    );
  }
  if (study === undefined) return <Loading what={name} />;
  return (
    <div className="page">
      <StudyHead study={study} />
      {study.cells.length > 0 && <StudyTable study={study} />}
      {study.figures.length > 0 && <StudyFigures figures={study.figures} />}
      {study.claims.length > 0 && <ClaimList claims={study.claims} />}
      {study.audits.length > 0 && <Audits audits={study.audits} />}
      <Provenance provenance={study.provenance} />
    </div>
  );
}

function StudyHead({ study }: { study: StudyDetails }) {
  const { name, title, source, notes, notRunnable, state, paperReference } = study;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <div className="page-head study-head">
        <div>
          <p className="muted">
            <Link to="/reproductions">Reproductions</Link> / {name}
          </p>
          <h1>{title}</h1>
        </div>
        <div className="study-actions">
          {notRunnable === null && (
            <Button look="primary" onClick={() => setAsking(true)}>
              Queue runs…
            </Button>
          )}
          <ExportButtons name={name} hasTable={study.cells.length > 0} />
        </div>
      </div>
      <section className="panel panel-body study-about" aria-label="About">
        <p>
          <VerdictMark verdict={state} /> {source}. {paperReference}
        </p>
        {notes !== '' && <p>{withCode(notes)}</p>}
        {notRunnable !== null && <p>Cannot be run: {notRunnable}.</p>}
      </section>
      {asking && <QueueStudyDialog study={study} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Text in which backticks mark names of settings. */
function withCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change their order
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function Audits({ audits }: { audits: StudyDetails['audits'] }) {
  return (
    <section className="panel panel-body" aria-labelledby="audits">
      <h2 id="audits">Computed again</h2>
      <ul className="study-plain">
        {audits.map(({ arm, seed, first, again, agrees, reason }) => (
          <li key={again}>
            <VerdictMark verdict={agrees === null ? 'RUNNING' : agrees ? 'AGREES' : 'DIFFERS'} /> {arm}, seed {seed}:{' '}
            <Link to="/runs/$runId" params={{ runId: String(again) }}>
              run {again}
            </Link>{' '}
            repeats{' '}
            <Link to="/runs/$runId" params={{ runId: String(first) }}>
              run {first}
            </Link>
            {reason === '' ? '' : `: ${reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Provenance({ provenance: { commits, machines, from, to } }: Pick<StudyDetails, 'provenance'>) {
  if (from === null || to === null) return null;
  const days = [...new Set([from.slice(0, 10), to.slice(0, 10)])].join(' to ');
  const code = commits.map((commit) => commit.slice(0, 12)).join(', ');
  return (
    <p className="muted">
      Computed {days}
      {code !== '' && ` by ${code}`}
      {machines.length > 0 && ` on ${machines.join(', ')}`}.
    </p>
  );
}
