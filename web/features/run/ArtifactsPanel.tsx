import { downloadArtifact, needsTokenToDownload } from '#web/api/downloadArtifact.ts';
import type { RunDetail } from '#web/api/useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';

type Artifact = RunDetail['artifacts'][number];

/** The files that the run left. */
export function ArtifactsPanel({ run }: { run: RunDetail }) {
  if (run.artifacts.length === 0) return <EmptyState title="No artifacts" />;
  return (
    <div className="panel table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Type</th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col" className="number">
              Step
            </th>
            <th scope="col">sha256</th>
            <th scope="col">Written</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {run.artifacts.map((artifact) => (
            <tr key={artifact.id}>
              <th scope="row">
                <code>{artifact.name}</code>
              </th>
              <td>{artifact.role}</td>
              <td>{artifact.mediaType}</td>
              <td className="number">{formatBytes(artifact.sizeBytes)}</td>
              <td className="number">{artifact.step === null ? '–' : formatCount(artifact.step)}</td>
              <td title={artifact.sha256}>
                <code>{artifact.sha256.slice(0, 12)}</code>
              </td>
              <td>
                <TimeText time={artifact.createdAt} />
              </td>
              <td>
                <Download artifact={artifact} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Download({ artifact }: { artifact: Artifact }) {
  const fileName = artifact.name.split('/').at(-1) ?? artifact.name;
  const label = `Download ${artifact.name}`;
  if (!needsTokenToDownload()) {
    return (
      <a href={artifact.url} download={fileName} aria-label={label}>
        Download
      </a>
    );
  }
  const download = () =>
    downloadArtifact(artifact.url, fileName).catch((error: unknown) =>
      showToast(error instanceof Error ? error.message : String(error), { error: true }),
    );
  return (
    <Button aria-label={label} onClick={() => void download()}>
      Download
    </Button>
  );
}
