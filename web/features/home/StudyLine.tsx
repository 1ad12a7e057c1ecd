import { Link } from '@tanstack/react-router';
import type { HomeBundle } from './useHome.ts';
import { useStudyVerdicts } from '#web/features/studies/useStudyVerdicts.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { BundledRuns } from './BundledRuns.tsx';
import { NewestError } from './NewestError.tsx';
import { RunTime } from './RunTime.tsx';
import { studyOutcome } from './studyOutcome.ts';

interface StudyLineProps {
  bundle: HomeBundle;
  /** Its name. */
  study: string;
  /** Of the list in which it stands. */
  filter: string;
}

/** All runs of a study that a list of the home page has, in one line, with what they say of the study. */
export function StudyLine({ bundle, study, filter }: StudyLineProps) {
  const { newest } = bundle;
  const verdicts = useStudyVerdicts(study);
  const outcome = verdicts === undefined ? '' : studyOutcome(verdicts);
  return (
    <li className="home-line">
      <StateBadge state={newest.state} />
      <span className="home-run">
        <Link className="home-name" to="/reproductions/$" params={{ _splat: study }} title={newest.project.name}>
          Study {study}
        </Link>
        <BundledRuns bundle={bundle} filter={`tag = "study:${study}" and ${filter}`} />
      </span>
      <span className="home-outcome">
        {bundle.failedCount > 0 ? (
          <NewestError run={newest} />
        ) : (
          <>
            {outcome !== '' && <span className="home-verdicts">{outcome} </span>}
            <Link className="home-name" to="/runs/$runId" params={{ runId: newest.id }} title={newest.name}>
              newest: #{newest.number} {newest.name}
            </Link>
          </>
        )}
      </span>
      <RunTime run={newest} />
    </li>
  );
}
