/**
 * The carriers of the table, one column each: how its far ends are played. To add one, write a
 * `Column` and name it in `call-scenarios.test.ts`; nothing else lists the carriers.
 */
import { announceIn } from '../../src/app/media.ts';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sweepCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import { isPerforming } from '../../src/modules/calls/runtime/perform-commands.ts';
import { admitSipLine } from '../../src/modules/calls/index.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { startExchange, type RunningExchange } from '../../src/exchange/start-exchange.ts';
import { toySpeech } from '../support/exchange-harness.ts';
import { currentFaults, noFaults, setFaults } from '../../src/adapters/sandbox/fault-injection.ts';
import { webhookKeyOf } from '../../src/adapters/bandwidth/client.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { invalidBxml } from './bxml-attributes.ts';
import type { BandwidthCall } from './bandwidth-mock/account.ts';
import { mockBandwidthVoice } from './bandwidth-mock/voice.ts';
import { invalidTwiml } from './twiml-attributes.ts';
import type { SimulatedCall } from './twilio-mock/account.ts';
import { mockTwilio } from './twilio-mock/voice-and-messaging.ts';

export type FaultKind = 'none' | 'twice' | 'reordered' | 'late';
/** An outside phone calling in, or a leg ringing one; opaque to the table. */
export type RemotePhone = { readonly id: string };
export interface CarrierFixture {
  carrier: string;
  /** For numbers of this carrier (B §3). */
  providerId: number;
  testApp: TestApp;
  /** The exchange that has the users' browsers, whichever carrier has the call. */
  exchange: Exchange;
  setFault(kind: FaultKind): void;
  callIn(from: string, to: string): Promise<RemotePhone>;
  ringing(number: string): Promise<RemotePhone[]>;
  answer(phone: RemotePhone, keys?: string): Promise<void>;
  decline(phone: RemotePhone): Promise<void>;
  /** From now on, or until called with `false`. */
  busy(number: string, on: boolean): void;
  press(phone: RemotePhone, keys: string): Promise<void>;
  hangUp(phone: RemotePhone): Promise<void>;
  /** What a phone has heard: `say …`, `play …`, `beep`. */
  heard(phone: RemotePhone): Promise<string[]>;
  talking(phone: RemotePhone): Promise<boolean>;
  /** Whether the carrier records the caller, as a call recording or a voicemail. */
  recording(phone: RemotePhone): Promise<boolean>;
  /**
   * Leaves a voicemail this many seconds long; resolves when it was spoken. A simulated phone's
   * voicemail has exactly this length, however slow the machine.
   */
  speakFor(phone: RemotePhone, seconds: number): Promise<void>;
  /** Delivers webhooks to this server from now on, as after a restart. */
  deliverTo?(app: TestApp['server']): void;
  /** Violations found over all calls; empty when there are none. */
  complaints(): string[];
  close(): Promise<void>;
}
interface CarrierCase {
  name: string;
  open(): Promise<CarrierFixture>;
}

/** Options of a test app so that its exchange runs and carriers reach it. */
export async function exchangePorts() {
  const [port, mediaPort, sipPort] = [await freePort(), await freePort(), await freePort()];
  return {
    port,
    mediaPort,
    sipPort,
    env: {
      PORT: String(port),
      MEDIA_PORT: String(mediaPort),
      MEDIA_SECRET: 'a secret of at least sixteen',
      SIP_PORT: String(sipPort),
      SIP_PUBLIC: `127.0.0.1:${sipPort}`,
    },
  };
}
/**
 * Our own exchange beside a test app, with its SIP port: browsers join it, and carriers connect
 * their interconnects.
 */
export async function startTestExchange(
  app: TestApp,
  ports: Awaited<ReturnType<typeof exchangePorts>>,
): Promise<RunningExchange> {
  await app.server.listen({ port: ports.port, host: '127.0.0.1' });
  return startAnotherExchange(app, ports);
}
/** One of several beside a test app. */
export function startAnotherExchange(
  app: TestApp,
  { port, mediaPort, sipPort }: Omit<Awaited<ReturnType<typeof exchangePorts>>, 'env'>,
): Promise<RunningExchange> {
  return startExchange({
    faults: currentFaults,
    port: mediaPort,
    secret: app.services.settings.mediaSecret,
    announce: announceIn(app.services, `127.0.0.1:${sipPort}`),
    publicWebUrl: () => `http://127.0.0.1:${port}`,
    filesDir: join(app.services.settings.dataDir, 'media'),
    speech: toySpeech,
    promptPace: 20,
    unreachableAfterMs: 200,
    audioTimeoutMs: 60_000,
    sip: {
      port: sipPort,
      host: '127.0.0.1',
      realm: 'phones.test',
      findUser: () => Promise.resolve(null),
      placeCall: () => Promise.resolve({ status: 403, reason: 'Nobody dials here.' }),
      onPresence: () => Promise.resolve(),
      interconnects: {
        at: { host: '127.0.0.1', port: sipPort, address: '127.0.0.1' },
        admit: (token) => admitSipLine(app.services, token),
      },
    },
  });
}

export const sandboxCase: CarrierCase = {
  name: 'sandbox',
  async open() {
    const ports = await exchangePorts();
    const { port } = ports;
    const app = await createTestApp({ clock: 'still', env: ports.env });
    const running = await startTestExchange(app, ports);
    const { exchange } = running;
    const busy = new Set<string>();
    // A busy phone reports that as soon as it is rung.
    const refuse = setInterval(() => {
      for (const leg of exchange.legs.values())
        if (
          leg.state === 'ringing' &&
          leg.direction === 'out' &&
          leg.farEnd.kind === 'phone' &&
          busy.has(leg.farEnd.number)
        )
          exchange.end(leg, 'busy', 'busy');
    }, 10);
    const ask = async <T>(method: string, path: string, body?: object): Promise<T> =>
      (await (
        await fetch(`http://127.0.0.1:${port}/sandbox${path}`, {
          method,
          ...(body
            ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
            : {}),
        })
      ).json()) as T;
    return {
      carrier: 'sandbox',
      providerId: 1,
      testApp: app,
      exchange,
      setFault: (kind) =>
        void setFaults({
          ...noFaults,
          duplicateRate: kind === 'twice' ? 1 : 0,
          reorderRate: kind === 'reordered' ? 0.5 : 0,
          lateReceiptsMs: kind === 'late' ? 200 : 0,
        }),
      callIn: async (from, to) => ({
        id: (
          await ask<{ data: { id: string } }>('POST', '/calls', {
            from,
            to,
            speech: 'This is what I wanted to say, please call me back about it tomorrow',
          })
        ).data.id,
      }),
      ringing: (number) => ask<RemotePhone[]>('GET', `/phones/${number}/ringing`),
      answer: async ({ id }, keys) =>
        void (await ask('POST', `/legs/${id}/answer`, keys ? { keys } : {})),
      decline: async ({ id }) => void (await ask('POST', `/legs/${id}/reject`)),
      busy: (number, on) => void (on ? busy.add(number) : busy.delete(number)),
      press: async ({ id }, digits) => void (await ask('POST', `/calls/${id}/keys`, { digits })),
      hangUp: async ({ id }) => exchange.end(exchange.legs.get(id)!, 'hangup', 'hangup'),
      heard: async ({ id }) =>
        exchange.legs
          .get(id)
          ?.heard.map((h) =>
            h.kind === 'say' || h.kind === 'play' ? `${h.kind} ${h.what}` : h.kind,
          ) ?? [],
      talking: async ({ id }) =>
        exchange.legs.get(id)?.heard.some((h) => h.kind === 'bridge') ?? false,
      recording: async () => true,
      speakFor: async ({ id }, seconds) => {
        // Timed from when it is recorded: on a busy machine the beep takes longer than its tone.
        await expect
          .poll(() => exchange.recordings.isLeavingVoicemail(exchange.legs.get(id)!), {
            timeout: 30_000,
            interval: 5,
          })
          .toBe(true);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      },
      complaints: () => [],
      close: async () => {
        clearInterval(refuse);
        setFaults(noFaults);
        await running.close();
      },
    };
  },
};

export const twilioAccount = {
  accountSid: `AC${'4'.repeat(32)}`,
  authToken: 'the token of a simulated account',
  publicUrl: 'https://phones.example.test',
};
/** A test app whose carrier is a simulated Twilio. */
export async function createTwilioApp(more: { env?: Record<string, string> } = {}) {
  let app: TestApp['server'] | null = null;
  const deliver = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await app!.inject({ method: 'POST', url: path, payload: body, headers });
    return { status: answer.statusCode, body: answer.body };
  };
  const twilio = await mockTwilio({ ...twilioAccount, deliver });
  const testApp = await createTestApp({
    clock: 'still',
    env: {
      CARRIER: 'twilio',
      PUBLIC_URL: twilioAccount.publicUrl,
      TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
      TWILIO_AUTH_TOKEN: twilioAccount.authToken,
      TWILIO_API_URL: twilio.url,
      ...more.env,
    },
  });
  app = testApp.server;
  return {
    twilio,
    world: testApp,
    deliverTo: (to: TestApp['server']) => {
      app = to;
    },
  };
}

export const twilioCase: CarrierCase = {
  name: 'twilio',
  async open() {
    const ports = await exchangePorts();
    const { twilio, world: app, deliverTo } = await createTwilioApp({ env: ports.env });
    twilio.pace.keys = 1000;
    const running = await startTestExchange(app, ports);
    const call = (phone: RemotePhone): SimulatedCall => twilio.calls.get(phone.id)!;
    return {
      carrier: 'twilio',
      providerId: 3,
      testApp: app,
      exchange: running.exchange,
      deliverTo,
      setFault: (kind) =>
        void Object.assign(twilio.faults, {
          twice: kind === 'twice',
          reordered: kind === 'reordered',
          lateMs: kind === 'late' ? 200 : 0,
        }),
      callIn: async (from, to) => ({ id: twilio.callIn(from, to).sid }),
      ringing: async (number) => twilio.ringing(number).map((c) => ({ id: c.sid })),
      answer: async (phone, keys) => twilio.answer(call(phone), keys ?? ''),
      decline: async (phone) => twilio.end(call(phone), 'busy', '603'),
      busy: (number, on) => void (on ? twilio.busy.add(number) : twilio.busy.delete(number)),
      press: async (phone, keys) => twilio.press(call(phone), keys),
      hangUp: async (phone) =>
        twilio.end(
          call(phone),
          call(phone).status === 'ringing' && call(phone).direction === 'inbound'
            ? 'no-answer'
            : 'completed',
        ),
      heard: async (phone) => call(phone).heard,
      talking: async (phone) => twilio.talking(call(phone)),
      recording: async (phone) => call(phone).recording !== null || call(phone).message !== null,
      speakFor: async (phone, seconds) => {
        call(phone).messageSeconds = Math.floor(seconds);
        while (call(phone).message === null) await new Promise((resolve) => setTimeout(resolve, 5));
      },
      complaints: () => [...twilio.errors, ...new Set(twilio.documents.flatMap(invalidTwiml))],
      close: async () => {
        await running.close();
        await twilio.close();
      },
    };
  },
};

export const bandwidthAccount = {
  accountId: '9900000',
  username: 'api',
  password: 'the password of a simulated user',
  publicUrl: 'https://phones.example.test',
  webhook: { username: 'reports', password: 'hush' },
  secret: 'ab'.repeat(32),
};
const bandwidthEnv = (url: string): Record<string, string> => ({
  PUBLIC_URL: bandwidthAccount.publicUrl,
  APP_SECRET: bandwidthAccount.secret,
  BANDWIDTH_ACCOUNT_ID: bandwidthAccount.accountId,
  BANDWIDTH_USERNAME: bandwidthAccount.username,
  BANDWIDTH_PASSWORD: bandwidthAccount.password,
  BANDWIDTH_MESSAGING_APPLICATION_ID: 'text-app',
  BANDWIDTH_VOICE_APPLICATION_ID: 'voice-app',
  BANDWIDTH_SITE_ID: '2297',
  BANDWIDTH_PEER_ID: '500709',
  BANDWIDTH_WEBHOOK_USERNAME: bandwidthAccount.webhook.username,
  BANDWIDTH_WEBHOOK_PASSWORD: bandwidthAccount.webhook.password,
  BANDWIDTH_API_URL: url,
});
/** A test app whose carrier is a simulated Bandwidth. */
export async function createBandwidthApp(more: { env?: Record<string, string> } = {}) {
  let app: TestApp['server'] | null = null;
  const bandwidth = await mockBandwidthVoice({
    ...bandwidthAccount,
    key: webhookKeyOf(bandwidthAccount.secret),
    deliver: async (path, body, headers) => {
      const answer = await app!.inject({ method: 'POST', url: path, payload: body, headers });
      return { status: answer.statusCode, body: answer.body };
    },
  });
  const testApp = await createTestApp({
    clock: 'still',
    env: { CARRIER: 'bandwidth', ...bandwidthEnv(bandwidth.url), ...more.env },
  });
  app = testApp.server;
  return {
    bandwidth,
    world: testApp,
    deliverTo: (to: TestApp['server']) => {
      app = to;
    },
  };
}

/**
 * Whether the command that rings someone in this call was tried and returned. The phone rings a
 * moment before that.
 */
export async function ringAttempted(app: TestApp, carrierCall: string): Promise<boolean> {
  const rows = await app.services.db.unscoped
    .selectFrom('call_command as c')
    .innerJoin('carrier_call_index as d', 'd.call_id', 'c.call_id')
    .select(['c.command', 'c.tries', 'c.done_at'])
    .where('d.carrier_call', '=', carrierCall)
    .execute();
  return rows.some(
    (row) =>
      (row.command as { do: string }).do === 'createLeg' && (row.tries > 0 || row.done_at !== null),
  );
}

/**
 * Advances the product's clock by this many seconds and sweeps the calls, once this call performs
 * no commands: the sweep skips busy calls.
 */
export async function tickCallAfter(
  app: TestApp,
  carrierCall: string,
  seconds: number,
): Promise<void> {
  const { company_id: companyId, call_id: callId } = await app.services.db.unscoped
    .selectFrom('carrier_call_index')
    .select(['company_id', 'call_id'])
    .where('carrier_call', '=', carrierCall)
    .executeTakeFirstOrThrow();
  await expect.poll(() => isPerforming({ companyId, callId }), { timeout: 30_000 }).toBe(false);
  app.clock.advance(seconds);
  await sweepCalls(app.services, app.notifier);
}

/** One server with both carriers. */
export async function createTwoCarrierApp() {
  let app: TestApp | null = null;
  const deliver = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await app!.server.inject({ method: 'POST', url: path, payload: body, headers });
    return { status: answer.statusCode, body: answer.body };
  };
  const twilio = await mockTwilio({ ...twilioAccount, deliver });
  const bandwidth = await mockBandwidthVoice({
    ...bandwidthAccount,
    key: webhookKeyOf(bandwidthAccount.secret),
    deliver,
  });
  app = await createTestApp({
    clock: 'still',
    env: {
      CARRIER: 'twilio,bandwidth',
      ...bandwidthEnv(bandwidth.url),
      TWILIO_ACCOUNT_SID: twilioAccount.accountSid,
      TWILIO_AUTH_TOKEN: twilioAccount.authToken,
      TWILIO_API_URL: twilio.url,
    },
  });
  return {
    twilio,
    bandwidth,
    world: app,
    close: () => Promise.all([twilio.close(), bandwidth.close()]),
  };
}

export const bandwidthCase: CarrierCase = {
  name: 'bandwidth',
  async open() {
    const ports = await exchangePorts();
    const { bandwidth, world: app, deliverTo } = await createBandwidthApp({ env: ports.env });
    bandwidth.pace.keys = 1000;
    const running = await startTestExchange(app, ports);
    const call = (phone: RemotePhone): BandwidthCall => bandwidth.calls.get(phone.id)!;
    return {
      carrier: 'bandwidth',
      providerId: 1,
      testApp: app,
      exchange: running.exchange,
      deliverTo,
      setFault: (kind) =>
        void Object.assign(bandwidth.faults, {
          twice: kind === 'twice',
          reordered: kind === 'reordered',
          lateMs: kind === 'late' ? 200 : 0,
        }),
      callIn: async (from, to) => ({ id: bandwidth.callIn(from, to).callId }),
      ringing: async (number) => bandwidth.ringing(number).map((c) => ({ id: c.callId })),
      answer: async (phone, keys) => bandwidth.answer(call(phone), keys ?? ''),
      decline: async (phone) => bandwidth.end(call(phone), 'rejected'),
      busy: (number, on) => void (on ? bandwidth.busy.add(number) : bandwidth.busy.delete(number)),
      press: async (phone, keys) => bandwidth.press(call(phone), keys),
      hangUp: async (phone) =>
        bandwidth.end(call(phone), call(phone).state === 'answered' ? 'hangup' : 'cancel'),
      heard: async (phone) => call(phone).heard,
      talking: async (phone) => bandwidth.talking(call(phone)),
      recording: async (phone) => call(phone).recording !== null || call(phone).message !== null,
      speakFor: async (phone, seconds) => {
        call(phone).messageSeconds = Math.floor(seconds);
        while (call(phone).message === null) await new Promise((resolve) => setTimeout(resolve, 5));
      },
      complaints: () => [...bandwidth.errors, ...new Set(bandwidth.documents.flatMap(invalidBxml))],
      close: async () => {
        await running.close();
        await bandwidth.close();
      },
    };
  },
};
