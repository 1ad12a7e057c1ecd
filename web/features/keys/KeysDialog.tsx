import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ON_MAC } from '#web/lib/onMac.ts';
import './keys.css';

/** Keys that are pressed together are one text with blanks; `Mod` is Ctrl, on a Mac ⌘. Either of several does it. */
interface KeyGroup {
  title: string;
  keys: readonly (readonly [keys: readonly string[], meaning: string])[];
}

/** What the keyboard does, by where it does it. */
const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      [['Mod K'], 'find pages, runs and actions'],
      [['?'], 'this list'],
      [['Esc'], 'close what is open'],
    ],
  },
  {
    title: 'Table of runs',
    keys: [
      [['/'], 'to the filter'],
      [['Ctrl Space'], 'what the filter can go on with'],
      [['↑ ↓', 'j k', 'PgUp PgDn'], 'to another row'],
      [['Space'], 'select the row'],
      [['Shift Space'], 'select all rows up to it'],
      [['Enter'], 'open its run'],
      [['c'], 'compare those that are selected'],
      [['e', 't', 'n'], 'change its name, tags, notes'],
      [['h'], 'hide its curve, or show it'],
      [['o'], 'give its curve the next color'],
      [['Alt ← →'], 'move the column whose head has the focus'],
      [['Shift ← →'], 'make it narrower or wider'],
    ],
  },
  {
    title: 'Panels',
    keys: [
      [['Mod Z'], 'undo the last change of panels'],
      [['Mod Shift Z'], 'make it again'],
      [['← →'], 'along the curve, with Shift ten points at once'],
      [['↑ ↓'], 'to the curve above or below'],
      [['+', '−'], 'look closer, or from further away'],
      [['Enter'], 'open the run of the curve'],
      [['Esc'], 'all of it again'],
    ],
  },
  {
    title: 'Writing',
    keys: [
      [['Mod S'], 'save the report'],
      [['Mod Enter'], 'save notes; send the query'],
    ],
  },
];

const MAC_KEYS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** All that the keyboard does. */
export function KeysDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div className="keys">
        {KEY_GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([ways, meaning]) => (
                <div key={meaning}>
                  <dt>
                    {ways.map((way) => (
                      <span key={way}>
                        {way.split(' ').map((key) => (
                          <kbd key={key}>{keyName(key)}</kbd>
                        ))}
                      </span>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="dialog-foot">
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function keyName(key: string): string {
  if (ON_MAC) return MAC_KEYS[key] ?? key;
  return key === 'Mod' ? 'Ctrl' : key;
}
