import { join } from 'node:path';
import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import { sql } from 'kysely';
import rateLimit from '@fastify/rate-limit';
import statics from '@fastify/static';
import { combinedInventory, connectCarriers } from './adapters/carriers.ts';
import { carrierWebhookRoutes } from './adapters/carrier-webhooks.ts';
import type { AccountState } from './gateways/carrier-accounts.ts';
import { mailOutbox, outboxPage } from './adapters/mail-outbox/mail.ts';
import { mailSmtp } from './adapters/mail-smtp/mail.ts';
import { s3Bytes } from './adapters/s3/bytes.ts';
import {
  sandboxDirectory,
  unreachableReason as unreachableReasonOf,
} from './adapters/sandbox/directory.ts';
import { mediaProxy } from './adapters/sandbox/media-proxy.ts';
import { sandboxVoiceRoutes } from './adapters/sandbox/routes.ts';
import { shareFaultsIn } from './adapters/sandbox/fault-injection.ts';
import * as sandboxFaxJobs from './adapters/sandbox/fax-jobs.ts';
import { sandboxFaxRoutes } from './adapters/sandbox/fax-routes.ts';
import { simulatedIdentities } from './adapters/sandbox/identities.ts';
import { sandboxFaxes } from './adapters/sandbox/faxes.ts';
import { pushesPage, sandboxPush } from './adapters/sandbox/pushes.ts';
import * as sandboxTextJobs from './adapters/sandbox/text-jobs.ts';
import { sandboxTextRoutes } from './adapters/sandbox/text-routes.ts';
import { sandboxTexts } from './adapters/sandbox/texts.ts';
import { sandboxInventory } from './adapters/sandbox/inventory.ts';
import { readVoiceWebhook, sandboxVoice, voiceWebhookPath } from './adapters/sandbox/voice.ts';
import { readTranscriptionWebhook, transcriptionWebhookPath } from './adapters/sandbox/webhook.ts';
import * as sandboxPortJobs from './adapters/sandbox/porting-jobs.ts';
import { portWebhook, sandboxPorting } from './adapters/sandbox/porting.ts';
import { publicPageReader } from './adapters/pages/read-page.ts';
import * as sandboxRegistry from './adapters/sandbox/registration.ts';
import { simulatedSites } from './adapters/sandbox/registration-sites.ts';
import { sandboxTranscription } from './adapters/transcription-sandbox/transcription.ts';
import { bandwidthCarrier } from './adapters/bandwidth/carrier.ts';
import { twilioCarrier } from './adapters/twilio/carrier.ts';
import { somosCarrier } from './adapters/somos/carrier.ts';
import { telnyxFax } from './adapters/fax-telnyx/fax.ts';
import { apnsPush } from './adapters/apns/push.ts';
import { vapidKeys, webPush } from './adapters/web-push/push.ts';
import { trestleIdentity } from './adapters/trestle/caller-identity.ts';
import { espeakSpeech } from './adapters/speech-espeak/speech.ts';
import * as analytics from './modules/analytics/index.ts';
import * as calls from './modules/calls/index.ts';
import * as campaigns from './modules/campaigns/index.ts';
import * as companies from './modules/companies/index.ts';
import * as compliance from './modules/compliance/index.ts';
import * as contacts from './modules/contacts/index.ts';
import * as conversations from './modules/conversations/index.ts';
import * as fax from './modules/fax/index.ts';
import * as fields from './modules/fields/index.ts';
import * as identity from './modules/identity/index.ts';
import * as marketplace from './modules/marketplace/index.ts';
import * as messaging from './modules/messaging/index.ts';
import * as notifications from './modules/notifications/index.ts';
import * as numbers from './modules/numbers/index.ts';
import * as porting from './modules/porting/index.ts';
import * as routing from './modules/routing/index.ts';
import type { Routes } from './platform/routes.ts';
import type { Services, OutboxNotifier } from './platform/context.ts';
import { openDb } from './platform/db.ts';
import { createDiskStore, findFile, createFileStore } from './platform/files.ts';
import { routes as fileAnswers } from './platform/serve-file.ts';
import { limitBodies } from './platform/http/request-bodies.ts';
import { registerRoutes } from './platform/http/dispatch.ts';
import { sendError, sendMalformedRequest } from './platform/http/send-error.ts';
import { startJobs, type Job } from './platform/jobs.ts';
import { openLeases } from './platform/lease.ts';
import { createRateLimiter } from './platform/http/rate-limiter.ts';
import { createLogger, type Log } from './platform/log.ts';
import { setThreadLogger } from './platform/worker-thread.ts';
import { jobs as mailJobs } from './platform/mail.ts';
import { measureRequests, metricsAccess, metricsText } from './platform/metrics.ts';
import { openapi } from './platform/openapi.ts';
import { startRealtime } from './platform/realtime.ts';
import {
  startOutboxRelay,
  subscribeToOutbox,
  createOutboxNotifier,
  type PublishedEvent,
  type Subscriber,
} from './platform/outbox-relay.ts';
import type { DatabaseLogins } from './platform/roles.ts';
import { jobs as retentionJobs, retentionRulesFor } from './platform/retention.ts';
import { jobs as resealJobs } from './platform/reseal.ts';
import { retryFailedWebhooks } from './platform/webhook-retry.ts';
import type { Settings } from './platform/settings.ts';
import { parseQuery } from './platform/http/request-fields.ts';
import type { Carrier, CarrierEventSink } from './gateways/carrier.ts';
import { noFaxCarrier } from './gateways/fax.ts';
import type { Gateways } from './gateways/index.ts';
import type { DeliveryReport } from './gateways/messaging.ts';
import type { PushGateway } from './gateways/push.ts';

/** The switchboard: one line per module, one per adapter. */
interface Module {
  routes: Routes;
  subscribers?: readonly Subscriber[];
  jobs?: readonly Job[];
}
const modules: readonly Module[] = [
  identity,
  fields,
  companies,
  contacts,
  compliance,
  numbers,
  porting,
  marketplace,
  routing,
  calls,
  conversations,
  fax,
  campaigns,
  notifications,
  analytics,
];
export const subscribers = modules.flatMap((m) => m.subscribers ?? []);
export const jobs = [
  ...retentionJobs,
  ...resealJobs,
  ...mailJobs,
  ...modules.flatMap((m) => m.jobs ?? []),
  ...sandboxTextJobs.jobs,
  ...sandboxRegistry.jobs,
  ...sandboxPortJobs.jobs,
  ...sandboxFaxJobs.jobs,
];

/** Everything a process holds for its life. `now` is the clock (tests move it), `databaseWaitMs` how long work waits for a connection, `logins` those of the database's two roles. */
export function createServices(
  settings: Settings,
  role: string,
  overrides: {
    gateways?: Partial<Gateways>;
    now?: () => Date;
    log?: Log;
    databaseWaitMs?: number;
    logins?: DatabaseLogins | null;
  } = {},
): Services & { close(): Promise<void> } {
  // A wrong RETENTION_DAYS is told at the start, not by the job an hour later.
  retentionRulesFor(settings.retentionDays);
  const log = overrides.log ?? createLogger(settings.logLevel, role);
  setThreadLogger(log);
  const db = openDb(settings.databaseUrl!, log, {
    process: role,
    statementMs: settings.limits.statementMs,
    logins: overrides.logins ?? null,
    ...(overrides.databaseWaitMs !== undefined && { waitMs: overrides.databaseWaitMs }),
  });
  const files = createFileStore(
    settings,
    settings.s3 ? s3Bytes(settings.s3) : createDiskStore(join(settings.dataDir, 'files')),
  );
  const voice = sandboxVoice({
    exchangeUrl: () => `http://127.0.0.1:${settings.mediaPort}`,
    secret: settings.mediaSecret,
  });
  shareFaultsIn(join(settings.dataDir, 'trouble.json'));
  const now = overrides.now ?? (() => new Date());
  const carriers = connectCarriers(
    withOverrides(
      settings.carriers.map((name): Carrier =>
        ({
          sandbox: () => ({
            name: 'sandbox',
            label: 'Sandbox',
            providerIds: [1, 2, 3, 4] as const,
            voice,
            messaging: sandboxTexts(db, settings.mediaSecret),
            numbers: sandboxInventory(db),
            registration: sandboxRegistry.sandboxRegistration(db),
            porting: sandboxPorting(db),
            webhooks: [
              sandboxRegistry.registrationWebhook(settings.mediaSecret),
              portWebhook(settings.mediaSecret),
            ],
          }),
          twilio: () => twilioCarrier({ settings, db, files, log, now }),
          bandwidth: () => bandwidthCarrier({ settings, db, files, log, now }),
          somos: () => somosCarrier({ settings, db }),
        })[name](),
      ),
      overrides.gateways,
    ),
    settings.exchange ? voice : null,
  );
  const gateways = {
    mail: settings.smtpUrl ? mailSmtp(settings.smtpUrl, settings.mailFrom) : mailOutbox,
    carriers,
    voice: carriers.primary.voice,
    messaging: carriers.primary.messaging,
    numbers: combinedInventory(carriers),
    speech: espeakSpeech(),
    transcription: sandboxTranscription(),
    callerIdentity: settings.trestleApiKey
      ? trestleIdentity({ apiKey: settings.trestleApiKey })
      : simulatedIdentities(settings.demo),
    fax: settings.telnyx
      ? telnyxFax(settings.telnyx)
      : settings.faxCarrier === 'sandbox'
        ? sandboxFaxes(db, settings.mediaSecret)
        : noFaxCarrier,
    push: createPushGateway(settings, db),
    // No vendor is built in yet; each becomes one line here.
    oauth: new Map(),
    pages:
      settings.production && !settings.demo
        ? publicPageReader()
        : simulatedSites(publicPageReader()),
    ...overrides.gateways,
  } as Gateways;
  return {
    db,
    log,
    settings,
    gateways,
    files,
    now,
    close: async () => {
      await voice.close();
      for (const carrier of carriers.all) await carrier.close?.();
      await db.close();
    },
  };
}

/** Pushes leave this machine only where that is wanted (`PUSH`). */
function createPushGateway(settings: Settings, db: Services['db']) {
  const { publicKey } = vapidKeys(settings.appSecret);
  if (!settings.pushEnabled) return sandboxPush(db, publicKey);
  const subject = settings.publicUrl.startsWith('https:')
    ? settings.publicUrl
    : `mailto:${/<([^>]+)>/.exec(settings.mailFrom)?.[1] ?? settings.mailFrom}`;
  const web = webPush(settings.appSecrets.map(vapidKeys), subject);
  const apns = settings.apns && apnsPush(settings.apns);
  const port: PushGateway = {
    name: 'real',
    publicKey,
    send: async (target, note) =>
      target.kind === 'web'
        ? web(target, note)
        : apns
          ? apns.send(target, note)
          : { state: 'refused', reason: 'APNS_KEY is not set.' },
  };
  return port;
}

/** Ports that a test brings along stand in for the first carrier's. */
const withOverrides = (list: Carrier[], own: Partial<Gateways> = {}): Carrier[] =>
  list.map((carrier, i) =>
    i === 0
      ? {
          ...carrier,
          ...(own.voice ? { voice: own.voice } : {}),
          ...(own.messaging ? { messaging: own.messaging } : {}),
          ...(own.numbers ? { numbers: own.numbers } : {}),
        }
      : carrier,
  );

/** Where a bundle of screens is built into. */
const distOf = (bundle: 'web' | 'admin' | 'caddy') =>
  new URL(`../../${bundle}/dist/`, import.meta.url).pathname;
/** Apps of their own beside the main one, each under the path of its name. */
const otherApps = ['admin', 'caddy'] as const;

/** The web process, with what tests and benchmarks of the machine room need: the relay's waker and the sockets' ear. */
export type WebServer = FastifyInstance & {
  notifier: OutboxNotifier;
  broadcast: (batch: PublishedEvent[]) => Promise<void>;
};

/** The web process: the API, sockets, webhooks and the screens. */
export async function createWebServer(sharedServices: Services): Promise<WebServer> {
  const services: Services = { ...sharedServices, db: sharedServices.db.forRequests };
  const { settings, db, log } = services;
  const { limits } = settings;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy.length ? settings.trustProxy : false,
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: parseQuery },
    forceCloseConnections: true,
    // The last word on slow requests: of those that no route saw, too.
    requestTimeout: limits.bodyMs * 10 + 30_000,
    frameworkErrors: sendError,
    clientErrorHandler: sendMalformedRequest,
  }) as unknown as WebServer;
  const redis = settings.redisUrl
    ? new (await import('ioredis')).Redis(settings.redisUrl, { maxRetriesPerRequest: 1 })
    : null;
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:', 'data:'],
        connectSrc: ["'self'", ...webSocketOrigins(settings.publicUrl)],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        upgradeInsecureRequests: null,
      },
    },
    crossOriginEmbedderPolicy: false,
    hsts: settings.publicUrl.startsWith('https:'),
  });
  // Answers of the API as they are made; built files lie compressed beside the plain ones. Nobody's request is unpacked.
  await app.register(compress, {
    customTypes: compressible,
    encodings: ['br', 'gzip'],
    threshold: 1400,
    globalDecompression: false,
  });
  await app.register(cookie);
  await app.register(multipart);
  const bodies = await limitBodies(app, join(settings.dataDir, 'uploads'), {
    formBytes: limits.uploadBytes,
    inFlightBytes: limits.inFlightBytes,
    arrivalMs: limits.bodyMs,
  });
  await app.register(rateLimit, { global: false, ...(redis ? { redis } : {}) });
  measureRequests(app);

  app.get('/livez', async () => ({ ok: true }));
  // A carrier that refuses us is no reason to take this server out of service; who looks after it must see it.
  let accounts: AccountState[] = [];
  const refreshAccounts = async () => {
    accounts = await numbers
      .checkCarrierAccounts(services, services.now())
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the carriers’ account status could not be stored');
        return accounts;
      });
  };
  const accountTimer = setInterval(() => void refreshAccounts(), accountCheckMs);
  accountTimer.unref();
  app.addHook('onListen', async () => void refreshAccounts());
  app.addHook('onClose', () => clearInterval(accountTimer));

  app.get('/readyz', async (_, reply) => {
    const [database, storage] = await Promise.all(
      [sql`select 1`.execute(db.unscoped), bodies.checkDisk()].map((asked) =>
        asked.then(
          () => true,
          () => false,
        ),
      ),
    );
    // Until the media process has said where it listens, nobody can be called.
    const media = !settings.exchange || settings.mediaPort !== 0;
    const ok = database && storage && media;
    return reply.code(ok ? 200 : 503).send({
      ok,
      database,
      storage,
      media,
      carriers: Object.fromEntries(accounts.map((a) => [a.carrier, a.state])),
    });
  });
  app.get('/metrics', async (request, reply) => {
    const access = metricsAccess(settings, request);
    if (access === 404) return reply.callNotFound();
    if (access === 401)
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ message: 'Send METRICS_TOKEN as a bearer token.' });
    return reply.type('text/plain; version=0.0.4').send(await metricsText());
  });
  app.addHook('onSend', async (request, reply) => {
    void reply.header('x-request-id', request.id);
  });
  // How far the news had come when the answer was begun: from there a page asks what it missed before it listened.
  let latestSeq = () => 0;
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) void reply.header('live-seq', latestSeq());
  });

  const notifier = createOutboxNotifier(db);
  app.notifier = notifier;
  const authenticator = companies.createAuthenticator(services);
  registerRoutes(app, services, authenticator, createRateLimiter(app, settings), bodies, notifier, [
    fileAnswers,
    ...modules.map((m) => m.routes),
  ]);

  let spec: unknown;
  app.get('/api/openapi.json', async () => (spec ??= openapi(settings.publicUrl)));
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await app.register(async (docs) => {
    // The reference is one bundled page; it styles itself and runs its own script, on this address only.
    docs.addHook('onSend', async (_, reply) => {
      void reply.header(
        'content-security-policy',
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'",
      );
    });
    await docs.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/openapi.json',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
      } as object,
    });
  });
  if (!settings.smtpUrl && !settings.production)
    await app.register(outboxPage(db, settings.appSecrets));
  if (!settings.pushEnabled && !settings.production) await app.register(pushesPage(db));
  retryFailedWebhooks(app, services);
  const switchUrl = () => `http://127.0.0.1:${settings.mediaPort}`;
  const unreachableReason = (number: string) => unreachableReasonOf(services, number);
  if (settings.exchange) {
    await app.register(mediaProxy, { exchangeUrl: switchUrl, unreachableReason });
    await app.register(
      calls.carrierVoiceRoutes({
        carrier: 'sandbox',
        path: voiceWebhookPath,
        read: (h, body, headers) => readVoiceWebhook(body, headers, h.settings.mediaSecret),
      })(services, notifier),
    );
  }
  if (settings.carriers.includes('sandbox')) {
    await app.register(sandboxVoiceRoutes, {
      exchangeUrl: switchUrl,
      secret: settings.mediaSecret,
      unreachableReason,
    });
    await app.register(sandboxTextRoutes(services, bodies));
    await app.register(sandboxRegistry.sandboxRegistrationRoutes(services));
    await app.register(sandboxDirectory(services));
    await app.register(sandboxPortJobs.sandboxPortRoutes(services));
    if (settings.faxCarrier === 'sandbox') await app.register(sandboxFaxRoutes(services, bodies));
    await app.register(
      conversations.carrierTextRoutes(services, notifier, receiptReceiver(services, notifier)),
    );
    await app.register(
      calls.carrierWordsRoutes({
        carrier: 'sandbox',
        path: transcriptionWebhookPath,
        read: (h, body, headers) => readTranscriptionWebhook(body, headers, h.settings.mediaSecret),
      })(services, notifier),
    );
  }
  await app.register(carrierWebhookRoutes(services, createEventSink(services, notifier)));
  for (const carrier of services.gateways.carriers.all)
    carrier.attachEventSink?.(createEventSink(services, notifier)(carrier.name));
  await app.register(fax.carrierFaxRoutes(services, notifier));
  if (existsSync(distOf('web'))) await serveScreens(app, settings.carriers.includes('sandbox'));

  const realtime = startRealtime(app, services, authenticator.recognize);
  app.broadcast = realtime.broadcast;
  const presence = notifications.startPresenceHeartbeat(services, realtime.onlineUserIds);
  const tail = subscribeToOutbox(settings.databaseUrl!, db, log, realtime.broadcast);
  latestSeq = tail.seq;
  app.addHook('preClose', async () => {
    await presence.stop();
    await tail.stop();
    await realtime.close();
    redis?.disconnect();
  });
  await tail.ready;
  return app;
}

/** Stores receipts of texts in the tables that have them. */
const receiptReceiver =
  (services: Services, notifier: OutboxNotifier) =>
  (carrier: string, reports: readonly DeliveryReport[]): Promise<void> =>
    messaging.receiveReceipts(services, notifier, textTables, carrier, reports);
const textTables = [campaigns.recipientReceipts, conversations.itemReceipts];

/** What carriers tell, into the modules that hear it. */
const createEventSink =
  (services: Services, notifier: OutboxNotifier) =>
  (carrier: string): CarrierEventSink => ({
    onVoiceEvents: (events) => calls.receiveVoice(services, notifier, carrier, events),
    onTexts: (texts) => conversations.receiveTexts(services, notifier, carrier, texts),
    onDeliveryReports: (reports) => receiptReceiver(services, notifier)(carrier, reports),
    onRegistrationChanges: (refs) => compliance.receiveReviews(services, notifier, carrier, refs),
    onPortReports: (reports) => porting.receivePorts(services, notifier, carrier, reports),
    onTranscripts: (arrived) => calls.receiveWords(services, notifier, carrier, arrived),
  });

/** Where the screens' live connection goes, for browsers whose 'self' does not cover WebSockets (Safari before 15.4). */
/** How often carriers are asked about our account. */
const accountCheckMs = 15 * 60_000;
const webSocketOrigins = (publicUrl: string): string[] => [
  new URL(publicUrl).origin.replace(/^http/, 'ws'),
];
/** Sound, pictures and archives are compressed already. */
const compressible =
  /^(text\/(?!event-stream)|application\/(?:json|problem\+json|javascript|manifest\+json|xml)|image\/svg)/;

/** The built screens: hashed files for ever, the page itself never cached; every address without an extension is the page. */
async function serveScreens(app: FastifyInstance, handset: boolean) {
  // `serve: false`: files are looked up when asked for, so a new build is served without a restart.
  await app.register(statics, {
    root: distOf('web'),
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (res, path) => {
      void res.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0]!;
    if (!handset && /^\/handset(\/|$)/.test(path)) return reply.callNotFound();
    if (/^\/(api|sandbox|media|carriers|dev|docs|socket\.io)\//.test(path))
      return reply.callNotFound();
    const own = otherApps.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
    const file = own ? path.slice(own.length + 2) : path.slice(1);
    return reply.sendFile(/\.[a-z0-9]+$/i.test(path) ? file : 'index.html', distOf(own ?? 'web'));
  });
}

/** A file by its signed address, whole or a range (players seek). Attachments unless they are picture, sound or PDF. */
/** The worker: relay, reactions, jobs, the clock. */
export async function startWorker(
  services: Services,
  o: {
    /** No rate but the carrier's own: for measuring. */ unthrottled?: boolean;
    /** Jobs besides the modules' own, such as those of the demo world. */
    extraJobs?: typeof jobs;
  } = {},
) {
  const notifier = createOutboxNotifier(services.db);
  for (const carrier of services.gateways.carriers.all)
    carrier.attachEventSink?.(createEventSink(services, notifier)(carrier.name));
  const relay = startOutboxRelay(services.settings.databaseUrl!, services.log, subscribers);
  const callTimers = calls.startCallClock(services, notifier);
  const leases = await openLeases(services.settings.databaseUrl!, services.log);
  const dispatch = campaigns.startDispatcher(services, notifier, leases, o);
  const listening = notifications.startNotificationTargets(services.db);
  const queue = await startJobs(services, notifier, leases, {
    jobs: [...jobs, ...(o.extraJobs ?? [])],
    subscribers,
  });
  return {
    stop: async () => {
      listening.stop();
      await dispatch.stop();
      await callTimers.stop();
      await relay.stop();
      await queue.stop();
      await leases.stop();
    },
  };
}

/** The media process: the sandbox carrier's exchange. */
export const startMedia = async (services: Services) => {
  // Sound is asked for at an address: not every carrier looks names up there.
  const publicAddress =
    services.settings.sipPublic &&
    (await lookup(services.settings.sipPublic.host, { family: 4 }).then(
      ({ address }) => address,
      (error: unknown) => {
        services.log.error(
          { err: error },
          'SIP_PUBLIC can’t be resolved, so carriers can’t reach our exchange',
        );
        return null;
      },
    ));
  // Loaded only here: WebRTC and Opus are no business of the other processes.
  return (await import('./exchange/start-exchange.ts')).startExchange({
    port: services.settings.mediaPort,
    movePorts: services.settings.movePorts,
    avoidPort: services.settings.port,
    secret: services.settings.mediaSecret,
    publicWebUrl: () => `http://127.0.0.1:${services.settings.port}`,
    filesDir: join(services.settings.dataDir, 'media'),
    speech: services.gateways.speech,
    faultsFile: join(services.settings.dataDir, 'trouble.json'),
    log: (message, detail) => services.log.info(detail ?? {}, message),
    ...(services.settings.sipPort && services.settings.exchange
      ? { sip: sipOptions(services, publicAddress) }
      : {}),
    ...(services.settings.rtpPorts ? { udpPorts: services.settings.rtpPorts } : {}),
    publicAddress: publicAddress ?? undefined,
    // A prompt names its file as `company:file`, so that no id alone opens another company's greeting.
    fetchFile: async (name) => {
      const [companyId, fileId] = name.split(':').map(Number);
      if (!companyId || !fileId) return null;
      const row = await services.db.transaction({ companyId }, (tx) =>
        findFile(tx, companyId, fileId),
      );
      return row ? services.files.blobs.get(row.key) : null;
    },
  });
};

interface SipUser {
  companyId: number;
  userId: number;
  device: string;
}

/** SIP phones, and carriers' lines to browsers: a second front door, with the product behind it. The realm is the domain of everybody's SIP address. */
function sipOptions(services: Services, publicAddress: string | null) {
  const notifier = createOutboxNotifier(services.db);
  const { publicUrl, host, sipPort, sipPublic, sipTls } = services.settings;
  const realm = new URL(publicUrl).hostname;
  const isIpAddress = (name: string) => /^\d+\.\d+\.\d+\.\d+$/.test(name) && name !== '0.0.0.0';
  return {
    // Who is to be reached from outside listens there, wherever the web process hides.
    port: sipPort,
    host: publicAddress ?? (isIpAddress(host) ? host : isIpAddress(realm) ? realm : '127.0.0.1'),
    realm,
    ...(publicAddress || host === '0.0.0.0' ? { bind: '0.0.0.0' } : {}),
    ...(sipTls
      ? { tls: { cert: readFileSync(sipTls.cert, 'utf8'), key: readFileSync(sipTls.key, 'utf8') } }
      : {}),
    ...(sipPublic && publicAddress
      ? {
          interconnects: {
            at: { ...sipPublic, address: publicAddress },
            admit: (token: string) => calls.admitSipLine(services, token),
          },
        }
      : {}),
    findUser: (user: string) => calls.sipLogin(services, user, realm),
    placeCall: (who: SipUser & { to: string }) => calls.placeFromSip(services, notifier, who),
    onPresence: (who: SipUser, there: boolean) => calls.sipPresent(services, notifier, who, there),
    hold: (who: SipUser, leg: string, on: boolean) =>
      calls.holdFromSip(services, notifier, who, leg, on),
    transfer: (who: SipUser, leg: string, to: string) =>
      calls.transferFromSip(services, notifier, who, leg, to),
  };
}
