import { formatCount } from '#web/lib/formatNumber.ts';
import type { SweepFormState } from './useNewSweepForm.ts';
import { distributionsFor, gridSize } from './variation.ts';
import { VariationRow } from './VariationRow.tsx';

/** Which parameters the sweep varies, and how. */
export function VaryFields({ state }: { state: SweepFormState }) {
  const varied = new Set(state.variations.map(({ path }) => path));
  const left = state.leaves.filter(({ path }) => !varied.has(path) && path !== 'dataset.name');
  const points = state.settings.method === 'grid' && state.variations.length > 0 ? gridSize(state.variations) : null;
  const error = state.errors.parameters;
  return (
    <fieldset className="panel new-run-part">
      <legend>Varied parameters</legend>
      <div className="stack">
        {state.variations.map((variation) => {
          const field = state.leaves.find(({ path }) => path === variation.path);
          if (field === undefined) return null;
          return (
            <VariationRow
              key={variation.path}
              field={field}
              distributions={distributionsFor(field.control)}
              variation={variation}
              variations={state.variations}
              error={state.errors[variation.path]}
              onChange={state.changeVariation}
              onRemove={() => state.removeVariation(variation.path)}
            />
          );
        })}
        <div className="row">
          <select
            className="input variation-add"
            aria-label="Vary a parameter"
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : 'vary-error'}
            value=""
            onChange={(event) => {
              const field = left.find(({ path }) => path === event.target.value);
              if (field !== undefined) state.vary(field);
            }}
          >
            <option value="">Vary a parameter …</option>
            {left.map(({ path }) => (
              <option key={path} value={path}>
                {path.replace(/^parameters\./, '')}
              </option>
            ))}
          </select>
          {points !== null && <span className="muted">A grid of {formatCount(points)} points.</span>}
        </div>
        {error !== undefined && (
          <span className="field-error" id="vary-error">
            {error}
          </span>
        )}
      </div>
    </fieldset>
  );
}
