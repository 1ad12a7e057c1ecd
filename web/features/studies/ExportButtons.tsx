import { exportStudy } from './useStudies.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';
import type { StudyFormat } from '#web/generated/graphql.ts';
import { saveFile } from '#web/lib/saveFile.ts';

const FORMATS: readonly { format: StudyFormat; label: string; ending: string; type: string; ofTables?: true }[] = [
  { format: 'MARKDOWN', label: 'Markdown', ending: 'md', type: 'text/markdown' },
  { format: 'LATEX', label: 'LaTeX', ending: 'tex', type: 'application/x-tex', ofTables: true },
  { format: 'CSV', label: 'CSV', ending: 'csv', type: 'text/csv', ofTables: true },
  { format: 'JSON', label: 'JSON', ending: 'json', type: 'application/json' },
];

/** Saves the study as a file. */
export function ExportButtons({ name, hasTable }: { name: string; hasTable: boolean }) {
  const save = async ({ format, ending, type }: (typeof FORMATS)[number]) => {
    try {
      const text = await exportStudy(name, format);
      saveFile(new Blob([text], { type }), `${name.replaceAll('/', '-')}.${ending}`);
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), { error: true });
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line of controls
    <div className="study-exports" role="group" aria-label="Export">
      {FORMATS.filter(({ ofTables }) => hasTable || ofTables !== true).map((format) => (
        <Button key={format.format} title={`Save as ${format.label}`} onClick={() => void save(format)}>
          {format.label}
        </Button>
      ))}
    </div>
  );
}
