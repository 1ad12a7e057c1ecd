import { allKinds } from '#src/catalog/kinds.ts';
import { metricsOfAddedKind } from '#src/catalog/modules/addedContent.ts';
import { moduleReports } from '#src/base/platform/kindModules/loadedModules.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { renderTable } from '#src/base/terminal/table.ts';

/** The body of `warren kinds`. */
export function listKinds({ terminal }: CommandContext, json: boolean): void {
  const modules = moduleReports();
  const listed = allKinds().map(({ kind, version, title, description, data, presets, primaryMetric }) => ({
    kind,
    version,
    title,
    description,
    data,
    primaryMetric,
    presets: presets.map(({ name }) => name),
    /** Those that its module declares. */
    metrics: metricsOfAddedKind(kind),
    /** Null for Warren's own. */
    module: modules.find(({ kinds }) => kinds.includes(kind))?.module ?? null,
  }));
  if (json) {
    terminal.print(JSON.stringify(listed, null, 2));
    return;
  }
  const rows = listed.map(({ kind, title, data, presets, module }) => [
    kind,
    title,
    data,
    String(presets.length),
    ...(modules.length > 0 ? [module ?? ''] : []),
  ]);
  const headers = [
    { header: 'KIND' },
    { header: 'TITLE', minimum: 12 },
    { header: 'DATA' },
    { header: 'PRESETS' },
    ...(modules.length > 0 ? [{ header: 'MODULE', minimum: 12 }] : []),
  ];
  const options = { width: terminal.width(), styleHeader: terminal.colours.bold };
  terminal.print(renderTable(headers, rows, options).join('\n'));
}
