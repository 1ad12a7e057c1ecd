import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { compareSearchSchema } from '../features/compare/compareSearch.ts';
import { newRunSearchSchema } from '../features/newRun/newRunSearch.ts';
import { runSearchSchema } from '../features/run/runSearch.ts';
import { RunsPage } from '../features/runs/RunsPage.tsx';
import { runsSearchSchema } from '../features/runs/runsSearch.ts';
import { newSweepSearchSchema } from '../features/newSweep/newSweepSearch.ts';
import { sweepsSearchSchema } from '../features/sweeps/sweepsSearch.ts';
import { AppShell } from './AppShell.tsx';
import { NotFound } from './NotFound.tsx';
import { PageCrash } from './PageCrash.tsx';
import { readSearch, writeSearch } from './searchText.ts';

const rootRoute = createRootRoute({ component: AppShell, notFoundComponent: NotFound, errorComponent: PageCrash });

const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: RunsPage,
  validateSearch: (search) => runsSearchSchema.parse(search),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('../features/run/RunPage.tsx'), 'RunPage'),
  validateSearch: (search) => runSearchSchema.parse(search),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  component: lazyRouteComponent(() => import('../features/compare/ComparePage.tsx'), 'ComparePage'),
  validateSearch: (search) => compareSearchSchema.parse(search),
});

const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workers',
  component: lazyRouteComponent(() => import('../features/workers/WorkersPage.tsx'), 'WorkersPage'),
});

const explorerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphiql',
  component: lazyRouteComponent(() => import('../features/explorer/ExplorerPage.tsx'), 'ExplorerPage'),
});

const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  component: lazyRouteComponent(() => import('../features/newRun/NewRunPage.tsx'), 'NewRunPage'),
  validateSearch: (search) => newRunSearchSchema.parse(search),
});

const sweepsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sweeps' });

const sweepTableRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/sweeps/SweepsPage.tsx'), 'SweepsPage'),
  validateSearch: (search) => sweepsSearchSchema.parse(search),
});

const newSweepRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/new',
  component: lazyRouteComponent(() => import('../features/newSweep/NewSweepPage.tsx'), 'NewSweepPage'),
  validateSearch: (search) => newSweepSearchSchema.parse(search),
});

const sweepRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/$sweepId',
  component: lazyRouteComponent(() => import('../features/sweep/SweepPage.tsx'), 'SweepPage'),
});

const decisionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/decisions/$decisionId',
  component: lazyRouteComponent(() => import('../features/decision/DecisionPage.tsx'), 'DecisionPage'),
});

const datasetsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/datasets' });

const datasetTableRoute = createRoute({
  getParentRoute: () => datasetsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/datasets/DatasetsPage.tsx'), 'DatasetsPage'),
});

/** Names of datasets have slashes: all that follows is the name. */
const datasetRoute = createRoute({
  getParentRoute: () => datasetsRoute,
  path: '$',
  component: lazyRouteComponent(() => import('../features/datasets/DatasetPage.tsx'), 'DatasetPage'),
});

const reproductionsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/reproductions' });

const studiesRoute = createRoute({
  getParentRoute: () => reproductionsRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/reproductions/ReproductionsPage.tsx'), 'ReproductionsPage'),
});

/** `/reproductions/PAPER/TABLE`: the name of the study has a slash. */
const studyRoute = createRoute({
  getParentRoute: () => reproductionsRoute,
  path: '$',
  component: lazyRouteComponent(() => import('../features/reproductions/StudyPage.tsx'), 'StudyPage'),
});

/** Pages by address. The table of runs comes with the first load, the others when they are asked for. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    runsRoute,
    runRoute,
    compareRoute,
    decisionRoute,
    workersRoute,
    newRunRoute,
    explorerRoute,
    sweepsRoute.addChildren([sweepTableRoute, newSweepRoute, sweepRoute]),
    datasetsRoute.addChildren([datasetTableRoute, datasetRoute]),
    reproductionsRoute.addChildren([studiesRoute, studyRoute]),
  ]),
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageCrash,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
