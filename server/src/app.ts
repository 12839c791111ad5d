import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { carrierWebhookRoutes } from './adapters/carrier-webhooks.ts';
import { createBlobs, createGateways } from './adapters/create-gateways.ts';
import { adapterJobs, adapters } from './adapters/registry.ts';
import { retention as adapterRetention } from './adapters/retention.ts';
import { apiReference } from './app/api-reference.ts';
import { attachCarrierEvents, carrierEventSinks } from './app/carrier-events.ts';
import type { Drain } from './platform/http/drain.ts';
import { healthRoutes } from './app/health-routes.ts';
import { createHttpServer } from './app/http-server.ts';
import { startPromptWork } from './app/prompt-work.ts';
import { serveScreens } from './app/screens.ts';
import type { Gateways } from './gateways/index.ts';
import * as analytics from './modules/analytics/index.ts';
import * as billing from './modules/billing/index.ts';
import * as calls from './modules/calls/index.ts';
import * as companies from './modules/companies/index.ts';
import * as contacts from './modules/contacts/index.ts';
import * as conversations from './modules/conversations/index.ts';
import * as fax from './modules/fax/index.ts';
import * as caddy from './modules/caddy/index.ts';
import * as identity from './modules/identity/index.ts';
import * as integrations from './modules/integrations/index.ts';
import * as notifications from './modules/notifications/index.ts';
import { modules } from './modules/all.ts';
import * as tracking from './modules/tracking/index.ts';
import type { OutboxNotifier, Services, TxCtx } from './platform/context.ts';
import { openDb } from './platform/db.ts';
import { createDiskStore, createFileStore } from './platform/files.ts';
import { registerRoutes } from './platform/http/dispatch.ts';
import { createRateLimiter } from './platform/http/rate-limiter.ts';
import { startJobs, type Job } from './platform/jobs.ts';
import { openLeases } from './platform/lease.ts';
import { createLogger, type Log } from './platform/log.ts';
import { jobs as mailJobs } from './platform/mail.ts';
import { ContactDetails } from './platform/masking/contact-details.ts';
import { createOutboxNotifier } from './platform/outbox-relay.ts';
import { subscribeToOutbox, type PublishedEvent } from './platform/outbox-subscription.ts';
import { startRealtime } from './platform/realtime.ts';
import { jobs as fillJobs } from './platform/background-fills.ts';
import { jobs as resealJobs } from './platform/reseal.ts';
import { mergeRetention } from './platform/retention-rule.ts';
import { retention as platformRetention } from './platform/platform-retention.ts';
import { retentionJob, retentionRulesFor } from './platform/retention.ts';
import type { DatabaseLogins } from './platform/roles.ts';
import { routes as fileRoutes } from './platform/serve-file.ts';
import { databaseUrlOf, type Settings } from './platform/settings.ts';
import { retryFailedWebhooks } from './platform/webhook-retry.ts';
import { statisticsJob } from './platform/statistics.ts';
import { setThreadLogger } from './platform/worker-thread.ts';

const subscribers = modules.flatMap((module) => module.subscribers ?? []);

/** How long every table is kept: those of the platform, of adapters and of each module. */
export const retention = mergeRetention([
  platformRetention,
  adapterRetention,
  ...modules.flatMap((module) => module.retention ?? []),
]);

/** The jobs of the platform, of every module and of every adapter. */
export const allJobs = async (): Promise<Job[]> => [
  retentionJob(retention.rules),
  statisticsJob,
  ...resealJobs,
  ...fillJobs,
  ...mailJobs,
  ...modules.flatMap((module) => module.jobs ?? []),
  ...(await adapterJobs()),
];

interface ServiceOverrides {
  gateways?: Partial<Gateways>;
  /** The clock, which tests move. */
  now?: () => Date;
  log?: Log;
  /** How long work waits for a database connection. */
  databaseWaitMs?: number;
  /** Logins of the database's two roles; null: everything uses the one of DATABASE_URL. */
  logins?: DatabaseLogins | null;
}

/**
 * Everything a process holds for its life. Throws InvalidSettingsError for a wrong RETENTION_DAYS.
 * @param role the process's name in logs and at the database
 */
export async function createServices(
  settings: Settings,
  role: string,
  overrides: ServiceOverrides = {},
): Promise<Services & { close(): Promise<void> }> {
  // Here, so that the start fails and not the job an hour later.
  retentionRulesFor(retention.rules, settings.retentionDays);
  const { dataDir, limits } = settings;
  const databaseUrl = databaseUrlOf(settings);
  const log = overrides.log ?? createLogger(settings.logLevel, role);
  setThreadLogger(log);
  const db = openDb(databaseUrl, log, {
    process: role,
    // A worker runs about twenty jobs at a time.
    ...(settings.roles.includes('worker') && { size: 16 }),
    lowPriority: !settings.jobQueues.includes('default'),
    statementMs: limits.statementMs,
    logins: overrides.logins ?? null,
    replicaUrl: settings.databaseReplicaUrl,
    ...(overrides.databaseWaitMs !== undefined && { waitMs: overrides.databaseWaitMs }),
  });
  const blobs = (await createBlobs(settings)) ?? createDiskStore(join(dataDir, 'files'));
  const files = createFileStore(settings, blobs);
  const now = overrides.now ?? (() => new Date());
  const contactDetails = new ContactDetails<TxCtx>(
    modules.flatMap((module) => module.ownDetails ?? []),
    companies.rolesOf,
    {
      contact: contacts.partyOfContact,
      call: calls.partyOfCall,
      conversation: conversations.partyOfConversation,
    },
  );
  const own = { db, log, settings, files, contactDetails, now };
  const { gateways, close } = await createGateways(own, overrides.gateways);
  return {
    ...own,
    gateways,
    close: async () => {
      await close();
      await db.close();
    },
  };
}

/** The web process, with what tests and benchmarks need of it. */
export type WebServer = FastifyInstance & {
  notifier: OutboxNotifier;
  /** Sends published events to the open sockets. */
  broadcast: (batch: PublishedEvent[]) => Promise<void>;
  drain: Drain['drain'];
};

/** The web process: the API, sockets, webhooks and the screens. */
export async function createWebServer(sharedServices: Services): Promise<WebServer> {
  const services: Services = { ...sharedServices, db: sharedServices.db.forRequests };
  const { settings, db, log } = services;
  const { app, bodies, drain, disconnect } = await createHttpServer(settings, log);
  healthRoutes(app, services, bodies, drain);
  let latestSeq = () => 0;
  addResponseHeaders(app, () => latestSeq());

  const notifier = createOutboxNotifier(db);
  const authenticator = companies.createAuthenticator(services);
  registerRoutes(app, services, authenticator, createRateLimiter(app, settings), bodies, notifier, [
    fileRoutes,
    ...modules.flatMap((module) => module.routes ?? []),
  ]);
  await app.register(identity.oauthProviderRoutes(services));
  await app.register(companies.scimRoutes(services, notifier));
  await app.register(caddy.providerReturnRoutes(services));
  await app.register(analytics.stopMailsRoutes(services));
  tracking.visitPreflight(app);
  tracking.rememberSetups(app);
  tracking.rememberSites(app, services);
  tracking.scriptRoutes(app, services);
  tracking.demoSiteRoutes(app, services);
  tracking.startFeed(app, services, notifier);
  tracking.startHits(app, services);
  await apiReference(app, settings.publicUrl);
  retryFailedWebhooks(app, services);
  for (const adapter of adapters) await adapter.web?.(app, services, bodies);
  await app.register(carrierWebhookRoutes(services, carrierEventSinks(services, notifier)));
  await app.register(fax.carrierFaxRoutes(services, notifier));
  await app.register(billing.paymentWebhookRoutes(services));
  attachCarrierEvents(services, notifier);
  await serveScreens(app, {
    handset: settings.simulated,
    publicUrl: () => settings.publicUrl,
  });

  const realtime = startRealtime(app, services, authenticator.recognize);
  const presence = notifications.startPresenceHeartbeat(services, realtime.onlineUserIds);
  const tail = subscribeToOutbox(databaseUrlOf(settings), db, log, realtime.broadcast);
  latestSeq = tail.seq;
  app.addHook('preClose', async () => {
    await presence.stop();
    await tail.stop();
    await realtime.close();
    disconnect();
  });
  await tail.ready;
  return Object.assign(app, { notifier, broadcast: realtime.broadcast, drain: drain.drain });
}

/** @param latestSeq the newest event published: a page asks from there for what it missed */
function addResponseHeaders(app: FastifyInstance, latestSeq: () => number): void {
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  // On request, not on send: events published while a response is made may not be in it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) void reply.header('live-seq', latestSeq());
  });
}

interface WorkerOptions {
  /** No rate but the carrier's own: for measuring. */
  unthrottled?: boolean;
  /** Jobs besides `allJobs`, such as those of the demo data. */
  extraJobs?: readonly Job[];
  /** Whether jobs start at their minute. Off in tests: what they find must not depend on the hour. */
  isClockOn?: boolean;
}

/**
 * A worker process: the outbox relay, subscribers, jobs, timers and campaigns; one that runs only the
 * jobs of other queues (JOB_QUEUES) leaves the rest to the one that runs the `default` ones.
 */
export async function startWorker(services: Services, options: WorkerOptions = {}) {
  const { db, log, settings } = services;
  const notifier = createOutboxNotifier(db);
  attachCarrierEvents(services, notifier);
  const leases = await openLeases(databaseUrlOf(settings), log);
  const prompt = settings.jobQueues.includes('default')
    ? startPromptWork(services, notifier, leases, { ...options, subscribers })
    : null;
  const notificationTargets = notifications.startNotificationTargets(db);
  const delivering = integrations.startDelivering(db);
  const jobs = [...(await allJobs()), ...(options.extraJobs ?? [])];
  const queue = await startJobs(services, notifier, leases, {
    ...{ jobs, subscribers },
    isClockOn: options.isClockOn ?? true,
  });
  return {
    isDelivering: () => prompt?.isDelivering() ?? false,
    stop: async () => {
      notificationTargets.stop();
      delivering.stop();
      await prompt?.stop();
      await queue.stop();
      await leases.stop();
    },
  };
}
