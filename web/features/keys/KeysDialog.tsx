import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ON_MAC } from '#web/lib/onMac.ts';
import { KEY_GROUPS } from './keyGroups.ts';
import './keys.css';

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
