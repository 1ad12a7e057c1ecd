import type { ComponentProps } from 'react';
import { Dialog } from '#web/components/Dialog.tsx';
import './paletteField.css';

export interface PaletteFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  text: string;
  onText(text: string): void;
}

/** Where one types what is looked for. */
export function PaletteField({ text, onText, ...others }: PaletteFieldProps) {
  return (
    <input
      className="palette-input"
      type="text"
      aria-label="Find pages, actions, runs, projects, sweeps"
      autoComplete="off"
      spellCheck={false}
      placeholder="A name, a tag, #12, a page, an action"
      value={text}
      onChange={({ target }) => onText(target.value)}
      {...others}
    />
  );
}

export interface PaletteWaitProps {
  text: string;
  onText(text: string): void;
  onClose(): void;
}

/** Stands for the palette while its code comes, and takes what is typed meanwhile. */
export function PaletteWait({ text, onText, onClose }: PaletteWaitProps) {
  return (
    <Dialog title="Find" look="palette" onClose={onClose}>
      <PaletteField text={text} onText={onText} />
      <p className="palette-foot">Loading …</p>
    </Dialog>
  );
}
