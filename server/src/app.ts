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
import { allInventories, connectCarriers } from './adapters/carriers.ts';
import { carrierWebhooks } from './adapters/carrier-webhooks.ts';
import type { AccountState } from './ports/accounts.ts';
import { mailOutbox, outboxPage } from './adapters/mail-outbox/mail.ts';
import { mailSmtp } from './adapters/mail-smtp/mail.ts';
import { s3Bytes } from './adapters/s3/bytes.ts';
import { sandboxDirectory, whyNotReached } from './adapters/sandbox/directory.ts';
import { mediaProxy } from './adapters/sandbox/media-proxy.ts';
import { sandboxVoiceRoutes } from './adapters/sandbox/routes.ts';
import { keepTroubleIn } from './adapters/sandbox/trouble.ts';
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
import { readWordsWebhook, wordsWebhookPath } from './adapters/sandbox/webhook.ts';
import * as sandboxPortJobs from './adapters/sandbox/porting-jobs.ts';
import { portWebhook, sandboxPorting } from './adapters/sandbox/porting.ts';
import { publicPages } from './adapters/pages/read-page.ts';
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
import * as fields from './modules/fields/index.ts';
import * as identity from './modules/identity/index.ts';
import * as notifications from './modules/notifications/index.ts';
import * as numbers from './modules/numbers/index.ts';
import * as routing from './modules/routing/index.ts';
import type { Answers } from './platform/answer.ts';
import type { House, Said } from './platform/context.ts';
import { openDb } from './platform/db.ts';
import { diskBytes, fileRow, openFiles } from './platform/files.ts';
import { answers as fileAnswers } from './platform/serve-file.ts';
import { boundBodies } from './platform/bodies.ts';
import { answerError, answerNonsense, openGate } from './platform/gate.ts';
import { startJobs, type Job } from './platform/jobs.ts';
import { openLife } from './platform/life.ts';
import { makeLimiter } from './platform/limiter.ts';
import { makeLog, type Log } from './platform/log.ts';
import { tellThreadsTo } from './platform/worker-thread.ts';
import { jobs as mailJobs } from './platform/mail.ts';
import { countRequests, metricsAccess, metricsText } from './platform/metrics.ts';
import { openapi } from './platform/openapi.ts';
import { openRealtime } from './platform/realtime.ts';
import {
  startRelay,
  tailPublished,
  wakeRelay,
  type Published,
  type Reaction,
} from './platform/relay.ts';
import type { Logins } from './platform/roles.ts';
import { jobs as retentionJobs } from './platform/retention.ts';
import { keepReports } from './platform/kept-reports.ts';
import type { Settings } from './platform/settings.ts';
import { readQuery } from './platform/wire.ts';
import type { Carrier, Hearing } from './ports/carrier.ts';
import { noFaxes } from './ports/fax.ts';
import type { Ports } from './ports/index.ts';
import type { PushPort } from './ports/push.ts';

/** The switchboard: one line per module, one per adapter. */
interface Module {
  answers: Answers;
  reactions?: readonly Reaction[];
  jobs?: readonly Job[];
}
const modules: readonly Module[] = [
  identity,
  fields,
  companies,
  contacts,
  compliance,
  numbers,
  routing,
  calls,
  conversations,
  campaigns,
  notifications,
  analytics,
];
export const reactions = modules.flatMap((m) => m.reactions ?? []);
export const jobs = [
  ...retentionJobs,
  ...mailJobs,
  ...modules.flatMap((m) => m.jobs ?? []),
  ...sandboxTextJobs.jobs,
  ...sandboxRegistry.jobs,
  ...sandboxPortJobs.jobs,
  ...sandboxFaxJobs.jobs,
];

/** Everything a process holds for its life. `now` is the clock (tests move it), `databaseWaitMs` how long work waits for a connection, `logins` those of the database's two roles. */
export function openHouse(
  settings: Settings,
  role: string,
  more: {
    ports?: Partial<Ports>;
    now?: () => Date;
    log?: Log;
    databaseWaitMs?: number;
    logins?: Logins | null;
  } = {},
): House & { close(): Promise<void> } {
  const log = more.log ?? makeLog(settings.logLevel, role);
  tellThreadsTo(log);
  const db = openDb(settings.databaseUrl!, log, {
    process: role,
    statementMs: settings.limits.statementMs,
    logins: more.logins ?? null,
    ...(more.databaseWaitMs !== undefined && { waitMs: more.databaseWaitMs }),
  });
  const files = openFiles(
    settings,
    settings.s3 ? s3Bytes(settings.s3) : diskBytes(join(settings.dataDir, 'files')),
  );
  const voice = sandboxVoice({
    switchUrl: () => `http://127.0.0.1:${settings.mediaPort}`,
    secret: settings.mediaSecret,
  });
  keepTroubleIn(join(settings.dataDir, 'trouble.json'));
  const now = more.now ?? (() => new Date());
  const carriers = connectCarriers(
    ownPorts(
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
      more.ports,
    ),
    settings.exchange ? voice : null,
  );
  const ports = {
    mail: settings.smtpUrl ? mailSmtp(settings.smtpUrl, settings.mailFrom) : mailOutbox,
    carriers,
    voice: carriers.first.voice,
    messaging: carriers.first.messaging,
    numbers: allInventories(carriers),
    speech: espeakSpeech(),
    transcription: sandboxTranscription(),
    callerIdentity: settings.trestleApiKey
      ? trestleIdentity({ apiKey: settings.trestleApiKey })
      : simulatedIdentities(settings.demo),
    fax: settings.telnyx
      ? telnyxFax(settings.telnyx)
      : settings.faxCarrier === 'sandbox'
        ? sandboxFaxes(db, settings.mediaSecret)
        : noFaxes,
    push: pushPort(settings, db),
    pages: settings.production && !settings.demo ? publicPages() : simulatedSites(publicPages()),
    ...more.ports,
  } as Ports;
  return {
    db,
    log,
    settings,
    ports,
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
function pushPort(settings: Settings, db: House['db']) {
  const keys = vapidKeys(settings.appSecret);
  if (!settings.pushes) return sandboxPush(db, keys.publicKey);
  const subject = settings.publicUrl.startsWith('https:')
    ? settings.publicUrl
    : `mailto:${/<([^>]+)>/.exec(settings.mailFrom)?.[1] ?? settings.mailFrom}`;
  const web = webPush(keys, subject);
  const apns = settings.apns && apnsPush(settings.apns);
  const port: PushPort = {
    name: 'real',
    publicKey: keys.publicKey,
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
const ownPorts = (list: Carrier[], own: Partial<Ports> = {}): Carrier[] =>
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

const webDist = new URL('../../web/dist/', import.meta.url).pathname;

/** The web process, with what tests and benchmarks of the machine room need: the relay's waker and the sockets' ear. */
export type Web = FastifyInstance & { said: Said; hear: (batch: Published[]) => Promise<void> };

/** The web process: the API, sockets, webhooks and the screens. */
export async function openWeb(whole: House): Promise<Web> {
  const house: House = { ...whole, db: whole.db.forRequests };
  const { settings, db, log } = house;
  const { limits } = settings;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: settings.trustProxy.length ? settings.trustProxy : false,
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true, querystringParser: readQuery },
    forceCloseConnections: true,
    // The last word on slow requests: of those that no route saw, too.
    requestTimeout: limits.bodyMs * 10 + 30_000,
    frameworkErrors: answerError,
    clientErrorHandler: answerNonsense,
  }) as unknown as Web;
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
        connectSrc: ["'self'", ...ownSockets(settings.publicUrl)],
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
  const bodies = await boundBodies(app, join(settings.dataDir, 'uploads'), {
    formBytes: limits.uploadBytes,
    inFlightBytes: limits.inFlightBytes,
    arrivalMs: limits.bodyMs,
  });
  await app.register(rateLimit, { global: false, ...(redis ? { redis } : {}) });
  countRequests(app);

  app.get('/livez', async () => ({ ok: true }));
  // A carrier that refuses us is no reason to take this server out of service; who looks after it must see it.
  let accounts: AccountState[] = [];
  const askAboutAccounts = async () => {
    accounts = await numbers.lookAtCarriers(house, house.now()).catch((error: unknown) => {
      log.warn({ err: error }, 'how the carriers stand could not be kept');
      return accounts;
    });
  };
  const asking = setInterval(() => void askAboutAccounts(), accountsEveryMs);
  asking.unref();
  app.addHook('onListen', async () => void askAboutAccounts());
  app.addHook('onClose', () => clearInterval(asking));

  app.get('/readyz', async (_, reply) => {
    const [database, storage] = await Promise.all(
      [sql`select 1`.execute(db.directory), bodies.tryDisk()].map((asked) =>
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
  let newsAt = () => 0;
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/')) void reply.header('live-seq', newsAt());
  });

  const said = wakeRelay(db);
  app.said = said;
  const door = companies.doorman(house);
  openGate(app, house, door, makeLimiter(app, settings), bodies, said, [
    fileAnswers,
    ...modules.map((m) => m.answers),
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
    await app.register(outboxPage(db, settings.appSecret));
  if (!settings.pushes && !settings.production) await app.register(pushesPage(db));
  keepReports(app, house);
  const switchUrl = () => `http://127.0.0.1:${settings.mediaPort}`;
  const reached = (number: string) => whyNotReached(house, number);
  if (settings.exchange) {
    await app.register(mediaProxy, { switchUrl, whyNotReached: reached });
    await app.register(
      calls.carrierVoiceRoutes({
        carrier: 'sandbox',
        path: voiceWebhookPath,
        read: (h, body, headers) => readVoiceWebhook(body, headers, h.settings.mediaSecret),
      })(house, said),
    );
  }
  if (settings.carriers.includes('sandbox')) {
    await app.register(sandboxVoiceRoutes, {
      switchUrl,
      secret: settings.mediaSecret,
      whyNotReached: reached,
    });
    await app.register(sandboxTextRoutes(house, bodies));
    await app.register(sandboxRegistry.sandboxRegistrationRoutes(house));
    await app.register(sandboxDirectory(house));
    await app.register(sandboxPortJobs.sandboxPortRoutes(house));
    if (settings.faxCarrier === 'sandbox') await app.register(sandboxFaxRoutes(house, bodies));
    await app.register(conversations.carrierTextRoutes(house, said, campaigns.receiveReceipts));
    await app.register(
      calls.carrierWordsRoutes({
        carrier: 'sandbox',
        path: wordsWebhookPath,
        read: (h, body, headers) => readWordsWebhook(body, headers, h.settings.mediaSecret),
      })(house, said),
    );
  }
  await app.register(carrierWebhooks(house, hearing(house, said)));
  for (const carrier of house.ports.carriers.all)
    carrier.listen?.(hearing(house, said)(carrier.name));
  await app.register(conversations.carrierFaxRoutes(house, said));
  if (existsSync(webDist)) await serveScreens(app, settings.carriers.includes('sandbox'));

  const realtime = openRealtime(app, house, door.recognize);
  app.hear = realtime.hear;
  const presence = notifications.keepPresence(house, realtime.who);
  const tail = tailPublished(settings.databaseUrl!, db, log, realtime.hear);
  newsAt = tail.seq;
  app.addHook('preClose', async () => {
    await presence.stop();
    await tail.stop();
    await realtime.close();
    redis?.disconnect();
  });
  await tail.ready;
  return app;
}

/** What carriers tell, into the modules that hear it. */
const hearing =
  (house: House, said: Said) =>
  (carrier: string): Hearing => ({
    voice: (events) => calls.receiveVoice(house, said, carrier, events),
    texts: (texts) => conversations.receiveTexts(house, said, carrier, texts),
    receipts: (reports) => campaigns.receiveReceipts(house, said, carrier, reports),
    registrations: (refs) => compliance.receiveReviews(house, said, carrier, refs),
    ports: (reports) => numbers.receivePorts(house, said, carrier, reports),
    words: (arrived) => calls.receiveWords(house, said, carrier, arrived),
  });

/** Where the screens' live connection goes, for browsers whose 'self' does not cover WebSockets (Safari before 15.4). */
/** How often carriers are asked about our account. */
const accountsEveryMs = 15 * 60_000;
const ownSockets = (publicUrl: string): string[] => [
  new URL(publicUrl).origin.replace(/^http/, 'ws'),
];
/** Sound, pictures and archives are compressed already. */
const compressible =
  /^(text\/(?!event-stream)|application\/(?:json|problem\+json|javascript|manifest\+json|xml)|image\/svg)/;

/** The built screens: hashed files for ever, the page itself never cached; every address without an extension is the page. */
async function serveScreens(app: FastifyInstance, handset: boolean) {
  // `serve: false`: files are looked up when asked for, so a new build is served without a restart.
  await app.register(statics, {
    root: webDist,
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
    return reply.sendFile(/\.[a-z0-9]+$/i.test(path) ? path.slice(1) : 'index.html');
  });
}

/** A file by its signed address, whole or a range (players seek). Attachments unless they are picture, sound or PDF. */
/** The worker: relay, reactions, jobs, the clock. */
export async function openWorker(
  house: House,
  o: { /** No rate but the carrier's own: for measuring. */ unthrottled?: boolean } = {},
) {
  const said = wakeRelay(house.db);
  for (const carrier of house.ports.carriers.all)
    carrier.listen?.(hearing(house, said)(carrier.name));
  const relay = startRelay(house.settings.databaseUrl!, house.log, reactions);
  const clock = calls.startCallClock(house, said);
  const life = await openLife(house.settings.databaseUrl!, house.log);
  const dispatch = campaigns.startDispatch(house, said, { ...o, life });
  const listening = notifications.startListening(house.db);
  // The demo world's own jobs are scaffolding: loaded only where there is one.
  const demo = house.settings.demo
    ? [
        ...(await import('../seeds/demo-audio.ts')).jobs,
        ...(await import('../seeds/demo-greetings.ts')).jobs,
      ]
    : [];
  const queue = await startJobs(
    house.settings.databaseUrl!,
    house,
    said,
    [...jobs, ...demo],
    reactions,
    undefined,
    life,
  );
  return {
    stop: async () => {
      listening.stop();
      await dispatch.stop();
      await clock.stop();
      await relay.stop();
      await queue.stop();
      await life.stop();
    },
  };
}

/** The media process: the sandbox carrier's exchange. */
export const openMedia = async (house: House) => {
  // Sound is asked for at an address: not every carrier looks names up there.
  const outside =
    house.settings.sipPublic &&
    (await lookup(house.settings.sipPublic.host, { family: 4 }).then(
      ({ address }) => address,
      (error: unknown) => {
        house.log.error(
          { err: error },
          'SIP_PUBLIC cannot be looked up, so carriers do not reach our exchange',
        );
        return null;
      },
    ));
  // Loaded only here: WebRTC and Opus are no business of the other processes.
  return (await import('./adapters/sandbox/switch/main-switch.ts')).startSwitch({
    port: house.settings.mediaPort,
    movePorts: house.settings.movePorts,
    avoidPort: house.settings.port,
    secret: house.settings.mediaSecret,
    publicWebUrl: () => `http://127.0.0.1:${house.settings.port}`,
    filesDir: join(house.settings.dataDir, 'media'),
    speech: house.ports.speech,
    troubleFile: join(house.settings.dataDir, 'trouble.json'),
    log: (message, detail) => house.log.info(detail ?? {}, message),
    ...(house.settings.sipPort && house.settings.exchange ? { sip: sipDoor(house, outside) } : {}),
    ...(house.settings.rtpPorts ? { udpPorts: house.settings.rtpPorts } : {}),
    publicAddress: outside ?? undefined,
    // A prompt names its file as `company:file`, so that no id alone opens another company's greeting.
    fetchFile: async (name) => {
      const [companyId, fileId] = name.split(':').map(Number);
      if (!companyId || !fileId) return null;
      const row = await house.db.within({ companyId }, (tx) => fileRow(tx, companyId, fileId));
      return row ? house.files.bytes.get(row.key) : null;
    },
  });
};

interface SipWho {
  companyId: number;
  userId: number;
  device: string;
}

/** SIP phones, and carriers' lines to browsers: a second front door, with the product behind it. The realm is the domain of everybody's SIP address. */
function sipDoor(house: House, outside: string | null) {
  const said = wakeRelay(house.db);
  const { publicUrl, host, sipPort, sipPublic, sipTls } = house.settings;
  const realm = new URL(publicUrl).hostname;
  const isAddress = (name: string) => /^\d+\.\d+\.\d+\.\d+$/.test(name) && name !== '0.0.0.0';
  return {
    // Who is to be reached from outside listens there, wherever the web process hides.
    port: sipPort,
    host: outside ?? (isAddress(host) ? host : isAddress(realm) ? realm : '127.0.0.1'),
    realm,
    ...(outside || host === '0.0.0.0' ? { bind: '0.0.0.0' } : {}),
    ...(sipTls
      ? { tls: { cert: readFileSync(sipTls.cert, 'utf8'), key: readFileSync(sipTls.key, 'utf8') } }
      : {}),
    ...(sipPublic && outside
      ? {
          lines: {
            at: { ...sipPublic, address: outside },
            admit: (token: string) => calls.admitSipLine(house, token),
          },
        }
      : {}),
    whoIs: (user: string) => calls.sipLogin(house, user, realm),
    place: (who: SipWho & { to: string }) => calls.placeFromSip(house, said, who),
    present: (who: SipWho, there: boolean) => calls.sipPresent(house, said, who, there),
    hold: (who: SipWho, leg: string, on: boolean) => calls.holdFromSip(house, said, who, leg, on),
    transfer: (who: SipWho, leg: string, to: string) =>
      calls.transferFromSip(house, said, who, leg, to),
  };
}
