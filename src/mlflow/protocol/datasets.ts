import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import type { DatasetInputRecord } from '#src/mlflow/store/datasetInput.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { experimentNumbers } from '#src/mlflow/experiments.ts';
import { summarizeDatasets } from '#src/mlflow/store/datasetInput.ts';
import { readRequest } from './request.ts';

const MOST_EXPERIMENTS = 20;

/** As mlflow/utils/validation.py limits them. */
const datasetSchema = z.object({
  tags: z.array(z.object({ key: z.string().max(255), value: z.string().max(500) })).default([]),
  dataset: z.object({
    name: z.string().min(1).max(500),
    digest: z.string().min(1).max(36),
    source_type: z.string().min(1),
    source: z.string().min(1).max(65_535),
    schema: z.string().max(1_048_575).nullish(),
    profile: z.string().max(16_777_215).nullish(),
  }),
});

/** Data that a run used. @throws WarrenError BAD_INPUT. */
export function datasetsOf(list: readonly unknown[] | undefined): Omit<DatasetInputRecord, 'runId'>[] {
  return (list ?? []).map((item, index) => {
    const parsed = datasetSchema.safeParse(item);
    if (!parsed.success) throw refused(parsed.error.issues[0], index);
    const { tags, dataset } = parsed.data;
    const { name, digest, source, source_type: sourceType } = dataset;
    return {
      ...{ name, digest, source, sourceType, schema: dataset.schema ?? null, profile: dataset.profile ?? null },
      tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
    };
  });
}

function refused(issue: z.core.$ZodIssue | undefined, index: number): Error {
  const path = ['datasets', index, ...(issue?.path ?? [])].join('.');
  if (issue?.code === 'too_big') {
    return badInput(`'${String(issue.path.at(-1))}' exceeds the maximum length of ${issue.maximum} characters`, path);
  }
  return badInput(`Invalid value for parameter '${path}' supplied: ${issue?.message ?? ''}`, path);
}

/** Names and digests of the data that runs of some experiments used. */
export async function searchDatasets({ db }: ServiceContext, body: Record<string, unknown>): Promise<unknown> {
  const ids = readRequest(body, { experiment_ids: 'array' }).experiment_ids ?? [];
  if (ids.length === 0) throw badInput('SearchDatasets request must specify at least one experiment_id.');
  if (ids.length > MOST_EXPERIMENTS) {
    const received = `Received ${ids.length} experiment_ids.`;
    throw badInput(`SearchDatasets request cannot specify more than ${MOST_EXPERIMENTS} experiment_ids. ${received}`);
  }
  const numbers = experimentNumbers(ids);
  const summaries = (await summarizeDatasets(db, numbers)).map(
    ({ experimentNumber: number, name, digest, context }) => ({
      ...{ experiment_id: String(number), name, digest },
      ...(context === null ? {} : { context }),
    }),
  );
  return summaries.length === 0 ? {} : { dataset_summaries: summaries };
}
