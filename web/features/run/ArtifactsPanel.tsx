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
import { ApiError } from '#web/api/apiError.ts';
import { useRegister } from '#web/features/registry/useRegistry.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { SettingInput } from '../newRun/SettingInput.tsx';

const TYPES = [
  { value: 'model', label: 'Model' },
  { value: 'dataset', label: 'Dataset' },
] as const;

/** Registers an artifact, or the folder that it is in, as the next version of a model or dataset. */
function RegisterDialog({ runId, artifact, onClose }: { runId: string; artifact: string; onClose(): void }) {
  const folder = artifact.includes('/') ? artifact.slice(0, artifact.lastIndexOf('/')) : null;
  const [name, setName] = useState('');
  const [aliases, setAliases] = useState('');
  const [type, setType] = useState<'model' | 'dataset'>('model');
  const [whole, setWhole] = useState(false);
  const mutation = useRegister();
  const path = mutation.error instanceof ApiError ? (mutation.error.path ?? '') : '';
  const errorOf = (field: string) => (path.startsWith(field) ? mutation.error?.message : undefined);
  const isShown = errorOf('name') !== undefined || errorOf('aliases') !== undefined;
  const submit = () => {
    const input = {
      ...{ name, type, runId, artifactName: whole ? folder : artifact },
      aliases: aliases.split(/[\s,]+/).filter((alias) => alias !== ''),
    };
    mutation.mutate(input, {
      onSuccess: (version) => {
        showToast(`It is version ${version.number} of ${version.name}.`);
        onClose();
      },
    });
  };
  return (
    <Dialog title={`Register ${artifact}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SettingInput
          label="Name"
          hint="Of the model or dataset; a new one is made."
          value={name}
          error={errorOf('name')}
          onChange={setName}
        />
        <Segments<'model' | 'dataset'> label="What it is" options={TYPES} value={type} onChange={setType} />
        <SettingInput
          label="Aliases"
          hint="Such as production; they point here from now on."
          value={aliases}
          error={errorOf('aliases')}
          onChange={setAliases}
        />
        {folder !== null && (
          <label className="row">
            <input type="checkbox" checked={whole} onChange={({ target }) => setWhole(target.checked)} />
            All files in {folder}/
          </label>
        )}
        {mutation.error !== null && !isShown && <ErrorNotice title="Not registered." error={mutation.error} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending || name.trim() === ''}>
            Register
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

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
