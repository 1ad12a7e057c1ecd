import { useDatasets } from '#web/features/shared/useCatalog.ts';
import { FieldInput } from './FieldInput.tsx';
import { SchemaFields, type SchemaFieldsProps } from './SchemaFields.tsx';

/** The dataset's fields, its name with the known ones offered. */
export function DatasetFields({ fields, ...schema }: SchemaFieldsProps) {
  const { data: datasets = [] } = useDatasets();
  const isName = (path: string) => path === 'dataset.name';
  const rest = fields.filter((field) => !isName(field.path));
  const changed = [...Object.keys(schema.drafts), ...Object.keys(schema.errors)].some(
    (path) => path.startsWith('dataset.') && !isName(path),
  );
  return (
    <div className="stack">
      {fields
        .filter((field) => isName(field.path))
        .map((field) => (
          <FieldInput
            key={field.path}
            field={field}
            draft={schema.drafts[field.path]}
            base={schema.base}
            error={schema.errors[field.path]}
            onDraft={(draft) => schema.onDraft(field.path, draft)}
            suggestions={datasets.map((dataset) => dataset.name)}
          />
        ))}
      {rest.length > 0 && (
        <details className="new-run-more" open={changed || undefined}>
          <summary>Filtering and split</summary>
          <SchemaFields {...schema} fields={rest} />
        </details>
      )}
    </div>
  );
}
