import { useId } from 'react';
import { Button } from '#web/components/Button.tsx';
import { joinClasses } from '#web/lib/joinClasses.ts';
import { limitsInWords, writeFieldText } from '#web/lib/fieldText.ts';
import { type PlainObject, valueAt } from '#src/base/lib/plainObject.ts';
import type { SchemaField } from '#web/lib/schemaField.ts';

export interface FieldInputProps {
  field: SchemaField;
  /** What was typed; undefined where the field was left alone. */
  draft: string | null | undefined;
  base: PlainObject;
  error: string | undefined;
  /** Undefined takes back what was typed. */
  onDraft(draft: string | null | undefined): void;
  /** Offered values of a text field. */
  suggestions?: readonly string[];
}

/** One parameter: name, control, what it means, its range, and what is wrong with it. */
export function FieldInput({ field, draft, base, error, onDraft, suggestions }: FieldInputProps) {
  const id = useId();
  const held = valueAt(base, field.path) ?? field.defaultValue;
  const none = field.nullable && (draft === null || (draft === undefined && (held === null || held === undefined)));
  const text = draft ?? writeFieldText(field.control, held);
  const name = field.path.slice(field.path.indexOf('.') + 1);
  const described = joinClasses(`${id}-hint`, error !== undefined && `${id}-error`);
  const shared = {
    id,
    'aria-describedby': described,
    'aria-invalid': error !== undefined,
    disabled: none,
  };
  return (
    <div className={joinClasses('field', draft !== undefined && 'field-changed')}>
      <div className="row field-line">
        <label className="field-label" htmlFor={id}>
          {field.title}
        </label>
        {field.title.toLowerCase() !== name && <code className="muted">{name}</code>}
        {draft !== undefined && (
          <Button look="quiet" className="field-reset" onClick={() => onDraft(undefined)}>
            Reset
          </Button>
        )}
      </div>
      <div className="row field-line">
        <Control field={field} text={none ? '' : text} shared={shared} onText={onDraft} suggestions={suggestions} />
        {field.nullable && (
          <label className="check">
            <input
              type="checkbox"
              checked={none}
              onChange={(event) => onDraft(event.target.checked ? null : startText(field, held))}
            />
            none
            <span className="visually-hidden"> for {field.title}</span>
          </label>
        )}
      </div>
      <span className="field-hint" id={`${id}-hint`}>
        {[field.description, hintOf(field)].filter((part) => part !== '').join(' ')}
      </span>
      {error !== undefined && (
        <span className="field-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface ControlProps {
  field: SchemaField;
  text: string;
  shared: { id: string; 'aria-describedby': string; 'aria-invalid': boolean; disabled: boolean };
  onText(text: string): void;
  suggestions: readonly string[] | undefined;
}

function Control({ field, text, shared, onText, suggestions }: ControlProps) {
  const { control } = field;
  if (control.type === 'boolean') {
    return (
      <input
        type="checkbox"
        {...shared}
        checked={text === 'true'}
        onChange={(event) => onText(String(event.target.checked))}
      />
    );
  }
  if (control.type === 'choice') {
    return (
      <select className="input" {...shared} value={text} onChange={(event) => onText(event.target.value)}>
        {text === '' && <option value="">–</option>}
        {control.options.map((option) => (
          <option key={String(option)} value={String(option)}>
            {String(option)}
          </option>
        ))}
      </select>
    );
  }
  const isNumber = control.type === 'number';
  return (
    <>
      <input
        className={joinClasses('input', isNumber ? 'field-number' : 'field-text', control.type === 'json' && 'mono')}
        type="text"
        inputMode={isNumber ? 'decimal' : undefined}
        autoComplete="off"
        spellCheck={false}
        list={suggestions === undefined ? undefined : `${shared.id}-list`}
        {...shared}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${shared.id}-list`}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** With what a field begins that was none. */
function startText(field: SchemaField, held: unknown): string {
  if (held !== null && held !== undefined) return writeFieldText(field.control, held);
  const { control } = field;
  if (control.type === 'choice') return String(control.options[0] ?? '');
  if (control.type === 'boolean') return 'false';
  return control.type === 'number' ? String(control.minimum ?? 0) : '';
}

function hintOf(field: SchemaField): string {
  const { control } = field;
  switch (control.type) {
    case 'number': {
      const limits = limitsInWords(control);
      const whole = control.integer ? 'Whole number' : 'Number';
      return limits === '' ? '' : `${whole}, ${limits}.`;
    }
    case 'numberList':
      return 'Numbers, separated by commas.';
    case 'textList':
      return 'Separated by commas.';
    case 'json':
      return 'JSON.';
    default:
      return '';
  }
}
