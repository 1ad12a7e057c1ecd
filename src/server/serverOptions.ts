import type { AnswerLimits } from '../base/platform/postgres/answerLimits.ts';
import type { StorePlace } from '../base/platform/artifacts/storePlace.ts';
import type { Logger } from '../base/platform/logger.ts';
import type { MailServer } from '../base/platform/outgoing/sendEmail.ts';
import type { SignInSettings } from '../base/platform/signInSettings.ts';
import type { ExternalLeases } from '../external/externalRuns.ts';

export interface ServerOptions {
  /** A migrated database. */
  databaseUrl: string;
  redisUrl: string | null;
  queuePrefix: string;
  host: string;
  port: number;
  /** Take the next free port when this one is busy. */
  orNextPort: boolean;
  /** Further browser origins that may use the API. */
  origins: readonly string[];
  /** Metrics that one run may have; default `SERIES_PER_RUN`. */
  seriesPerRun?: number;
  /** What the log of one attempt takes at most; default `LOG_BYTES`. */
  logBytes?: number;
  /** Ask for a token on loopback too. */
  requireToken: boolean;
  /** For external runs that ask for no lease of their own; Warren's defaults when left out. */
  externalLeases?: ExternalLeases;
  /** How long answers of the database and the queue may take; default `ANSWER_LIMITS`. */
  answerLimits?: AnswerLimits;
  /** Where artifacts are kept. */
  artifacts: StorePlace;
  /** Where uploads in parts wait for their rest; default: the folder of the artifacts, or that of the system for temporary files. */
  uploadFolder?: string;
  /** Programs that download from a bucket are sent to it by a signed link; default false. */
  artifactLinks?: boolean;
  /** Runs are deleted for good after so many days in the trash; null, the default, keeps them. */
  trashDays?: number | null;
  /** Days for which the audit log remembers; default a year. */
  auditDays?: number;
  /** Checkpoints are removed so many days after the end of their run; null, the default, keeps them. */
  checkpointDays?: number | null;
  /** Logs are removed so many days after the end of their run, but for their last lines; null, the default, keeps them. */
  logDays?: number | null;
  /** Curves are thinned so many days after the end of their run; null, the default, keeps them whole. */
  pointDays?: number | null;
  /** To so many points a metric; default 500. */
  pointsKept?: number;
  /** Milliseconds between two looks for artifact files that nothing refers to. */
  collectEveryMs?: number;
  /** Milliseconds for a request to arrive, but for uploads of callers who may make them; default one minute. */
  bodyMs?: number;
  /** The built dashboard. */
  dashboardFolder: string;
  clientFolder: string;
  logger: Logger;
  /** Operations and statements that take longer are written to the log; default two seconds. */
  slowMs?: number;
  /** A server that is to end still serves for so long, while `/ready` says no; default 0. */
  drainMs?: number;
  /** How people sign in; null, the default: with tokens alone. Where they do, every caller needs one or the other. */
  signIn?: SignInSettings | null;
  /** How messages leave; by default to public addresses alone, and no e-mail. */
  outgoing?: OutgoingOptions;
}

export interface OutgoingOptions {
  /** Inner networks that webhooks may be in, or `all`. */
  allowedNetworks: readonly string[];
  /** Null: no e-mail is sent. */
  mail: MailServer | null;
  /** Where people find this server; null: where it listens. */
  publicUrl: string | null;
}

/** Ends of what was opened, in the order of opening; they are called from the last to the first. */
export type Closers = (() => Promise<unknown> | unknown)[];

export interface WarrenServer {
  /** `http://127.0.0.1:4680`. */
  url: string;
  port: number;
  /** Live subscriptions. */
  subscriptionCount(): number;
  /** Says on `/ready` that it ends, serves for `drainMs`, lets requests under way end, and closes every connection. */
  close(): Promise<void>;
}
