import type { PlainObject } from '#src/base/lib/plainObject.ts';
import type { SchemaField } from '#web/lib/schemaField.ts';
import { chosenVariant, type Drafts } from './drafts.ts';
import { FieldInput } from './FieldInput.tsx';

export interface SchemaFieldsProps {
  fields: readonly SchemaField[];
  drafts: Drafts;
  /** The values that hold where there is no draft: preset over defaults. */
  base: PlainObject;
  errors: Readonly<Record<string, string>>;
  onDraft(path: string, draft: string | null | undefined): void;
}

/** A form's fields as the schema has them; groups nest. */
export function SchemaFields(props: SchemaFieldsProps) {
  return (
    <div className="schema-fields">
      {props.fields.map((field) => (
        <FieldOrGroup key={field.path} field={field} {...props} />
      ))}
    </div>
  );
}

function FieldOrGroup({ field, ...props }: SchemaFieldsProps & { field: SchemaField }) {
  const { control } = field;
  if (control.type === 'group') {
    return (
      <fieldset className="schema-group">
        <legend>{field.title}</legend>
        {field.description !== '' && <p className="field-hint">{field.description}</p>}
        <SchemaFields {...props} fields={control.fields} />
      </fieldset>
    );
  }
  if (control.type === 'variants') {
    const chosen = chosenVariant(control, field, props);
    const variant = control.variants.find((one) => one.value === chosen);
    const choice: SchemaField = {
      ...field,
      path: `${field.path}.${control.discriminator}`,
      title: control.discriminator,
      description: '',
      nullable: false,
      defaultValue: chosen,
      control: { type: 'choice', options: control.variants.map((one) => one.value) },
    };
    return (
      <fieldset className="schema-group">
        <legend>{field.title}</legend>
        {field.description !== '' && <p className="field-hint">{field.description}</p>}
        <SchemaFields {...props} fields={[choice, ...(variant?.fields ?? [])]} />
      </fieldset>
    );
  }
  return (
    <FieldInput
      field={field}
      draft={props.drafts[field.path]}
      base={props.base}
      error={props.errors[field.path]}
      onDraft={(draft) => props.onDraft(field.path, draft)}
    />
  );
}
