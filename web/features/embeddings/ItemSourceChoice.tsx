import type { ItemSource } from './embeddingMessages.ts';

export interface ItemSourceChoiceProps {
  /** Artifacts of the run that may tell of items. */
  files: readonly { name: string }[];
  /** The one that is read, empty for none; null while a file of the reader's own is. */
  current: string | null;
  ownName: string | null;
  onFile(name: string): void;
  onOwn(source: ItemSource | null): void;
}

const OWN = ' own';

/** From where the names and attributes of the items come: an artifact of the run, or a file of the reader's own. */
export function ItemSourceChoice({ files, current, ownName, onFile, onOwn }: ItemSourceChoiceProps) {
  return (
    <>
      <label className="row">
        Items
        <select
          className="input"
          value={current ?? OWN}
          onChange={(event) => onFile(event.target.value === '' ? 'none' : event.target.value)}
        >
          <option value="">Row numbers alone</option>
          {ownName !== null && <option value={OWN}>{ownName}</option>}
          {files.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="button" title="CSV, TSV, JSON or JSON-lines with a row an item; it stays in this browser">
        Open a file …
        <input
          className="visually-hidden"
          type="file"
          accept=".csv,.tsv,.json,.jsonl,.ndjson"
          aria-label="Open a file of items"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) void file.text().then((text) => onOwn({ name: file.name, text }));
          }}
        />
      </label>
    </>
  );
}
