import { Link } from '@tanstack/react-router';
import type { RunDetail } from './useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';
import { ValueTable } from './ValueTable.tsx';

/** What the run executes: parameters with all defaults, dataset with its preprocessing, inputs. */
export function ConfigurationPanel({ run }: { run: RunDetail }) {
  const { configuration } = run;
  const json = () => JSON.stringify({ parameters: configuration.parameters, dataset: configuration.dataset }, null, 2);
  return (
    <div className="stack">
      <div className="row">
        <ConfigurationMark hash={configuration.hash} />
        <Button onClick={() => void copyText(json(), 'Configuration copied as JSON.')}>Copy as JSON</Button>
      </div>
      <div className="run-columns">
        <ValueTable title="Parameters" values={asPlainObject(configuration.parameters)} empty="This kind has none." />
        {configuration.dataset !== null && (
          <ValueTable title="Dataset" values={asPlainObject(configuration.dataset)} empty="None." />
        )}
        {run.inputs.length > 0 && <Inputs inputs={run.inputs} />}
      </div>
    </div>
  );
}

function Inputs({ inputs }: { inputs: RunDetail['inputs'] }) {
  return (
    <section className="panel" aria-labelledby="inputs-title">
      <h2 className="panel-head" id="inputs-title">
        Inputs
      </h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">From run</th>
            <th scope="col">Artifact</th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input) => (
            <tr key={input.name}>
              <th scope="row">{input.name}</th>
              <td>
                <Link to="/runs/$runId" params={{ runId: input.sourceRunId }}>
                  {input.sourceRunId.slice(0, 8)}
                </Link>
              </td>
              <td>
                <code>{input.artifactName}</code>
                {input.version !== null && (
                  <>
                    {' '}
                    as{' '}
                    <Link to="/models/$name" params={{ name: input.version.split(':')[0] ?? '' }}>
                      {input.version}
                    </Link>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
