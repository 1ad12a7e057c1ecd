/** The version and what it changes, as its changelog says. */
export function ChangesSection({ version, changes }: { version: string; changes: string }) {
  return (
    <section className="panel" aria-labelledby="changes-title">
      <div className="panel-head">
        <h2 id="changes-title">Version {version}</h2>
      </div>
      <div className="panel-body">
        {changes === '' ? (
          <p className="muted">What it changes is not known here: its changelog is not beside the programs.</p>
        ) : (
          blocksOf(changes).map(({ title, points }) => (
            <div key={title}>
              <h3>{title}</h3>
              <ul className="admin-changes">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </div>
          ))
        )}
      </div>
    </section>
  );
}

/** Heads with their points; a point's further lines are joined, its marks for code left out. */
function blocksOf(changes: string): { title: string; points: string[] }[] {
  const [name = '', ...lines] = changes.split('\n');
  const blocks: { title: string; points: string[] }[] = [{ title: name, points: [] }];
  for (const line of lines) {
    const block = blocks.at(-1);
    const text = line.trim().replaceAll(/[`*]/g, '');
    if (line.startsWith('### ')) blocks.push({ title: text.slice(4), points: [] });
    else if (line.startsWith('- ')) block?.points.push(text.slice(2));
    else if (text !== '' && block !== undefined && block.points.length > 0) {
      block.points[block.points.length - 1] += ` ${text}`;
    }
  }
  return blocks.filter(({ points }) => points.length > 0);
}
