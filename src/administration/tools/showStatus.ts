import { z } from 'zod';
import { ListProjectNamesDocument } from '#src/generated/api.ts';
import { readStatus } from '#src/administration/command/readStatus.ts';
import { formatAge, formatProgress } from '#src/base/terminal/formatNumber.ts';
import { markdownTable, NOTHING, paragraphs } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';

export const showStatus = defineTool({
  name: 'status',
  title: 'Queue and workers',
  description:
    'The server at a glance: version, what your token may do, projects, workers, how many runs wait and run, which run now, and what failed in the last 24 hours.',
  effect: 'reads',
  input: z.strictObject({}),
  async answer({ api }) {
    const now = new Date();
    const { away, status } = await readStatus(api, now);
    const { projects } = await api.request(ListProjectNamesDocument, {});
    const names = projects.edges.map(({ node }) => node.name);
    const { server, queue, workers, running, failures } = status;
    const role = server.role === 'none' ? 'no token is needed' : `your token may ${server.role}`;
    const waiting = queue.unknownKinds.map(
      ({ kind, runs }) => `${runs} runs wait for a worker that knows the kind ${kind}.`,
    );
    const runningRows = running.edges.map(({ node: run }) => [
      ...[`#${run.number}`, run.name, String(run.seed), formatProgress(run) || NOTHING],
      run.startedAt === null ? NOTHING : formatAge(run.startedAt, now),
    ]);
    return {
      text: paragraphs(
        `Warren ${server.version} at ${api.url}; ${role}.`,
        [...away, ...waiting].join('\n'),
        `Projects: ${names.join(', ') || 'none'}.`,
        `Queue: ${queue.queued} queued, ${queue.running} running, ${queue.waiting} waiting for other runs.`,
        workers.length === 0
          ? 'Workers: none, so nothing queued is executed; `warren worker` starts one.'
          : markdownTable(
              ['worker', 'host', 'backend', 'device', 'slots'],
              workers.map(({ name, host, backend, device, slots }) => [name, host, backend, device, String(slots)]),
            ),
        runningRows.length === 0
          ? null
          : markdownTable(['running', 'name', 'seed', 'progress', 'started'], runningRows),
        failures.totalCount === 0 ? null : `Failed in the last 24 hours: ${failures.totalCount}.`,
        failures.edges
          .map(({ node }) => `- #${node.number} ${node.name}: ${node.error?.message.split('\n')[0] ?? ''}`)
          .join('\n'),
      ),
      data: {
        url: api.url,
        away,
        version: server.version,
        role: server.role,
        projects: names,
        queue,
        workers,
        running: running.edges.map(({ node }) => node),
        failures: failures.edges.map(({ node }) => node),
      },
    };
  },
});
