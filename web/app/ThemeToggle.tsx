import { Button } from '../components/Button.tsx';
import { Icon } from '../components/Icon.tsx';
import { chooseTheme, themeChoice, type ThemeChoice } from '../components/theme.ts';
import { useStore } from '../api/useStore.ts';

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;
const WORDS: Record<ThemeChoice, string> = { system: 'as the system', light: 'light', dark: 'dark' };

/** Goes round: as the system wishes, light, dark. */
export function ThemeToggle() {
  const choice = useStore(themeChoice);
  return (
    <Button
      look="quiet"
      icon
      aria-label={`Theme: ${WORDS[choice]}. Change to ${WORDS[NEXT[choice]]}`}
      title={`Theme: ${WORDS[choice]}`}
      onClick={() => chooseTheme(NEXT[choice])}
    >
      <Icon name={ICONS[choice]} size={15} />
    </Button>
  );
}
