import { asPlainObject } from '#src/base/lib/plainObject.ts';
import { useContent } from './useContent.ts';

const MOST_BYTES = 200_000;

/** An uploaded text as it is. */
export function PlainText({ url }: { url: string }) {
  const { data, error } = useContent(url, MOST_BYTES);
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (data === undefined) return <p className="empty">Loading …</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className="media-text" tabIndex={0}>
        {new TextDecoder().decode(data.bytes)}
      </pre>
      {!data.whole && <Rest url={url} />}
    </>
  );
}

/** A text that stands in the metadata. */
export function ShortText({ metadata }: { metadata: unknown }) {
  const { text } = asPlainObject(metadata);
  if (typeof text !== 'string') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <pre className="media-text" tabIndex={0}>
      {text}
    </pre>
  );
}

/** Uploaded JSON, indented. @param note Why it is not drawn. */
export function JsonText({ url, note }: { url: string; note?: string }) {
  const { data, error } = useContent(url, MOST_BYTES);
  if (error !== null) return <p className="danger-text">{error.message}</p>;
  if (data === undefined) return <p className="empty">Loading …</p>;
  return (
    <>
      {note !== undefined && <p className="muted">{note}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre className="media-text" tabIndex={0}>
        {indented(new TextDecoder().decode(data.bytes))}
      </pre>
      {!data.whole && <Rest url={url} />}
    </>
  );
}

function Rest({ url }: { url: string }) {
  return (
    <p>
      This is the beginning.{' '}
      <a href={url} target="_blank" rel="noreferrer">
        Open all of it
      </a>
    </p>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
