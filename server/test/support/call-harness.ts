/**
 * For tests: a company with a number, and a carrier that records its commands and reports what the
 * test tells it to.
 */
import { sql } from 'kysely';
import type { VoiceCarrier, VoiceCommand, VoiceEvent } from '../../src/gateways/voice.ts';
import { createTestApp, type TestPerson, type TestApp } from './test-app.ts';
import { receiveVoiceEvents } from '../../src/modules/calls/runtime/receive-events.ts';

type WithoutHead<E> = E extends unknown ? Omit<E, 'id' | 'call' | 'leg' | 'seq' | 'at'> : never;
type EventBody = WithoutHead<VoiceEvent>;
interface TestRoute {
  extension?: number;
  type: 'standard' | 'simultaneous' | 'sequential' | 'in-app-calling' | 'voicemail';
  to?: (string | TestPerson)[];
  timeout?: number;
  voicemail?: boolean;
  label?: string;
}
interface TestNumber {
  record?: boolean;
  transcribe?: boolean;
  voicemail?: boolean;
  /** For numbers of a real or simulated carrier (B §3). */ providerId?: number;
  routes?: TestRoute[];
}

let counter = 0;

/** An active number with its routes. */
export async function createTestNumber(
  app: TestApp,
  companyId: number,
  options: TestNumber = {},
): Promise<{ id: number; number: string }> {
  const number = `+1415555${String(2000 + ++counter)}`;
  return app.services.db.systemTransaction(async (tx) => {
    const { id } = await tx
      .insertInto('number')
      .values({
        company_id: companyId,
        number,
        label: 'Main line',
        ...(options.providerId === undefined ? {} : { provider_id: options.providerId }),
        record: options.record ?? false,
        recording_announcement: 'none',
        call_transcription_enabled: options.transcribe ?? false,
        voicemail_enabled: options.voicemail ?? true,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('number_directory')
      .values({ number, company_id: companyId, number_id: id })
      .execute();
    for (const [i, route] of (options.routes ?? []).entries()) {
      const made = await tx
        .insertInto('route')
        .values({
          company_id: companyId,
          number_id: id,
          extension: route.extension ?? i + 1,
          label: route.label ?? '',
          type: route.type,
          timeout_seconds: route.timeout ?? 20,
          voicemail_enabled: route.voicemail ?? true,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const [position, to] of (route.to ?? []).entries())
        await tx
          .insertInto('forward')
          .values({
            company_id: companyId,
            route_id: made.id,
            position,
            label: typeof to === 'string' ? to : to.email,
            phone: typeof to === 'string' ? to : null,
            user_id: typeof to === 'string' ? null : to.id,
          })
          .execute();
    }
    return { id, number };
  });
}

/**
 * The clock stands still by default, so that no ring timeout or lost heartbeat depends on the
 * machine's speed.
 */
export async function createCallHarness({
  clock = 'still',
  ports = {},
  ...more
}: Pick<
  NonNullable<Parameters<typeof createTestApp>[0]>,
  'clock' | 'demo' | 'env' | 'ports'
> = {}) {
  const performed: VoiceCommand[] = [];
  const carrier = {
    away: false,
    /** How often it accepted nothing, being away. */
    refused: 0,
    rooms: true,
    legs: new Map<string, Awaited<ReturnType<VoiceCarrier['getLegStatus']>>>(),
    reachable: true,
    /** The exchange that has new calls; null: it isn't one of ours. */
    exchange: null as string | null,
    hasRoom: true,
  };
  const voice: VoiceCarrier = {
    name: 'scripted',
    capabilities: {
      parallelTargets: 0,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      get rooms() {
        return carrier.rooms;
      },
    },
    perform: (commands) => {
      if (carrier.away) {
        carrier.refused++;
        return Promise.reject(new Error('the carrier is away'));
      }
      performed.push(...commands);
      return Promise.resolve();
    },
    getLegStatus: (leg) =>
      carrier.reachable
        ? Promise.resolve(carrier.legs.get(leg) ?? null)
        : Promise.reject(new Error('the carrier is away')),
    exchanges: {
      choose: async () => carrier.exchange,
      hasRoom: async () => carrier.hasRoom,
      forCarriers: async () => null,
      answers: async (exchange) => carrier.reachable && exchange === carrier.exchange,
    },
    createClientToken: (user) =>
      Promise.resolve({
        token: `for ${user.device}`,
        url: '/media',
        expiresAt: new Date().toISOString(),
        iceServers: [],
      }),
  };
  const app = await createTestApp({ ...more, clock, ports: { ...ports, voice } });
  const { services, notifier } = app;

  /** An inbound call, as the carrier reports it. */
  const startCall = (to: string, from = '+12125550147') => {
    const leg = `in-${++counter}`;
    let seq = 0;
    const event = (of: string, words: EventBody): VoiceEvent =>
      ({
        ...words,
        id: `${of}:${++seq}`,
        call: leg,
        leg: of,
        seq,
        at: services.now().getTime(),
      }) as VoiceEvent;
    const report = async (...events: VoiceEvent[]): Promise<void> =>
      (await receiveVoiceEvents(services, notifier, 'scripted', events)).performed;
    return {
      leg,
      event,
      tell: report,
      inbound: event(leg, { type: 'inbound', from, to }),
      /** Reports an event of a leg, and waits until the resulting commands were performed. */
      says: (of: string, words: EventBody) => report(event(of, words)),
      id: async () =>
        (
          await services.db.unscoped
            .selectFrom('carrier_call_index')
            .select('call_id')
            .where('carrier_call', '=', leg)
            .executeTakeFirstOrThrow()
        ).call_id,
    };
  };
  type Call = ReturnType<typeof startCall>;
  /** Reports an event of a leg that is only known by its carrier's call id. */
  const reportLeg = async (call: string, leg: string, words: EventBody): Promise<void> =>
    (
      await receiveVoiceEvents(services, notifier, 'scripted', [
        {
          ...words,
          id: `${leg}:${++counter}`,
          call,
          leg,
          seq: ++counter,
          at: services.now().getTime(),
        } as VoiceEvent,
      ])
    ).performed;

  const commands = <Do extends VoiceCommand['do']>(
    call: Call,
    what: Do,
  ): Extract<VoiceCommand, { do: Do }>[] => {
    const mine = performed.filter((c) => c.do === what && JSON.stringify(c).includes(call.leg));
    const more = performed.filter(
      (c) => c.do === what && !mine.includes(c) && 'leg' in c && legsOf(call).has(c.leg),
    );
    return [...mine, ...more] as Extract<VoiceCommand, { do: Do }>[];
  };
  /** Legs created for a call. */
  const legsOf = (call: Call): Set<string> =>
    new Set([
      call.leg,
      ...performed
        .filter((c) => c.do === 'createLeg' && c.onBehalfOf === call.leg)
        .map((c) => (c as { leg: string }).leg),
    ]);
  /** The leg that rings a user or number. */
  const ringingLeg = (call: Call, at: TestPerson | string): string => {
    const found = performed.find(
      (c) =>
        c.do === 'createLeg' &&
        c.onBehalfOf === call.leg &&
        (typeof at === 'string'
          ? c.to.kind === 'phone' && c.to.number === at
          : c.to.kind === 'app' && c.to.userId === at.id),
    );
    if (!found)
      throw new Error(`nothing rings there; last commands: ${JSON.stringify(performed.slice(-3))}`);
    return (found as { leg: string }).leg;
  };

  /** The user's app is open: its heartbeat arrived. */
  const openApp = async (person: TestPerson, device = 'app-1'): Promise<void> => {
    await services.db.systemTransaction((tx) =>
      tx
        .insertInto('calling_device')
        .values({
          company_id: person.companyId,
          user_id: person.id,
          device,
          seen_at: services.now(),
        })
        .execute(),
    );
  };
  /** Live events about a call, by name. */
  const events = async (
    callId: number,
  ): Promise<{ event: string; data: Record<string, unknown> }[]> =>
    (
      await sql<{
        event: string;
        data: Record<string, unknown>;
      }>`select event, data from outbox where (data ->> 'callId')::bigint = ${callId} order by id`.execute(
        services.db.unscoped,
      )
    ).rows;
  const eventsNamed = async (callId: number, name: string) =>
    (await events(callId)).filter((e) => e.event === name);

  return {
    world: app,
    house: services,
    said: notifier,
    told: performed,
    carrier,
    aCall: startCall,
    tellOf: reportLeg,
    commands,
    ringing: ringingLeg,
    open: openApp,
    events,
    saidOf: eventsNamed,
  };
}
