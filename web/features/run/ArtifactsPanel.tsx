import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { downloadArtifact, needsTokenToDownload } from '#web/api/downloadArtifact.ts';
import type { RunDetail } from './useRun.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { isEmbeddingFile } from '../embeddings/embeddingFiles.ts';
import { ArtifactPreview, previewForm } from './ArtifactPreview.tsx';
import { RegisterDialog } from './RegisterDialog.tsx';

type Artifact = RunDetail['artifacts'][number];

/** The files that the run left. */
export function ArtifactsPanel({ run }: { run: RunDetail }) {
  const [registered, setRegistered] = useState<string | null>(null);
  const hasVersions = run.registeredVersions.length + run.usedVersions.length > 0;
  if (run.artifacts.length === 0 && !hasVersions) return <EmptyState title="No artifacts" />;
  return (
    <>
      {hasVersions && <Versions run={run} />}
      {run.artifacts.length > 0 && <ArtifactTable run={run} onRegister={setRegistered} />}
      {registered !== null && (
        <RegisterDialog runId={run.id} artifact={registered} onClose={() => setRegistered(null)} />
      )}
    </>
  );
}

/** The registered versions that the run made and took. */
function Versions({ run: { registeredVersions, usedVersions } }: { run: RunDetail }) {
  const lines = [
    ...registeredVersions.map((version) => ({ ...version, what: 'Made' })),
    ...usedVersions.map((version) => ({ ...version, what: 'Took' })),
  ];
  return (
    <ul className="panel run-versions" aria-label="Versions of models and datasets">
      {lines.map(({ what, name, number, aliases }) => (
        <li key={`${what} ${name}:${number}`}>
          {what}{' '}
          <Link to="/models/$name" params={{ name }}>
            {name}:{number}
          </Link>
          {aliases.map((alias) => ` @${alias}`)}
        </li>
      ))}
    </ul>
  );
}

function ArtifactTable({ run, onRegister }: { run: RunDetail; onRegister(name: string): void }) {
  const mayWrite = useMayWrite();
  const { artifacts } = run;
  const bytes = new Map(artifacts.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]));
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  return (
    <div className="panel table-scroll">
      <table className="table">
        <caption className="artifacts-caption">
          {`${formatCount(artifacts.length)} ${artifacts.length === 1 ? 'file' : 'files'}, ${formatBytes(total)}`}
        </caption>
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
          {artifacts.map((artifact) => (
            <ArtifactRows
              key={artifact.id}
              artifact={artifact}
              runNumber={run.number}
              onRegister={mayWrite ? () => onRegister(artifact.name) : null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ArtifactRowsProps {
  artifact: Artifact;
  runNumber: number;
  /** Null for readers. */
  onRegister: (() => void) | null;
}

/** A file, and under it its beginning where that is asked for. */
function ArtifactRows({ artifact, runNumber, onRegister }: ArtifactRowsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr>
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
          <span className="row artifacts-actions">
            {previewForm(artifact) !== null && (
              <Button
                look="quiet"
                aria-expanded={isOpen}
                aria-label={`Preview ${artifact.name}`}
                onClick={() => setOpen(!isOpen)}
              >
                Preview
              </Button>
            )}
            {isEmbeddingFile(artifact.name) && (
              <Link
                to="/embeddings"
                search={{ run: String(runNumber), artifact: artifact.name }}
                aria-label={`Map ${artifact.name}`}
                title="Draws the vectors as a map, with what is near what"
              >
                Map
              </Link>
            )}
            <Download artifact={artifact} />
            {onRegister !== null && (
              <Button aria-label={`Register ${artifact.name}`} onClick={onRegister}>
                Register
              </Button>
            )}
          </span>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td className="artifact-preview" colSpan={8}>
            <ArtifactPreview artifact={artifact} />
          </td>
        </tr>
      )}
    </>
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
