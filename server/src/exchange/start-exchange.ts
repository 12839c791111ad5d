/**
 * The sandbox's telephone exchange: a small telecom of its own, in the media process. It owns legs and sound;
 * it learns what to do by POST /commands and tells what happened by webhook. Nothing of it survives a restart:
 * a leg it no longer knows is answered 404, and the product reconciles.
 */
import Fastify from 'fastify';
import { join } from 'node:path';
import { Agent } from 'undici';
import { bindPort, PortInUseError } from '../platform/bind-port.ts';
import type { SpeechGateway } from '../gateways/speech.ts';
import { shareFaultsIn } from '../adapters/sandbox/fault-injection.ts';
import { secretHeader } from '../adapters/sandbox/voice.ts';
import { controlHttp } from './control-http.ts';
import { Devices } from './devices.ts';
import { Exchange } from './exchange.ts';
import { mediaHttp, sweepDevices } from './media-http.ts';
import { CommandRunner } from './command-runner.ts';
import { scriptedPhonesHttp } from './scripted-phones-http.ts';
import { Recordings } from './recordings.ts';
import { WebhookReporter } from './webhook-reporter.ts';
import type { SipOptions } from './sip/sip-options.ts';
import { Sounds } from './sounds.ts';
import { startTicker } from './ticker.ts';

export interface ExchangeOptions {
  /** 0 takes any free port. */
  port: number;
  /** Where `port` or the SIP port is busy, the next free one is as good; otherwise a busy `port` is an error, and a busy SIP port leaves SIP out. */
  movePorts?: boolean;
  /** The web process is about to bind this one. */
  avoidPort?: number;
  /** Only the web and worker processes need to reach it, so it listens on this machine alone unless told otherwise. */
  host?: string;
  /** Shared with the web process: signs webhooks, recordings' addresses and media tokens, and opens /commands. */
  secret: string;
  /** The web process as seen from here now, e.g. `http://127.0.0.1:3000`; webhooks go to its /carriers/sandbox/voice. */
  publicWebUrl: () => string;
  /** A folder of our own: recordings wait here to be fetched (24 h), spoken prompts are kept. */
  filesDir: string;
  speech: SpeechGateway;
  /**
   * The bytes of a file named in a `play` prompt (WAV); null when there is none. Without it the web process is asked:
   * `GET {publicWebUrl}/carriers/sandbox/files/{fileId}` with the shared secret in `x-sandbox-secret`.
   */
  fetchFile?: (fileId: string) => Promise<Uint8Array | null>;
  /** Where the trouble switches are kept; the same path as in the web process. Left out: set by `keepTroubleIn`, or none. */
  faultsFile?: string;
  /** Calls between two browsers carried at once (30, measured), and twenty times as many of scripted phones; above it callers hear busy. */
  maxCalls?: number;
  /** UDP ports for sound, for firewalls; any free ones when left out. */
  udpPorts?: [number, number];
  /** Where this machine is reached from outside, when no address of its own is that: browsers are told. */
  publicAddress?: string | undefined;
  /** How much faster prompts pass on legs that nobody listens to (scripted phones); 1 is real time. For tests. */
  promptPace?: number;
  /** How long a user without any open page is waited for, before the leg is given up as unreachable. */
  unreachableAfterMs?: number;
  /** How long a browser's sound may take to come through before its call is given up: 10 s. */
  audioTimeoutMs?: number;
  /** The SIP front door; none when left out. */
  sip?: Omit<SipOptions, 'log' | 'secret' | 'udpPorts'>;
  log?: (message: string, detail?: object) => void;
}

export interface RunningExchange {
  port: number;
  url: string;
  /** Where SIP phones find it; null: they do not. */
  sipPort: number | null;
  exchange: Exchange;
  /** Ends every leg without a report and stops listening. */
  close(): Promise<void>;
}

export async function startExchange(options: ExchangeOptions): Promise<RunningExchange> {
  const { secret } = options;
  const log = options.log ?? (() => undefined);
  if (options.faultsFile !== undefined) shareFaultsIn(options.faultsFile);

  const web = new Agent({ connections: 4, headersTimeout: 10_000 });
  const sounds = new Sounds(
    options.speech,
    options.fetchFile ??
      ((fileId) => fetchFileFromWeb(web, options.publicWebUrl(), secret, fileId)),
    log,
  );
  const devices = new Devices();
  const recordings = new Recordings(join(options.filesDir, 'recordings'), secret);
  const reporter = new WebhookReporter(options.publicWebUrl, secret, log);
  const exchange = new Exchange(
    sounds,
    devices,
    recordings,
    reporter,
    options.maxCalls ?? 30,
    options.unreachableAfterMs ?? 5000,
    log,
  );

  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  controlHttp(app, exchange, new CommandRunner(exchange, options.promptPace ?? 1), secret);
  scriptedPhonesHttp(app, exchange, secret);
  mediaHttp(app, exchange, secret, options.udpPorts, options.publicAddress, options.audioTimeoutMs);
  const host = options.host ?? '127.0.0.1';
  const port = await bindPort(
    options.port,
    { mayMove: options.movePorts ?? false, setting: 'MEDIA_PORT', avoid: options.avoidPort },
    async (wanted) => Number(new URL(await app.listen({ port: wanted, host })).port),
  );
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  recordings.open(exchange, url);

  // Phones are extra: an exchange whose SIP port is taken goes on without them.
  const sip = options.sip
    ? await startSip(exchange, { ...options.sip, secret, udpPorts: options.udpPorts, log }, options)
    : null;

  const stopTicking = startTicker((nowMs) => exchange.tick(nowMs));
  const sweeping = setInterval(() => {
    exchange.sweep(performance.now());
    sweepDevices(devices, exchange, performance.now());
  }, 1000);
  const cleaning = setInterval(() => recordings.deleteExpired(), 60 * 60_000);
  // Made before the first call, because making music takes a tenth of a second of the processor.
  void (async () => {
    await sounds.ringing();
    await sounds.beep();
    for (const id of [1, 2, 3]) await sounds.music(id);
  })();

  return {
    port,
    url,
    sipPort: sip?.port ?? null,
    exchange,
    async close() {
      stopTicking();
      clearInterval(sweeping);
      clearInterval(cleaning);
      await reporter.close();
      await sip?.close();
      for (const leg of exchange.legs.values())
        exchange.end(leg, 'failed', 'exchangeStopped', true);
      await Promise.all([app.close(), web.destroy()]);
    },
  };
}

async function fetchFileFromWeb(
  web: Agent,
  origin: string,
  secret: string,
  fileId: string,
): Promise<Uint8Array | null> {
  const answer = await web.request({
    origin,
    method: 'GET',
    path: `/carriers/sandbox/files/${encodeURIComponent(fileId)}`,
    headers: { [secretHeader]: secret },
  });
  if (answer.statusCode === 200) return new Uint8Array(await answer.body.arrayBuffer());
  await answer.body.dump();
  return null;
}

/** At the wanted port or, where it may move, the next one that is free. Null: none was. */
async function startSip(
  exchange: Exchange,
  options: SipOptions,
  { movePorts = false, avoidPort }: Pick<ExchangeOptions, 'movePorts' | 'avoidPort'>,
) {
  const { openSipServer } = await import('./sip/sip-server.ts');
  const opened: Awaited<ReturnType<typeof openSipServer>>[] = [];
  try {
    await bindPort(
      options.port,
      { mayMove: movePorts, setting: 'SIP_PORT', avoid: avoidPort },
      async (port) => {
        const server = await openSipServer(exchange, { ...options, port });
        opened.push(server);
        return server.port;
      },
    );
  } catch (error) {
    if (!(error instanceof PortInUseError)) throw error;
    options.log('The SIP port is taken; SIP phones cannot register', { port: options.port });
  }
  return opened[0] ?? null;
}
