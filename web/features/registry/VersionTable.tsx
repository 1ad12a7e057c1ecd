import { Link } from '@tanstack/react-router';
import { downloadArtifact, needsTokenToDownload } from '#web/api/downloadArtifact.ts';
import type { VersionRow } from './useRegistry.ts';
import { Button } from '#web/components/Button.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { HeadlineText } from './HeadlineText.tsx';

interface Actions {
  onAlias(version: VersionRow): void;
  onDelete(version: VersionRow): void;
}

/** Versions of a model or dataset, the newest first, with who made and who took them. */
export function VersionTable({ versions, ...actions }: Actions & { versions: readonly VersionRow[] }) {
  return (
    <section
      className="panel table-scroll"
      aria-label="Versions"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table model-versions">
        <thead>
          <tr>
            <th scope="col" className="number">
              Version
            </th>
            <th scope="col">Aliases</th>
            <th scope="col">Made by</th>
            <th scope="col">Its metric</th>
            <th scope="col">Files</th>
            <th scope="col">Used by</th>
            <th scope="col">Registered</th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <VersionLine key={version.id} version={version} {...actions} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function VersionLine({ version, onAlias, onDelete }: Actions & { version: VersionRow }) {
  const { number, aliases, description, stage, run, usedBy, createdAt } = version;
  return (
    <tr>
      <th scope="row" className="number">
        {number}
      </th>
      <td>
        <span className="model-aliases">
          {aliases.map((alias) => (
            <Tag key={alias} text={alias} />
          ))}
          {stage !== 'None' && <Tag text={`stage ${stage}`} />}
        </span>
      </td>
      <td>
        {run === null ? (
          <span className="muted">{version.source === '' ? 'a run that is gone' : version.source}</span>
        ) : (
          <>
            <Link className="long-name" title={run.name} to="/runs/$runId" params={{ runId: String(run.number) }}>
              #{run.number} {run.name}
            </Link>
            {run.deletedAt !== null && <span className="muted"> in the trash</span>}
          </>
        )}
        {description !== '' && (
          <div>
            <span className="muted long-name" title={description}>
              {description}
            </span>
          </div>
        )}
      </td>
      <td>
        <HeadlineText headline={run?.headline ?? null} />
      </td>
      <td>
        <Files version={version} />
      </td>
      <td>
        {usedBy.length === 0
          ? '–'
          : usedBy.map((taker) => (
              <span className="model-taker" key={taker.id}>
                <Link
                  className="long-name"
                  title={taker.name}
                  to="/runs/$runId"
                  params={{ runId: String(taker.number) }}
                >
                  #{taker.number} {taker.name}
                </Link>{' '}
                <StateBadge state={taker.state} />
              </span>
            ))}
      </td>
      <td>
        <TimeText time={createdAt} />
      </td>
      <td>
        <span className="row model-actions">
          <Button aria-label={`Alias of version ${number}`} onClick={() => onAlias(version)}>
            Alias
          </Button>
          <Button look="quiet" aria-label={`Delete version ${number}`} onClick={() => onDelete(version)}>
            Delete
          </Button>
        </span>
      </td>
    </tr>
  );
}

function Files({ version: { files, fileCount, sizeBytes } }: { version: VersionRow }) {
  if (fileCount === 0) return <>–</>;
  if (fileCount === 1 && files[0] !== undefined) return <FileLink file={files[0]} />;
  return (
    <details>
      <summary>
        {fileCount} files, {formatBytes(sizeBytes)}
      </summary>
      <ul className="model-files">
        {files.map((file) => (
          <li key={file.path}>
            <FileLink file={file} />
          </li>
        ))}
      </ul>
      {fileCount > files.length && <p className="muted">{fileCount - files.length} more</p>}
    </details>
  );
}

function FileLink({ file: { path, sizeBytes, url } }: { file: VersionRow['files'][number] }) {
  const fileName = path.split('/').at(-1) ?? path;
  const size = <span className="muted">{formatBytes(sizeBytes)}</span>;
  if (url === null) {
    return (
      <>
        <code>{path}</code> {size}
      </>
    );
  }
  if (!needsTokenToDownload()) {
    return (
      <>
        <a href={url} download={fileName}>
          <code>{path}</code>
        </a>{' '}
        {size}
      </>
    );
  }
  const download = () =>
    downloadArtifact(url, fileName).catch((error: unknown) =>
      showToast(error instanceof Error ? error.message : String(error), { error: true }),
    );
  return (
    <>
      <Button aria-label={`Download ${path}`} onClick={() => void download()}>
        <code>{path}</code>
      </Button>{' '}
      {size}
    </>
  );
}
