import { chooseTheme } from '#web/components/theme.ts';
import { keysShown } from '../keys/keysShown.ts';
import type { PaletteGroup } from './paletteItem.ts';

const page = (label: string, href: string, hint = '') => ({ id: `page ${href}`, label, href, hint });

/** What can be reached or done whatever runs there are. */
export const FIXED_GROUPS: readonly PaletteGroup[] = [
  {
    title: 'Actions',
    items: [
      page('New run', '/new'),
      page('New sweep', '/sweeps/new'),
      page('New report', '/reports/new'),
      page('New sweep from a file', '/sweeps/new?from=file'),
      { id: 'keys', label: 'Keys', hint: 'keyboard shortcuts, ?', act: () => keysShown.set(true) },
      { id: 'theme light', label: 'Light theme', hint: 'appearance', act: () => chooseTheme('light') },
      { id: 'theme dark', label: 'Dark theme', hint: 'appearance', act: () => chooseTheme('dark') },
      { id: 'theme system', label: 'Theme of the system', hint: 'appearance', act: () => chooseTheme('system') },
    ],
  },
  {
    title: 'Pages',
    items: [
      page('Home', '/'),
      page('Runs', '/runs'),
      page('Running runs', '/runs?filter=state+%3D+RUNNING'),
      page('Failed runs', '/runs?filter=state+in+%28FAILED%2C+CRASHED%29', 'crashed'),
      page('Trash', '/runs?view=trash', 'deleted runs'),
      page('Compare', '/compare'),
      page('Embeddings', '/embeddings', 'projector, PCA, UMAP'),
      page('Sweeps', '/sweeps'),
      page('Adaptive comparisons', '/decisions', 'decisions, which is better'),
      page('Reports', '/reports', 'writing'),
      page('Reproductions', '/reproductions', 'studies of papers'),
      page('Projects', '/projects', 'new project, rename, delete'),
      page('Datasets', '/datasets'),
      page('Models', '/models'),
      page('Queue and workers', '/workers', 'disk, storage'),
      page('Alerts', '/alerts', 'rules, notifications'),
      page('Administration', '/admin', 'version, tokens, sizes, health'),
      page('Your tokens', '/tokens', 'log from Python, WARREN_TOKEN'),
      page('API', '/graphiql', 'GraphQL'),
    ],
  },
];
