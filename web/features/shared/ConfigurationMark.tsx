import './configurationMark.css';

const HUES = 12;

/** A configuration's short hash with a colour of its own, so that replicates are seen at a glance. */
export function ConfigurationMark({ hash }: { hash: string }) {
  const hue = (Number.parseInt(hash.slice(0, 6), 16) || 0) % HUES;
  return (
    <span className="configuration-mark" title={`Configuration ${hash}`}>
      <span className="configuration-swatch" style={{ background: `hsl(${hue * (360 / HUES)} 55% 50%)` }} />
      <code>{hash.slice(0, 7)}</code>
    </span>
  );
}
