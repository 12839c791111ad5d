/**
 * The carriers of the table, each as a column: how its far ends are played. To add one, write a `Column` and name it in
 * `call-scenarios.test.ts`; nothing else knows which carriers there are.
 */
import { join } from 'node:path';
import { expect } from 'vitest';
import { sweepCalls } from '../../src/modules/calls/call-clock.ts';
import { isPerforming } from '../../src/modules/calls/perform-commands.ts';
import { admitSipLine } from '../../src/modules/calls/index.ts';
import type { Exchange } from '../../src/adapters/sandbox/switch/exchange.ts';
import { startSwitch, type RunningSwitch } from '../../src/adapters/sandbox/switch/main-switch.ts';
import { toySpeech } from '../../src/adapters/sandbox/switch/a-switch.ts';
import { noTrouble, setTrouble } from '../../src/adapters/sandbox/trouble.ts';
import { addressKey } from '../../src/adapters/bandwidth/desk.ts';
import { freePort } from '../ports.ts';
import { aWorld, type World } from '../world.ts';
import { wrongInBxml } from './bxml-attributes.ts';
import { simulatedBandwidth, type BandwidthCall } from './simulated-bandwidth.ts';
import { wrongInTwiml } from './twiml-attributes.ts';
import { simulatedTwilio, type SimulatedCall } from './simulated-twilio.ts';

export type TroubleKind = 'none' | 'twice' | 'reordered' | 'late';
/** An outside phone calling in, or a leg ringing at one; opaque to the table. */
export type Phone = { readonly id: string };
export interface FarEnds {
  carrier: string;
  /** Of numbers that this carrier carries (B §3). */
  providerId: number;
  world: World;
  /** Where people's browsers are, whoever carries the call. */
  exchange: Exchange;
  trouble(kind: TroubleKind): void;
  callIn(from: string, to: string): Promise<Phone>;
  ringing(number: string): Promise<Phone[]>;
  answer(phone: Phone, keys?: string): Promise<void>;
  decline(phone: Phone): Promise<void>;
  /** From now on, or until `false`. */
  busy(number: string, on: boolean): void;
  press(phone: Phone, keys: string): Promise<void>;
  hangUp(phone: Phone): Promise<void>;
  /** What a phone has heard: `say …`, `play …`, `beep`. */
  heard(phone: Phone): Promise<string[]>;
  talking(phone: Phone): Promise<boolean>;
  /** The carrier records what this caller says, as a talk or as a message. */
  recording(phone: Phone): Promise<boolean>;
  /** Say so many seconds as a message; resolves when they are said. A simulated phone's message is as long as it is told, however slow this machine. */
  speakFor(phone: Phone, seconds: number): Promise<void>;
  /** Reports go to this server from now on: what a restart does. */
  deliverTo?(app: World['app']): void;
  /** Things that must not be so after all calls. */
  complaints(): string[];
  close(): Promise<void>;
}
export interface Column {
  name: string;
  open(): Promise<FarEnds>;
}

/** What a world is told so that its exchange runs, and carriers reach it. */
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
/** Our own exchange beside a world, with its SIP door: people's browsers are there, and carriers' lines come in. */
export async function anExchange(
  world: World,
  { port, mediaPort, sipPort }: Awaited<ReturnType<typeof exchangePorts>>,
): Promise<RunningSwitch> {
  await world.app.listen({ port, host: '127.0.0.1' });
  return startSwitch({
    port: mediaPort,
    secret: world.house.settings.mediaSecret,
    publicWebUrl: () => `http://127.0.0.1:${port}`,
    filesDir: join(world.house.settings.dataDir, 'media'),
    speech: toySpeech,
    promptPace: 20,
    unreachableAfterMs: 200,
    soundWithinMs: 60_000,
    sip: {
      port: sipPort,
      host: '127.0.0.1',
      realm: 'phones.test',
      whoIs: () => Promise.resolve(null),
      place: () => Promise.resolve({ status: 403, reason: 'Nobody dials here.' }),
      present: () => Promise.resolve(),
      lines: {
        at: { host: '127.0.0.1', port: sipPort, address: '127.0.0.1' },
        admit: (token) => admitSipLine(world.house, token),
      },
    },
  });
}

export const sandboxColumn: Column = {
  name: 'sandbox',
  async open() {
    const ports = await exchangePorts();
    const { port } = ports;
    const world = await aWorld({ clock: 'still', env: ports.env });
    const running = await anExchange(world, ports);
    const { exchange } = running;
    const busy = new Set<string>();
    // A phone in use says so as soon as it is rung.
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
      world,
      exchange,
      trouble: (kind) =>
        void setTrouble({
          ...noTrouble,
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
      ringing: (number) => ask<Phone[]>('GET', `/phones/${number}/ringing`),
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
        // Counted from when it is written down: on a busy machine the beep takes longer than it sounds.
        await expect
          .poll(() => exchange.recordings.voicemailOf(exchange.legs.get(id)!), {
            timeout: 30_000,
            interval: 5,
          })
          .toBe(true);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      },
      complaints: () => [],
      close: async () => {
        clearInterval(refuse);
        setTrouble(noTrouble);
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
/** A world whose carrier is a simulated Twilio. */
export async function aTwilioWorld(more: { env?: Record<string, string> } = {}) {
  let app: World['app'] | null = null;
  const deliver = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await app!.inject({ method: 'POST', url: path, payload: body, headers });
    return { status: answer.statusCode, body: answer.body };
  };
  const twilio = await simulatedTwilio({ ...twilioAccount, deliver });
  const world = await aWorld({
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
  app = world.app;
  return {
    twilio,
    world,
    deliverTo: (to: World['app']) => {
      app = to;
    },
  };
}

export const twilioColumn: Column = {
  name: 'twilio',
  async open() {
    const ports = await exchangePorts();
    const { twilio, world, deliverTo } = await aTwilioWorld({ env: ports.env });
    twilio.pace.keys = 1000;
    const running = await anExchange(world, ports);
    const call = (phone: Phone): SimulatedCall => twilio.calls.get(phone.id)!;
    return {
      carrier: 'twilio',
      providerId: 3,
      world,
      exchange: running.exchange,
      deliverTo,
      trouble: (kind) =>
        void Object.assign(twilio.trouble, {
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
      complaints: () => [...twilio.errors, ...new Set(twilio.documents.flatMap(wrongInTwiml))],
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
export const bandwidthEnv = (url: string): Record<string, string> => ({
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
/** A world whose carrier is a simulated Bandwidth. */
export async function aBandwidthWorld(more: { env?: Record<string, string> } = {}) {
  let app: World['app'] | null = null;
  const bandwidth = await simulatedBandwidth({
    ...bandwidthAccount,
    key: addressKey(bandwidthAccount.secret),
    deliver: async (path, body, headers) => {
      const answer = await app!.inject({ method: 'POST', url: path, payload: body, headers });
      return { status: answer.statusCode, body: answer.body };
    },
  });
  const world = await aWorld({
    clock: 'still',
    env: { CARRIER: 'bandwidth', ...bandwidthEnv(bandwidth.url), ...more.env },
  });
  app = world.app;
  return {
    bandwidth,
    world,
    deliverTo: (to: World['app']) => {
      app = to;
    },
  };
}

/** Has the wish to ring somebody in this call come back to us without an answer? The phone rings a moment before. */
export async function ringTried(world: World, carrierCall: string): Promise<boolean> {
  const rows = await world.house.db.directory
    .selectFrom('call_command as c')
    .innerJoin('call_directory as d', 'd.call_id', 'c.call_id')
    .select(['c.command', 'c.tries', 'c.done_at'])
    .where('d.carrier_call', '=', carrierCall)
    .execute();
  return rows.some(
    (row) =>
      (row.command as { do: string }).do === 'createLeg' && (row.tries > 0 || row.done_at !== null),
  );
}

/** That many seconds of the product's clock, then its look at the calls; once nobody is at this one any more, because a busy one is left out. */
export async function lookAfter(world: World, carrierCall: string, seconds: number): Promise<void> {
  const { company_id: companyId, call_id: callId } = await world.house.db.directory
    .selectFrom('call_directory')
    .select(['company_id', 'call_id'])
    .where('carrier_call', '=', carrierCall)
    .executeTakeFirstOrThrow();
  await expect.poll(() => isPerforming({ companyId, callId }), { timeout: 30_000 }).toBe(false);
  world.now.advance(seconds);
  await sweepCalls(world.house, world.said);
}

/** One server with both carriers. */
export async function bothCarriers() {
  let world: World | null = null;
  const deliver = async (path: string, body: string, headers: Record<string, string>) => {
    const answer = await world!.app.inject({ method: 'POST', url: path, payload: body, headers });
    return { status: answer.statusCode, body: answer.body };
  };
  const twilio = await simulatedTwilio({ ...twilioAccount, deliver });
  const bandwidth = await simulatedBandwidth({
    ...bandwidthAccount,
    key: addressKey(bandwidthAccount.secret),
    deliver,
  });
  world = await aWorld({
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
    world,
    close: () => Promise.all([twilio.close(), bandwidth.close()]),
  };
}

export const bandwidthColumn: Column = {
  name: 'bandwidth',
  async open() {
    const ports = await exchangePorts();
    const { bandwidth, world, deliverTo } = await aBandwidthWorld({ env: ports.env });
    bandwidth.pace.keys = 1000;
    const running = await anExchange(world, ports);
    const call = (phone: Phone): BandwidthCall => bandwidth.calls.get(phone.id)!;
    return {
      carrier: 'bandwidth',
      providerId: 1,
      world,
      exchange: running.exchange,
      deliverTo,
      trouble: (kind) =>
        void Object.assign(bandwidth.trouble, {
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
      complaints: () => [...bandwidth.errors, ...new Set(bandwidth.documents.flatMap(wrongInBxml))],
      close: async () => {
        await running.close();
        await bandwidth.close();
      },
    };
  },
};
