import type { IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { requireEverything } from '#src/base/graphql/context.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { queryBody } from '#src/mlflow/protocol/calls.ts';
import { mlflowCall } from '#src/mlflow/protocol/mlflowCall.ts';
import { failureOf, mlflowFailure } from '#src/mlflow/protocol/mlflowError.ts';
import { withSource } from '#src/mlflow/protocol/request.ts';
import { MLFLOW_VERSION, SERVER_INFO } from '#src/mlflow/protocol/serverInfo.ts';
import { OPEN_PAGE, OPEN_SCRIPT } from '#src/mlflow/protocol/openPage.ts';
import { concernedProjects } from '#src/mlflow/concernedProjects.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import type { PartialUploads } from '#src/base/platform/artifacts/partialUploads.ts';
import type { AddressGuard } from '#src/base/platform/outgoing/addressGuard.ts';
import type { Logger } from '#src/base/platform/logger.ts';
import type { AuditRequest } from '../access/auditRequest.ts';
import { callerOf, refuseLinks, type ServicesOf } from '../access/callerServices.ts';
import { shown } from './errorHandler.ts';
import { mlflowArtifacts, mlflowDownload, mlflowVersionDownload, requireRole } from './mlflowArtifacts.ts';
import { MPU, MPU_PART, mlflowPart, mlflowParts } from './mlflowParts.ts';

/** What programs do not ask for while they run. */
const BY_PEOPLE =
  /^(?!runs\/create|runs\/update).*\/(create|delete|restore|update|rename|alias|transition-stage|delete-tag)$/;
/** MLflow's UI asks below `ajax-api` for what its clients ask below `api`. */
const API = /^\/(?:ajax-)?api\/[23]\.0\/mlflow\/(.+)$/;

/** What clients ask about the server before they say who they are. */
const INFO = /^\/(?:ajax-)?api\/3\.0\/mlflow\/server-info$/;

/** Texts of small bodies, for messages. */
const sources = new WeakMap<IncomingMessage, string>();
const LONGEST_SOURCE = 65_536;

export interface MlflowRoutesOptions {
  servicesOf: ServicesOf;
  services: Pick<ServiceContext, 'db'>;
  store: ArtifactStore;
  /** Keeps what has come of uploads that are sent in parts. */
  uploads: PartialUploads;
  /** Signs the addresses to which parts are sent. */
  viewKey: string;
  /** Where people find the API; null where it listens. */
  publicUrl: string | null;
  /** Puts the caller's role into `response.locals.role`. */
  authenticate: RequestHandler;
  audit: AuditRequest;
  logger: Logger;
  /** Says where webhooks may lead. */
  guard: AddressGuard;
}

/** MLflow's REST protocol, to be mounted at `/mlflow`, which is then the tracking URI of MLflow's clients. */
export function mlflowRoutes(options: MlflowRoutesOptions): RequestHandler {
  const { servicesOf, store, authenticate, audit, logger, guard } = options;
  const router = Router();
  router.get('/', (_request, response) => void response.type('html').set('Cache-Control', 'no-cache').send(OPEN_PAGE));
  router.get('/open.js', (_request, response) => void response.type('text/javascript').send(OPEN_SCRIPT));
  router.get('/health', (_request, response) => void response.type('text/plain').send('OK'));
  router.get('/version', (_request, response) => void response.type('text/plain').send(MLFLOW_VERSION));
  router.get(INFO, (_request, response) => void response.set('Cache-Control', 'no-store').json(SERVER_INFO));
  router.put(MPU_PART, mlflowPart(options));
  router.use(authenticate, (_request, response, next) => {
    refuseLinks(response);
    next();
  });
  router.post(MPU, express.json({ limit: LIMITS.logBodyBytes, type: () => true }), mlflowParts(options));
  router.use(mlflowArtifacts({ servicesOf, store }));
  router.get('/get-artifact', mlflowDownload({ servicesOf, store }));
  router.get(/^\/+model-versions\/get-artifact$/, mlflowVersionDownload({ servicesOf, store }));
  const verify = (request: IncomingMessage, _response: unknown, bytes: Buffer) => {
    if (bytes.length <= LONGEST_SOURCE) sources.set(request, bytes.toString());
  };
  router.use(express.json({ limit: LIMITS.logBodyBytes, type: () => true, verify }));
  router.use(async (request, response, next) => {
    const place = API.exec(request.path)?.[1];
    const call = place === undefined ? null : mlflowCall(request.method, place);
    if (call === null) return next();
    requireRole(response.locals.role, call.needs);
    if (call.needs === 'ADMIN') requireEverything(callerOf(response), 'webhooks tell of the registry');
    if (call.ofServer !== undefined) requireEverything(callerOf(response), call.ofServer);
    const query = queryBody(new URL(request.originalUrl, 'http://host').searchParams);
    const body: unknown = request.body;
    const services = servicesOf(response, call.needs === 'READ' ? 'read' : 'write');
    const answer = await call.answer(
      services,
      isPlainObject(body) ? withSource({ ...query, ...body }, sources.get(request) ?? '') : query,
      { guard },
    );
    if (call.needs === 'WRITE' ? BY_PEOPLE.test(place ?? '') : call.needs === 'ADMIN' && request.method !== 'GET') {
      const ids = [body, answer].filter(isPlainObject).map(idsIn);
      await audit(response, {
        action: `mlflow ${call.needs === 'ADMIN' ? `${request.method} ` : ''}${place}`,
        projectIds: await concernedProjects(services, {
          experimentIds: ids.flatMap(({ experiments }) => experiments),
          runIds: ids.flatMap(({ runs }) => runs),
        }).catch(() => []), // what was done stays done
        objects: named(body),
      });
    }
    response.type('json').set('Cache-Control', 'no-store');
    response.send(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  router.use((request, response) => {
    const message = `Warren does not serve ${request.method} ${request.path} of MLflow's protocol: docs/mlflow.md says what it serves`;
    const failure = mlflowFailure('ENDPOINT_NOT_FOUND', message);
    response.status(failure.status).json(failure.body);
  });
  router.use(failureHandler(logger));
  return router;
}

/** Which experiments and runs a body or an answer names. */
function idsIn(content: Readonly<Record<string, unknown>>): { experiments: string[]; runs: string[] } {
  const { experiment_id: experiment, run_id: run, run_uuid: uuid, model_version: version } = content;
  const ofVersion = isPlainObject(version) ? version.run_id : null;
  const text = (one: unknown): one is string => typeof one === 'string' && one !== '';
  return { experiments: [experiment].filter(text), runs: [run, uuid, ofVersion].filter(text) };
}

/** What a body names. */
function named(body: unknown): string[] {
  if (!isPlainObject(body)) return [];
  const { experiment_id: experiment, run_id: run, run_uuid: uuid, name } = body;
  return [experiment, run, uuid, name].filter((one) => typeof one === 'string');
}

function failureHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent || response.socket?.destroyed !== false) {
      response.destroy();
      return;
    }
    const report = (id: string) =>
      logger.error({ err: error, id, requestId: response.locals.requestId, path: request.path }, 'a request failed');
    const failure = failureOf(shown(error, report));
    if (failure.status === 401) response.set({ 'WWW-Authenticate': 'Bearer realm="warren"', Connection: 'close' });
    response.status(failure.status).set('Cache-Control', 'no-store').json(failure.body);
  };
}
