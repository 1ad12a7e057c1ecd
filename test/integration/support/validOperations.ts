import { randomUUID } from 'node:crypto';
import type { Things } from './filledProject.ts';

/**
 * The least that who asks for an operation of a project must be allowed, as docs/deploy.md says: a role in it, to queue commands, to
 * read or write all projects, to manage the queue, to administer the server, or to be signed in.
 */
export type Right = 'READ' | 'WRITE' | 'ADMIN' | 'COMMANDS' | 'ALL' | 'ALL WRITE' | 'QUEUE' | 'SERVER' | 'PERSON';

export interface ValidOperation {
  /** The least that a caller must be allowed. */
  needs: Right;
  /** Arguments with which it succeeds, each also for reading what a project holds. */
  args: Readonly<Record<string, unknown>>[];
  /** The code of an error that says what stands against it, not that the caller may not. */
  mayAnswer?: string;
}

const operation = (needs: Right, ...args: Record<string, unknown>[]): ValidOperation => ({
  needs,
  args: args.length === 0 ? [{}] : args,
});
const ofId = (needs: Right, ...ids: unknown[]) => operation(needs, ...ids.map((id) => ({ id })));
const input = (needs: Right, ...inputs: object[]) => operation(needs, ...inputs.map((one) => ({ input: one })));

/** The queries and subscriptions, with arguments that name what a project holds. */
export function validReads(t: Things): Readonly<Record<string, ValidOperation>> {
  const runIds = [t.run, t.otherRun];
  const page = { project: t.project, first: 5 };
  const study = { name: 'leporid/table-5', project: t.project };
  return {
    administration: operation('SERVER'),
    alertRules: operation('READ', { project: t.project }, {}),
    alerts: operation('READ', page, { first: 50 }, { before: t.alert + 1 }),
    alert: operation('READ', { number: t.alert }),
    artifacts: operation('READ', { runId: t.run }),
    tokens: operation('ADMIN'),
    ownTokens: operation('PERSON'),
    auditLog: operation('ADMIN', { project: t.project }, {}, { actor: t.token, before: '999999' }),
    experimentKinds: operation('READ'),
    kindModules: operation('READ'),
    datasets: operation('READ'),
    dataset: operation('READ', { name: t.mark }, { name: 'generated/markov-small' }),
    configuration: operation('READ', { hash: t.configuration }),
    lineage: operation('READ', { runId: t.run }, { runId: t.otherRun }, { runId: t.runNumber }),
    logs: operation('READ', { runId: t.run }, { runId: t.run, after: t.logCursor }, { runId: t.endedRun, last: 5 }),
    mediaNames: operation('READ', { runIds }),
    mediaAtStep: operation('READ', { runIds, name: t.media, step: 5 }),
    metricHistory: operation('READ', { runIds, names: [t.metric] }, { runIds, maxPoints: 1 }),
    pointsHeld: operation('READ', { runId: t.run, ranges: [rangeOf(t)] }),
    curveNames: operation('READ', { runIds, withSingle: true }),
    runImportance: operation('READ', { runIds, metric: t.metric }),
    project: operation('READ', { name: t.project }),
    projects: operation('READ', { first: 3 }, { first: 3, after: t.projectsCursor }),
    queue: operation('READ'),
    registryEntries: operation(
      'READ',
      ...[
        { search: t.entry, first: 1 },
        { project: t.project, first: 2 },
      ],
      ...[
        { tags: [`${t.mark}=${t.mark}`], first: 2 },
        { after: t.entriesCursor, first: 2 },
      ],
    ),
    registryEntry: operation('READ', { name: t.entry }),
    registryVersion: operation('READ', { version: t.version }, { version: `${t.entry}@${t.alias}` }),
    reports: operation('READ', { project: t.project }, {}, { inTrash: true }),
    report: ofId('READ', t.report, t.trashedReport),
    runGroups: operation(
      'READ',
      { ...page, groupBy: ['configuration'], baseline: t.group, metrics: [{ name: t.metric }] },
      { groupBy: ['project', 'tag'], filter: `tag = ${t.mark}` },
      { groupBy: ['user'], baseline: t.run },
    ),
    unlikeData: operation('READ', { project: t.project, metrics: [t.metric] }, { metrics: [t.metric] }),
    run: ofId('READ', t.run, t.runNumber, t.queuedRun, t.commandRun, t.trashedRun),
    runs: operation(
      'READ',
      { project: t.project, first: 3 },
      ...[`tag = ${t.mark}`, `project = "${t.project}"`, `metric."${t.metric}" > 2 or notes = "${t.mark}"`].map(
        (filter) => ({
          ...{ filter, first: 3 },
        }),
      ),
      ...[
        { after: t.runsCursor, first: 3 },
        { group: t.group, first: 3 },
      ],
      { filter: `user = "${t.mark}"`, inTrash: true, first: 3 },
      { orderBy: { by: `metric."${t.metric}"`, direction: 'ASC' }, first: 3 },
    ),
    runBundles: operation('READ', page, { filter: `tag = ${t.mark}`, first: 3 }, { filter: 'state = RUNNING' }),
    runsWithFiles: operation(
      'READ',
      { ending: '.npy' },
      { ending: '.txt', text: t.mark, first: 2 },
      { ending: '.bin', text: t.runNumber },
    ),
    runColumns: operation('READ', { project: t.project }, {}),
    compareRuns: operation('READ', { ids: runIds }, { ids: [t.queuedRun, t.otherQueuedRun, t.run] }),
    search: operation('READ', { text: t.mark, first: 2 }, { text: t.runNumber }, { text: t.project }),
    server: operation('READ'),
    shareLinks: operation('WRITE', { project: t.project }, {}),
    storage: operation('ALL'),
    projectStorage: operation('READ', { first: 50 }),
    decision: ofId('READ', t.decision),
    decisions: operation('READ', page, {}),
    studies: operation('READ', { project: t.project }),
    study: operation('READ', study),
    studyPlan: input('READ', { ...study, budget: 'quick' }),
    sweep: ofId('READ', t.sweep, t.agentSweep),
    sweeps: operation('READ', { project: t.project, first: 2 }, { first: 2 }),
    users: operation('SERVER'),
    views: operation('READ', { project: t.project }, {}),
    workers: operation('READ', {}, { includeStopped: true }),
    runChanged: operation('READ', { runIds }, { project: t.project }, {}),
    sweepChanged: ofId('READ', t.sweep),
    decisionChanged: ofId('READ', t.decision),
    viewsChanged: operation('READ', { project: t.project }),
    alertsChanged: operation('READ'),
    metricsLogged: operation('READ', { runIds, after: [0, 0] }, { runIds, names: [t.metric] }),
    logAppended: operation('READ', { runId: t.run }, { runId: t.run, after: t.logCursor }),
  };
}

function rangeOf({ metric }: Things) {
  const place = { step: 0, timeMs: 0 };
  return { name: metric, first: place, last: { step: 3, timeMs: 1e13 }, count: 3, sha256: 'a'.repeat(64) };
}

/** The mutations, with arguments that name what a project holds; those that end a thing come after the others. */
export function validWrites(t: Things): Readonly<Record<string, ValidOperation>> {
  const id = t.run;
  const { project, mark } = t;
  const fresh = () => randomUUID();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const small = { kind: 'item-knn', dataset: 'generated/markov-small' };
  const uniform = { distribution: 'uniform', min: 0, max: 100 };
  const condition = { trigger: 'RUN_ENDED', states: ['FAILED'] };
  const changed = { project, filter: `id = "${t.otherRun}"`, expected: 1 };
  const series = [{ name: 'x', steps: [1, 2], values: [1, 'NaN'] }];
  const definitions = [{ name: 'x', goal: 'maximize', summary: 'best' }];
  const register = { name: t.entry, runId: id, artifactName: 'notes.txt' };
  return {
    saveAlertRule: input('WRITE', { id: t.rule, name: 'changed' }, { project, name: `rule ${fresh()}`, condition }),
    testAlertRule: ofId('WRITE', t.rule),
    raiseAlert: operation('WRITE', { runId: id, alertId: fresh(), title: 'look' }),
    issueToken: operation('ADMIN', { name: `token ${fresh()}`, role: 'READ', grants: [{ project, role: 'READ' }] }),
    issueOwnToken: operation('PERSON', {
      name: `own ${fresh()}`,
      role: 'READ',
      expiresAt: tomorrow,
      projects: [project],
    }),
    revokeOwnToken: operation('PERSON', { name: t.token }),
    createRun: input('WRITE', { project }, { id: t.endedRun, project }, { project, forkFrom: { runId: id, step: 1 } }),
    importRun: input('WRITE', { id: fresh(), project, name: 'imported' }, { id: t.endedRun, project, name: 'again' }),
    forkRun: operation('WRITE', { runId: id, step: 1 }, { runId: id, step: 0, id: fresh() }),
    addParameters: operation('WRITE', { runId: id, parameters: { added: 1 } }),
    logMetrics: operation('WRITE', { runId: id, series }),
    defineMetrics: operation('WRITE', { runId: id, definitions }),
    correctMetrics: operation('WRITE', { id, definitions }),
    logLines: operation('WRITE', { runId: id, from: 10, lines: [{ text: 'more' }] }),
    heartbeat: operation('WRITE', { runId: id, progress: 0.5 }),
    logMedia: operation('WRITE', { runId: id, items: [{ name: 'm', step: 0, kind: 'table', sha256: t.sha256 }] }),
    createProject: operation('ALL WRITE', { name: `made ${fresh()}` }),
    editProject: operation('WRITE', { project, description: 'changed' }),
    // its runs go on, and it is not in the trash
    deleteProject: { ...operation('WRITE', { project }), mayAnswer: 'CONFLICT' },
    undeleteProject: { ...operation('WRITE', { project }), mayAnswer: 'CONFLICT' },
    createRegistryEntry: input('WRITE', { name: `entry-${fresh()}` }),
    updateRegistryEntry: input('WRITE', { name: t.entry, description: 'changed' }),
    registerVersion: input('WRITE', register, { ...register, name: `entry-${fresh()}` }),
    updateRegistryVersion: input('WRITE', { version: t.version, description: 'changed' }),
    setRegistryAlias: operation('WRITE', { version: t.version, alias: 'best' }),
    deleteRegistryAlias: operation('WRITE', { name: t.entry, alias: t.alias }),
    useRegistryVersion: operation('WRITE', { runId: id, version: t.version }),
    saveReport: input(
      'WRITE',
      { id: t.report, title: 'changed', text: `[[run ${t.runNumber}]]`, basedOn: 1 },
      { project, title: 'new', text: `\`\`\`warren-table\nproject: ${project}\n\`\`\`` },
    ),
    enqueueRuns: input(
      'WRITE',
      { project, ...small },
      { project, ...small, inputs: [{ name: 'a', runId: id, artifactName: 'notes.txt' }] },
      { project, ...small, inputs: [{ name: 'a', version: t.version }] },
    ),
    enqueueCommand: input(
      'COMMANDS',
      { project, command: ['true'] },
      { project, command: ['true'], inputs: [{ name: 'a', version: t.version }] },
    ),
    prioritizeRuns: operation('WRITE', { ids: [t.queuedRun], priority: 7 }),
    updateRun: input('WRITE', { id, notes: 'changed', tags: ['changed'] }),
    changeRuns: input(
      'WRITE',
      { action: 'TAG', ...changed, addTags: ['added'] },
      { action: 'EDIT', ...changed, addNote: 'added' },
      { action: 'MOVE', ...changed, toProject: project },
    ),
    createShareLink: input('WRITE', { runs: [id] }, { report: t.report }, { project, filter: `tag = ${mark}` }),
    setProjectQuota: operation('SERVER', { project, bytes: 1e12 }),
    removeCheckpoints: operation('SERVER', { olderThanDays: 10_000, dryRun: true }),
    removeOldLogs: operation('SERVER', { olderThanDays: 10_000, dryRun: true }),
    thinPoints: operation('SERVER', { olderThanDays: 10_000, dryRun: true }),
    emptyTrash: operation('SERVER', { olderThanDays: 10_000, dryRun: true }),
    decideComparison: input('WRITE', {
      ...{ a: t.queuedRun, b: t.otherQueuedRun, metric: 'valid/ndcg@10', atMost: 10, project },
    }),
    reproduceStudy: input('WRITE', {
      ...{ name: 'leporid/table-5', project, budget: 'quick', rows: ['random'] },
    }),
    createSweep: input('WRITE', {
      ...{ project, name: 'sweep' },
      file: {
        ...small,
        method: 'sobol',
        run_cap: 1,
        parameters: { shrinkage: uniform },
        metric: { name: 'valid/ndcg@10' },
      },
    }),
    pauseSweep: ofId('WRITE', t.sweep),
    resumeSweep: ofId('WRITE', t.sweep),
    extendSweep: input('WRITE', { id: t.agentSweep, trials: 30 }),
    confirmSweep: operation('WRITE', { id: t.agentSweep, seeds: 2, trial: 0 }),
    takeTrial: input('WRITE', { sweep: t.agentSweep, runId: fresh() }),
    disableUser: operation('SERVER', { user: t.user, disabled: false }),
    grantUser: operation('SERVER', { user: t.user, grants: [{ project, role: 'READ' }] }),
    saveView: input('WRITE', { id: t.view, name: `view ${fresh()}` }, { project, name: `view ${fresh()}` }),
    setDefaultView: ofId('WRITE', t.view),
    pauseQueue: operation('QUEUE', { kind: 'popularity' }),
    resumeQueue: operation('QUEUE', { kind: 'popularity' }),
    drainWorker: operation('QUEUE', { worker: 'test-worker' }),
    releaseWorker: operation('QUEUE', { worker: 'silent-worker' }),
    undrainWorker: operation('QUEUE', { worker: 'test-worker' }),
    resumeRun: operation('WRITE', { runId: t.endedRun }),
    finishRun: operation('WRITE', { runId: t.endedRun, state: 'SUCCEEDED' }),
    cancelRuns: operation('WRITE', { ids: [t.queuedRun] }),
    retryRuns: operation('WRITE', { ids: [t.queuedRun] }),
    deleteRuns: operation('WRITE', { ids: [t.otherRun] }),
    restoreRuns: operation('WRITE', { ids: [t.otherRun, t.trashedRun] }),
    withdrawShareLink: ofId('WRITE', t.link),
    cancelDecision: ofId('WRITE', t.decision),
    cancelSweep: ofId('WRITE', t.sweep),
    deleteView: ofId('WRITE', t.view),
    restoreReport: ofId('WRITE', t.trashedReport),
    deleteReport: ofId('WRITE', t.report),
    deleteAlertRule: ofId('WRITE', t.rule),
    deleteRegistryVersion: operation('WRITE', { version: t.version }),
    deleteRegistryEntry: operation('WRITE', { name: t.entry }),
    revokeToken: operation('ADMIN', { name: t.token }),
  };
}
