import { Button } from '#web/components/Button.tsx';
import type { SchemaField } from '#web/lib/schemaField.ts';
import { nameOf, splitValues, type Variation, wordOf } from './variation.ts';

export interface VariationConditionProps {
  field: SchemaField;
  variation: Variation;
  variations: readonly Variation[];
  onChange(variation: Variation): void;
}

/** Beside which values of another parameter one is drawn; nothing where no other is a list of values. */
export function VariationCondition({ field, variation, variations, onChange }: VariationConditionProps) {
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
