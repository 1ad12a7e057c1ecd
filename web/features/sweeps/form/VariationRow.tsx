import { useId } from 'react';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import type { SchemaField } from '#web/lib/schemaField.ts';
import {
  nameOf,
  splitValues,
  type Variation,
  wordOf,
  type DistributionName,
  FORMS,
  NUMBER_LABELS,
} from './variation.ts';

interface VariationConditionProps {
  field: SchemaField;
  variation: Variation;
  variations: readonly Variation[];
  onChange(variation: Variation): void;
}

/** Beside which values of another parameter one is drawn; nothing where no other is a list of values. */
function VariationCondition({ field, variation, variations, onChange }: VariationConditionProps) {
  const { when } = variation;
  const others = variations.filter(
    (other) => other.path !== variation.path && other.distribution === 'categorical' && !dependsOn(other, variation),
  );
  if (when === null) {
    const first = others[0];
    if (first === undefined) return null;
    return (
      <Button
        look="quiet"
        aria-label={`Draw ${field.title} only beside certain values of another parameter`}
        onClick={() => onChange({ ...variation, when: { path: first.path, values: [] } })}
      >
        only when …
      </Button>
    );
  }
  const parent = others.find((other) => other.path === when.path);
  const words = parent === undefined ? [] : (splitValues(parent.values) ?? []).map(wordOf);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out in the row
    <span className="row" role="group" aria-label={`Condition of ${field.title}`}>
      only when
      <select
        className="input"
        aria-label={`Parameter that ${field.title} depends on`}
        value={parent === undefined ? '' : when.path}
        onChange={(event) => onChange({ ...variation, when: { path: event.target.value, values: [] } })}
      >
        {parent === undefined && <option value="">choose …</option>}
        {others.map(({ path }) => (
          <option key={path} value={path}>
            {nameOf(path)}
          </option>
        ))}
      </select>
      is
      {words.map((word) => (
        <label key={word} className="check">
          <input
            type="checkbox"
            checked={when.values.includes(word)}
            onChange={({ target }) => {
              const values = words.filter((other) => (other === word ? target.checked : when.values.includes(other)));
              onChange({ ...variation, when: { path: when.path, values } });
            }}
          />
          {word}
        </label>
      ))}
      <Button look="quiet" onClick={() => onChange({ ...variation, when: null })}>
        always
      </Button>
    </span>
  );
}

/** Two parameters cannot wait for each other. */
function dependsOn(other: Variation, variation: Variation): boolean {
  return other.when?.path === variation.path;
}

export interface VariationRowProps {
  field: SchemaField;
  /** What may be chosen. */
  distributions: readonly DistributionName[];
  variation: Variation;
  /** All that the sweep varies: it may be drawn only beside certain values of another. */
  variations: readonly Variation[];
  error: string | undefined;
  onChange(variation: Variation): void;
  onRemove(): void;
}

/** One parameter that the sweep varies: its distribution and the numbers or values of it. */
export function VariationRow({
  field,
  distributions: names,
  variation,
  variations,
  error,
  onChange,
  onRemove,
}: VariationRowProps) {
  const id = useId();
  const name = field.path.slice(field.path.indexOf('.') + 1);
  const described = error === undefined ? undefined : `${id}-error`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out in the row
    <div className="variation" role="group" aria-labelledby={`${id}-name`}>
      <div className="variation-name" id={`${id}-name`} title={field.description}>
        <b>{field.title}</b> {name !== field.title && <code className="muted">{name}</code>}
      </div>
      <div className="row variation-inputs">
        {names.length > 1 && (
          <select
            className="input"
            aria-label={`Distribution of ${field.title}`}
            value={variation.distribution}
            onChange={(event) => {
              const chosen = names.find((name) => name === event.target.value);
              if (chosen !== undefined) onChange({ ...variation, distribution: chosen });
            }}
          >
            {names.map((name) => (
              <option key={name} value={name}>
                {FORMS[name].label}
              </option>
            ))}
          </select>
        )}
        {FORMS[variation.distribution].takes.map((name) => (
          <label key={name} className="check">
            {NUMBER_LABELS[name]}
            <input
              className="input variation-number"
              type="text"
              inputMode="decimal"
              autoComplete="off"
              aria-invalid={error !== undefined}
              aria-describedby={described}
              value={variation.numbers[name]}
              onChange={(event) =>
                onChange({ ...variation, numbers: { ...variation.numbers, [name]: event.target.value } })
              }
            />
          </label>
        ))}
        {variation.distribution === 'categorical' && (
          <Values
            field={field}
            variation={variation}
            invalid={error !== undefined}
            described={described}
            onChange={onChange}
          />
        )}
        <VariationCondition field={field} variation={variation} variations={variations} onChange={onChange} />
      </div>
      <Button look="quiet" icon aria-label={`Do not vary ${field.title}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </Button>
      {error !== undefined && (
        <span className="field-error variation-error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

interface ValuesProps {
  field: SchemaField;
  variation: Variation;
  invalid: boolean;
  described: string | undefined;
  onChange(variation: Variation): void;
}

/** A box for each choice of the field, or a text where it has none. */
function Values({ field, variation, invalid, described, onChange }: ValuesProps) {
  const { control } = field;
  const options = control.type === 'choice' ? control.options : control.type === 'boolean' ? [true, false] : null;
  if (options === null) {
    return (
      <input
        className="input variation-values"
        type="text"
        autoComplete="off"
        spellCheck={false}
        placeholder="16, 32, 64"
        aria-label={`Values of ${field.title}, separated by commas`}
        aria-invalid={invalid}
        aria-describedby={described}
        value={variation.values}
        onChange={(event) => onChange({ ...variation, values: event.target.value })}
      />
    );
  }
  const chosen = new Set((splitValues(variation.values) ?? []).map(String));
  return options.map((option) => (
    <label key={String(option)} className="check">
      <input
        type="checkbox"
        aria-invalid={invalid}
        aria-describedby={described}
        checked={chosen.has(String(option))}
        onChange={({ target }) => {
          const next = options.filter((other) => (other === option ? target.checked : chosen.has(String(other))));
          onChange({ ...variation, values: next.join(', ') });
        }}
      />
      {String(option)}
    </label>
  ));
}
