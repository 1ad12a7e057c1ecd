import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { compareSearchSchema } from '../features/comparisons/compareSearch.ts';
import { embeddingsSearchSchema } from '../features/embeddings/embeddingsSearch.ts';
import { HomePage } from '../features/home/HomePage.tsx';
import { modelsSearchSchema } from '../features/registry/modelsSearch.ts';
import { newRunSearchSchema } from '../features/newRun/newRunSearch.ts';
import { newReportSearchSchema, reportSearchSchema, reportsSearchSchema } from '../features/reports/reportsSearch.ts';
import { runSearchSchema } from '../features/run/runSearch.ts';
import { runsSearchSchema } from '../features/runs/runsSearch.ts';
import { newSweepSearchSchema } from '../features/sweeps/form/newSweepSearch.ts';
import { projectSearchSchema } from '../features/shared/projectSearch.ts';
import { part } from '../lib/loadFailure.ts';
import { AppShell } from './AppShell.tsx';
import { NotFound } from './NotFound.tsx';
import { PageCrash } from './PageCrash.tsx';
import { readSearch, writeSearch } from './searchText.ts';

const rootRoute = createRootRoute({ component: AppShell, notFoundComponent: NotFound, errorComponent: PageCrash });

/** The home page; the table of runs stood here in earlier versions, and addresses of its views lead to it still. */
const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomePage,
  validateSearch: (search) => runsSearchSchema.parse(search),
  beforeLoad: ({ search }) => {
    if (Object.values(search).every((value) => value === undefined)) return;
    throw redirect({ to: '/runs', search, replace: true });
  },
});

const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  component: lazyRouteComponent(
    part(() => import('../features/runs/RunsPage.tsx')),
    'RunsPage',
  ),
  validateSearch: (search) => runsSearchSchema.parse(search),
});

const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$runId',
  component: lazyRouteComponent(
    part(() => import('../features/run/RunPage.tsx')),
    'RunPage',
  ),
  validateSearch: (search) => runSearchSchema.parse(search),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  component: lazyRouteComponent(
    part(() => import('../features/comparisons/ComparePage.tsx')),
    'ComparePage',
  ),
  validateSearch: (search) => compareSearchSchema.parse(search),
});

const embeddingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/embeddings',
  component: lazyRouteComponent(
    part(() => import('../features/embeddings/EmbeddingsPage.tsx')),
    'EmbeddingsPage',
  ),
  validateSearch: (search) => embeddingsSearchSchema.parse(search),
});

const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/workers',
  component: lazyRouteComponent(
    part(() => import('../features/queue/WorkersPage.tsx')),
    'WorkersPage',
  ),
});

const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  component: lazyRouteComponent(
    part(() => import('../features/projects/ProjectsPage.tsx')),
    'ProjectsPage',
  ),
});

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  component: lazyRouteComponent(
    part(() => import('../features/alerts/AlertsPage.tsx')),
    'AlertsPage',
  ),
  validateSearch: (search) => projectSearchSchema.parse(search),
});

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(
    part(() => import('../features/administration/AdminPage.tsx')),
    'AdminPage',
  ),
});

const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens',
  component: lazyRouteComponent(
    part(() => import('../features/tokens/OwnTokensPage.tsx')),
    'OwnTokensPage',
  ),
});

const explorerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graphiql',
  component: lazyRouteComponent(
    part(() => import('../features/explorer/ExplorerPage.tsx')),
    'ExplorerPage',
  ),
});

const newRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  component: lazyRouteComponent(
    part(() => import('../features/newRun/NewRunPage.tsx')),
    'NewRunPage',
  ),
  validateSearch: (search) => newRunSearchSchema.parse(search),
});

const sweepsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sweeps' });

const sweepTableRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/sweeps/SweepsPage.tsx')),
    'SweepsPage',
  ),
  validateSearch: (search) => projectSearchSchema.parse(search),
});

const newSweepRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/new',
  component: lazyRouteComponent(
    part(() => import('../features/sweeps/form/NewSweepPage.tsx')),
    'NewSweepPage',
  ),
  validateSearch: (search) => newSweepSearchSchema.parse(search),
});

const sweepRoute = createRoute({
  getParentRoute: () => sweepsRoute,
  path: '/$sweepId',
  component: lazyRouteComponent(
    part(() => import('../features/sweeps/SweepPage.tsx')),
    'SweepPage',
  ),
});

const decisionsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/decisions' });

const decisionTableRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/decisions/DecisionsPage.tsx')),
    'DecisionsPage',
  ),
  validateSearch: (search) => projectSearchSchema.parse(search),
});

const decisionRoute = createRoute({
  getParentRoute: () => decisionsRoute,
  path: '/$decisionId',
  component: lazyRouteComponent(
    part(() => import('../features/decisions/DecisionPage.tsx')),
    'DecisionPage',
  ),
});

const datasetsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/datasets' });

const datasetTableRoute = createRoute({
  getParentRoute: () => datasetsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/datasets/DatasetsPage.tsx')),
    'DatasetsPage',
  ),
});

/** Names of datasets have slashes: all that follows is the name. */
const datasetRoute = createRoute({
  getParentRoute: () => datasetsRoute,
  path: '$',
  component: lazyRouteComponent(
    part(() => import('../features/datasets/DatasetPage.tsx')),
    'DatasetPage',
  ),
});

const modelsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/models' });

const modelTableRoute = createRoute({
  getParentRoute: () => modelsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/registry/ModelsPage.tsx')),
    'ModelsPage',
  ),
  validateSearch: (search) => modelsSearchSchema.parse(search),
});

const modelRoute = createRoute({
  getParentRoute: () => modelsRoute,
  path: '/$name',
  component: lazyRouteComponent(
    part(() => import('../features/registry/ModelPage.tsx')),
    'ModelPage',
  ),
});

const reportsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/reports' });

const reportTableRoute = createRoute({
  getParentRoute: () => reportsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/reports/ReportsPage.tsx')),
    'ReportsPage',
  ),
  validateSearch: (search) => reportsSearchSchema.parse(search),
});

const newReportRoute = createRoute({
  getParentRoute: () => reportsRoute,
  path: '/new',
  component: lazyRouteComponent(
    part(() => import('../features/reports/NewReportPage.tsx')),
    'NewReportPage',
  ),
  validateSearch: (search) => newReportSearchSchema.parse(search),
});

const reportRoute = createRoute({
  getParentRoute: () => reportsRoute,
  path: '/$reportId',
  component: lazyRouteComponent(
    part(() => import('../features/reports/ReportPage.tsx')),
    'ReportPage',
  ),
  validateSearch: (search) => reportSearchSchema.parse(search),
});

const reproductionsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/reproductions' });

const studiesRoute = createRoute({
  getParentRoute: () => reproductionsRoute,
  path: '/',
  component: lazyRouteComponent(
    part(() => import('../features/studies/ReproductionsPage.tsx')),
    'ReproductionsPage',
  ),
});

/** `/reproductions/PAPER/TABLE`: the name of the study has a slash. */
const studyRoute = createRoute({
  getParentRoute: () => reproductionsRoute,
  path: '$',
  component: lazyRouteComponent(
    part(() => import('../features/studies/StudyPage.tsx')),
    'StudyPage',
  ),
});

/** Where a link leads: its secret stands after `#`, which no server is sent. */
const sharedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared',
  component: lazyRouteComponent(
    part(() => import('../features/share/SharedPage.tsx')),
    'SharedPage',
  ),
});

/** Pages by address. The home page comes with the first load, the others when they are asked for. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    runsRoute,
    runRoute,
    compareRoute,
    embeddingsRoute,
    decisionsRoute.addChildren([decisionTableRoute, decisionRoute]),
    workersRoute,
    projectsRoute,
    alertsRoute,
    adminRoute,
    tokensRoute,
    newRunRoute,
    explorerRoute,
    sharedRoute,
    sweepsRoute.addChildren([sweepTableRoute, newSweepRoute, sweepRoute]),
    modelsRoute.addChildren([modelTableRoute, modelRoute]),
    datasetsRoute.addChildren([datasetTableRoute, datasetRoute]),
    reportsRoute.addChildren([reportTableRoute, newReportRoute, reportRoute]),
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
