/**
 * The telephone exchange, which runs in the media process. It owns legs and audio, gets commands by
 * POST /commands and reports events by webhook. Nothing of it survives a restart: a leg it no
 * longer knows is answered 404, and the product reconciles.
 */
import Fastify from 'fastify';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { bindPort } from '../platform/bind-port.ts';
import type { SpeechGateway } from '../gateways/speech.ts';
import { noFaults, type ExchangeFaults } from './faults.ts';
import { controlHttp } from './control-http.ts';
import { Devices } from './devices.ts';
import { Exchange } from './exchange.ts';
import { fetchFileFromWeb } from './fetch-file.ts';
import { LegEvents } from './leg-events.ts';
import { mediaHttp } from './media-http.ts';
import { CommandRunner } from './command-runner.ts';
import { scriptedPhonesHttp } from './scripted-phones-http.ts';
import { Recordings } from './recordings.ts';
import { WebhookReporter } from './webhook-reporter.ts';
import { relayHttp, type Relay } from './sip/relay.ts';
import { startSip } from './sip/start-sip.ts';
import type { SipOptions } from './sip/sip-options.ts';
import { Sounds } from './sounds.ts';
import { sweepDevices } from './sweep-devices.ts';
import { startTicker } from './ticker.ts';

export interface ExchangeOptions {
  /** 0: any free port. */
  port: number;
  /**
   * When a port is in use, take the next free one. Otherwise a `port` in use is an error, and a SIP
   * port in use leaves SIP out.
   */
  movePorts?: boolean;
  /** A port not to take, because the web process is about to bind it. */
  avoidPort?: number;
  /**
   * The address to listen at. Only the web and worker processes connect, so the default is the
   * loopback.
   */
  host?: string;
  /** Tells the other processes of it, once they reach it at `url`, and of its end. */
  announce?: (
    exchange: Exchange,
    url: string,
  ) => Promise<{ id: () => string; stop(): Promise<void> }>;
  /** Where they reach it, when that isn't at `host`. */
  reachedAt?: string | undefined;
  /**
   * Shared with the web process: signs webhooks, recording URLs and media tokens, and authorizes
   * /commands.
   */
  secret: string;
  /**
   * Base URL of the web process, e.g. `http://127.0.0.1:3000`; webhooks go to its
   * /carriers/sandbox/voice.
   */
  publicWebUrl: () => string;
  /** A folder for recordings that wait to be fetched (24 h). */
  filesDir: string;
  speech: SpeechGateway;
  /**
   * The bytes of a file named in a `play` prompt (WAV); null when there is none. By default from
   * the web process: `GET {publicWebUrl}/carriers/sandbox/files/{fileId}` with the shared secret in
   * `x-sandbox-secret`.
   */
  fetchFile?: (fileId: string) => Promise<Uint8Array | null>;
  /** What goes wrong on purpose now; nothing by default. For the simulated carrier. */
  faults?: () => ExchangeFaults;
  /**
   * Calls between two browsers at once: 30 by default (measured). Twenty times as many without
   * audio. Above that callers hear busy.
   */
  maxCalls?: number;
  /** First and last UDP port for audio, for firewalls; any free ones when left out. */
  udpPorts?: [number, number];
  /**
   * The address this machine is reached at from outside, when it is behind a NAT: offered to
   * browsers.
   */
  publicAddress?: string | undefined;
  /**
   * How much faster prompts play on legs without audio (scripted phones); 1 is real time. For
   * tests.
   */
  promptPace?: number;
  /**
   * How long to wait for a user without a device before the leg ends as unreachable; 5 s by
   * default.
   */
  unreachableAfterMs?: number;
  /** How long a browser's audio may take to connect before its call ends; 10 s by default. */
  audioTimeoutMs?: number;
  /** The SIP server; none when left out. */
  sip?: Omit<SipOptions, 'log' | 'secret' | 'udpPorts' | 'url'>;
  log?: (message: string, detail?: object) => void;
}

export interface RunningExchange {
  port: number;
  url: string;
  /** Null: there is no SIP server. */
  sipPort: number | null;
  exchange: Exchange;
  /**
   * Takes no new calls and waits until those that are up have ended and the product has heard of it,
   * for `ms` at most; then another minute for recordings to be fetched.
   */
  drain(ms: number): Promise<void>;
  /** Ends every leg without an event and stops listening. */
  close(): Promise<void>;
}

/** Rejects when the port is in use. */
export async function startExchange(options: ExchangeOptions): Promise<RunningExchange> {
  const { secret, publicWebUrl } = options;
  const log = options.log ?? (() => undefined);
  const faults = options.faults ?? (() => noFaults);

  const web = new Agent({ connections: 4, headersTimeout: 10_000 });
  const fetchFile =
    options.fetchFile ?? ((fileId) => fetchFileFromWeb(web, publicWebUrl(), secret, fileId));
  const reporter = new WebhookReporter(publicWebUrl, secret, log, faults);
  const exchange = new Exchange(
    new Sounds(options.speech, fetchFile, log),
    new Devices(),
    new Recordings(join(options.filesDir, 'recordings'), secret),
    new LegEvents(reporter),
    options.maxCalls ?? 30,
    options.unreachableAfterMs ?? 5000,
    log,
  );
  let sip: Awaited<ReturnType<typeof startSip>> = null;
  const { app, port, url } = await listen(exchange, options, () => sip?.relay ?? null);
  exchange.recordings.open(exchange, url);
  // Before carriers reach it: from now on it says which one it is.
  const announced = await options.announce?.(exchange, url);
  if (announced) exchange.id = announced.id;

  // SIP phones are optional: when the SIP port is in use the exchange runs without them.
  sip = options.sip
    ? await startSip(
        exchange,
        { ...options.sip, secret, udpPorts: options.udpPorts, url, log },
        options,
      )
    : null;
  const stopClocks = startClocks(exchange);
  void prepareSounds(exchange.sounds);

  return {
    port,
    url,
    sipPort: sip?.port ?? null,
    exchange,
    async drain(ms) {
      exchange.draining = true;
      if (ms === 0) return;
      await until(() => exchange.calls === 0 && !reporter.isWaiting, ms);
      await until(() => !exchange.recordings.isWaiting && !reporter.isWaiting, recordingsMs);
    },
    async close() {
      stopClocks();
      await reporter.close();
      await sip?.close();
      for (const leg of exchange.legs.values())
        exchange.end(leg, 'failed', 'exchangeStopped', true);
      await Promise.all([app.close(), web.destroy()]);
      await announced?.stop();
    },
  };
}

/** How long a process that stops waits for its recordings to be fetched. */
const recordingsMs = 60_000;

async function until(holds: () => boolean, ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (!holds() && performance.now() < end) await pause(50);
}

async function listen(exchange: Exchange, options: ExchangeOptions, relay: () => Relay | null) {
  const { secret, host = '127.0.0.1', faults = () => noFaults } = options;
  const app = Fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  const commandRunner = new CommandRunner(exchange, options.promptPace ?? 1);
  controlHttp(app, exchange, commandRunner, { secret, faults });
  scriptedPhonesHttp(app, exchange, secret);
  mediaHttp(app, exchange, options);
  relayHttp(app, secret, relay);
  const port = await bindPort(
    options.port,
    { mayMove: options.movePorts ?? false, setting: 'MEDIA_PORT', avoid: options.avoidPort },
    async (wanted) => Number(new URL(await app.listen({ port: wanted, host })).port),
  );
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { app, port, url: options.reachedAt ?? address };
}

/** Returns a function that stops them. */
function startClocks(exchange: Exchange): () => void {
  const { devices, recordings } = exchange;
  const stopTicking = startTicker((nowMs) => exchange.tick(nowMs));
  const sweeping = setInterval(() => {
    exchange.sweep(performance.now());
    sweepDevices(devices, exchange, performance.now());
  }, 1000);
  const cleaning = setInterval(() => recordings.deleteExpired(), 60 * 60_000);
  return () => {
    stopTicking();
    clearInterval(sweeping);
    clearInterval(cleaning);
  };
}

/**
 * Generates tones and music before the first call: music takes a tenth of a second of processor
 * time.
 */
async function prepareSounds(sounds: Sounds): Promise<void> {
  await sounds.ringing();
  await sounds.beep();
  for (const id of [1, 2, 3]) await sounds.music(id);
}
