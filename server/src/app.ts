import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import Fastify, { LogController, type FastifyInstance } from 'fastify';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import statics from '@fastify/static';
import { Redis } from 'ioredis';
import { mailOutbox, outboxPage } from './adapters/mail-outbox/mail.ts';
import { mailSmtp } from './adapters/mail-smtp/mail.ts';
import { s3Bytes } from './adapters/s3/bytes.ts';
import { sandboxDirectory } from './adapters/sandbox/directory.ts';
import { mediaProxy } from './adapters/sandbox/media-proxy.ts';
import { sandboxVoiceRoutes } from './adapters/sandbox/routes.ts';
import { keepTroubleIn } from './adapters/sandbox/trouble.ts';
import { jobs as demoJobs } from '../seeds/demo-audio.ts';
import * as sandboxTextJobs from './adapters/sandbox/text-jobs.ts';
import { sandboxTextRoutes } from './adapters/sandbox/text-routes.ts';
import { sandboxTexts } from './adapters/sandbox/texts.ts';
import { sandboxInventory } from './adapters/sandbox/inventory.ts';
import { readVoiceWebhook, sandboxVoice, voiceWebhookPath } from './adapters/sandbox/voice.ts';
import { sandboxTranscription } from './adapters/transcription-sandbox/transcription.ts';
import { espeakSpeech } from './adapters/speech-espeak/speech.ts';
import * as calls from './modules/calls/index.ts';
import * as companies from './modules/companies/index.ts';
import * as compliance from './modules/compliance/index.ts';
import * as contacts from './modules/contacts/index.ts';
import * as conversations from './modules/conversations/index.ts';
import * as identity from './modules/identity/index.ts';
import * as numbers from './modules/numbers/index.ts';
import * as routing from './modules/routing/index.ts';
import type { Answers } from './platform/answer.ts';
import type { House, Said } from './platform/context.ts';
import { openDb } from './platform/db.ts';
import { diskBytes, fileRow, openFiles } from './platform/files.ts';
import { openGate } from './platform/gate.ts';
import { startJobs, type Job } from './platform/jobs.ts';
import { makeLimiter } from './platform/limiter.ts';
import { makeLog, type Log } from './platform/log.ts';
import { countRequests, metricsText } from './platform/metrics.ts';
import { openapi } from './platform/openapi.ts';
import { openRealtime } from './platform/realtime.ts';
import { startRelay, tailPublished, wakeRelay, type Published, type Reaction } from './platform/relay.ts';
import type { Settings } from './platform/settings.ts';
import { readQuery } from './platform/wire.ts';
import { noCallerIdentity } from './ports/caller-identity.ts';
import type { Ports } from './ports/index.ts';

/** The switchboard: one line per module, one per adapter. */
interface Module { answers: Answers; reactions?: readonly Reaction[]; jobs?: readonly Job[] }
const modules: readonly Module[] = [identity, companies, contacts, compliance, numbers, routing, calls, conversations];
export const reactions = modules.flatMap((m) => m.reactions ?? []);
export const jobs = [...modules.flatMap((m) => m.jobs ?? []), ...sandboxTextJobs.jobs, ...demoJobs];

/** Everything a process holds for its life. `now` is the clock (tests move it). */
export function openHouse(settings: Settings, role: string, more: { ports?: Partial<Ports>; now?: () => Date; log?: Log } = {}): House & { close(): Promise<void> } {
  const log = more.log ?? makeLog(settings.logLevel, role);
  const db = openDb(settings.databaseUrl!, log);
  const files = openFiles(settings, settings.s3 ? s3Bytes(settings.s3) : diskBytes(join(settings.dataDir, 'files')));
  const voice = sandboxVoice({ switchUrl: `http://127.0.0.1:${settings.mediaPort}`, secret: settings.mediaSecret });
  keepTroubleIn(join(settings.dataDir, 'trouble.json'));
  const ports = {
    mail: settings.smtpUrl ? mailSmtp(settings.smtpUrl, settings.mailFrom) : mailOutbox(db),
    voice, messaging: sandboxTexts(db, settings.mediaSecret), numbers: sandboxInventory(db), speech: espeakSpeech(), transcription: sandboxTranscription(), callerIdentity: noCallerIdentity,
    ...more.ports,
  } as Ports;
  return { db, log, settings, ports, files, now: more.now ?? (() => new Date()), close: async () => { await voice.close(); await db.close(); } };
}

const webDist = new URL('../../web/dist/', import.meta.url).pathname;

/** The web process, with what tests and benchmarks of the machine room need: the relay's waker and the sockets' ear. */
export type Web = FastifyInstance & { said: Said; hear: (batch: Published[]) => Promise<void> };

/** The web process: the API, sockets, webhooks and the screens. */
export async function openWeb(house: House): Promise<Web> {
  const { settings, db, log } = house;
  const app = Fastify({
    loggerInstance: log, logController: new LogController({ disableRequestLogging: true }), trustProxy: settings.production, genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024, routerOptions: { ignoreTrailingSlash: true, querystringParser: readQuery }, forceCloseConnections: true,
  }) as unknown as Web;
  const redis = settings.redisUrl ? new Redis(settings.redisUrl, { maxRetriesPerRequest: 1 }) : null;
  await app.register(helmet, {
    contentSecurityPolicy: { directives: { defaultSrc: ["'self'"], scriptSrc: ["'self'"], styleSrc: ["'self'", "'unsafe-inline'"], imgSrc: ["'self'", 'data:', 'blob:'], mediaSrc: ["'self'", 'blob:', 'data:'], connectSrc: ["'self'", 'ws:', 'wss:'], fontSrc: ["'self'", 'data:'], workerSrc: ["'self'", 'blob:'], upgradeInsecureRequests: null } },
    crossOriginEmbedderPolicy: false, hsts: settings.publicUrl.startsWith('https:'),
  });
  await app.register(cookie);
  await app.register(multipart);
  await app.register(rateLimit, { global: false, ...(redis ? { redis } : {}) });
  countRequests(app);

  app.get('/livez', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const ok = await db.pool.query('select 1').then(() => true, () => false);
    return reply.code(ok ? 200 : 503).send({ ok, database: ok });
  });
  app.get('/metrics', async (_, reply) => reply.type('text/plain; version=0.0.4').send(await metricsText()));
  app.addHook('onSend', async (request, reply) => { void reply.header('x-request-id', request.id); });

  const said = wakeRelay(db);
  app.said = said;
  const door = companies.doorman(house);
  openGate(app, house, door, makeLimiter(app, settings), said, modules.map((m) => m.answers));

  let spec: unknown;
  app.get('/api/openapi.json', async () => (spec ??= openapi(settings.publicUrl)));
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await app.register(async (docs) => {
    // The reference is one bundled page; it styles itself and runs its own script, on this address only.
    docs.addHook('onSend', async (_, reply) => { void reply.header('content-security-policy', "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'"); });
    await docs.register(reference, { routePrefix: '/docs', configuration: { url: '/api/openapi.json', withDefaultFonts: false, telemetry: false, hideClientButton: true, showDeveloperTools: 'never', agent: { disabled: true } } as object });
  });
  app.get<{ Params: { id: string }; Querystring: Record<string, string> }>('/api/files/:id', async (request, reply) => serveFile(house, request.params.id, request.query, request.headers.range, reply));
  if (!settings.smtpUrl && !settings.production) await app.register(outboxPage(db));
  if (settings.carrier === 'sandbox') {
    const switchUrl = `http://127.0.0.1:${settings.mediaPort}`;
    await app.register(mediaProxy, { switchUrl });
    await app.register(sandboxVoiceRoutes, { switchUrl, secret: settings.mediaSecret });
    await app.register(sandboxTextRoutes(house));
    await app.register(sandboxDirectory(house));
    await app.register(conversations.carrierTextRoutes(house, said));
    await app.register(calls.carrierVoiceRoutes({ carrier: 'sandbox', path: voiceWebhookPath, read: (h, body, headers) => readVoiceWebhook(body, headers, h.settings.mediaSecret) })(house, said));
  }
  if (existsSync(webDist)) await serveScreens(app);

  const realtime = openRealtime(app, house, door.recognize);
  app.hear = realtime.hear;
  const tail = tailPublished(settings.databaseUrl!, db, log, realtime.hear);
  app.addHook('preClose', async () => { await tail.stop(); await realtime.close(); redis?.disconnect(); });
  await tail.ready;
  return app;
}

/** The built screens: hashed files for ever, the page itself never cached; every address without an extension is the page. */
async function serveScreens(app: FastifyInstance) {
  // `serve: false`: files are looked up when asked for, so a new build is served without a restart.
  await app.register(statics, { root: webDist, serve: false, cacheControl: false, setHeaders: (res, path) => { void res.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'); } });
  app.get('/*', async (request, reply) => {
    const path = request.url.split('?')[0]!;
    if (/^\/(api|sandbox|media|carriers|dev|docs|socket\.io)\//.test(path)) return reply.callNotFound();
    return reply.sendFile(/\.[a-z0-9]+$/i.test(path) ? path.slice(1) : 'index.html');
  });
}

/** A file by its signed address, whole or a range (players seek). Attachments unless they are picture, sound or PDF. */
async function serveFile(house: House, id: string, query: Record<string, string>, range: string | undefined, reply: import('fastify').FastifyReply) {
  const [companyId, fileId, expires] = [Number(query['company']), Number(id), Number(query['expires'])];
  const now = house.now();
  if (![companyId, fileId, expires].every(Number.isSafeInteger) || !house.files.verify(companyId, fileId, expires, String(query['signature'] ?? ''), now)) return reply.code(403).send({ message: 'Link expired. Please log in.', errors: [{ code: 'link.expired', title: 'Link expired. Please log in.', detail: 'Ask for the file again.' }] });
  const row = await house.db.within({ companyId }, (tx) => fileRow(tx, companyId, fileId));
  if (!row) return reply.callNotFound();
  const inline = /^(image\/(png|jpeg|gif|webp)|audio\/|video\/mp4|application\/pdf)/.test(row.content_type);
  void reply.headers({
    'content-type': row.content_type, 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=600', 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': `${inline && query['download'] !== '1' ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(row.name)}`,
  });
  const part = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (part && (part[1] || part[2])) {
    const start = part[1] ? Number(part[1]) : Math.max(0, row.bytes - Number(part[2]));
    const end = part[1] && part[2] ? Math.min(Number(part[2]), row.bytes - 1) : row.bytes - 1;
    if (start > end) return reply.code(416).header('content-range', `bytes */${row.bytes}`).send();
    return reply.code(206).headers({ 'content-range': `bytes ${start}-${end}/${row.bytes}`, 'content-length': String(end - start + 1) }).send(await house.files.bytes.stream(row.key, { start, end }));
  }
  return reply.header('content-length', String(row.bytes)).send(await house.files.bytes.stream(row.key));
}

/** The worker: relay, reactions, jobs, the clock. */
export async function openWorker(house: House) {
  const said = wakeRelay(house.db);
  const relay = startRelay(house.settings.databaseUrl!, house.log, reactions);
  const clock = calls.startCallClock(house, said);
  const queue = await startJobs(house.settings.databaseUrl!, house, said, jobs, reactions);
  return { stop: async () => { await clock.stop(); await relay.stop(); await queue.stop(); } };
}

/** The media process: the sandbox carrier's exchange. */
export const openMedia = async (house: House) =>
  // Loaded only here: WebRTC and Opus are no business of the other processes.
  (await import('./adapters/sandbox/switch/main-switch.ts')).startSwitch({
    port: house.settings.mediaPort, secret: house.settings.mediaSecret, publicWebUrl: `http://127.0.0.1:${house.settings.port}`, filesDir: join(house.settings.dataDir, 'media'),
    speech: house.ports.speech, troubleFile: join(house.settings.dataDir, 'trouble.json'), log: (message, detail) => house.log.info(detail ?? {}, message),
    // A prompt names its file as `company:file`, so that no id alone opens another company's greeting.
    fetchFile: async (name) => {
      const [companyId, fileId] = name.split(':').map(Number);
      if (!companyId || !fileId) return null;
      const row = await house.db.within({ companyId }, (tx) => fileRow(tx, companyId, fileId));
      return row ? house.files.bytes.get(row.key) : null;
    },
  });
