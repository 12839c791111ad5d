/** For tests: a company with a number, and a carrier that writes down what it is told and says what the test says. */
import { sql } from 'kysely';
import type { VoiceCarrier, VoiceCommand, VoiceEvent } from '../../ports/voice.ts';
import { aWorld, type TestPerson, type World } from '../../../test/world.ts';
import { receiveVoice } from './inbound.ts';

type WithoutHead<E> = E extends unknown ? Omit<E, 'id' | 'call' | 'leg' | 'seq' | 'at'> : never;
type Words = WithoutHead<VoiceEvent>;
export interface RouteGiven {
  extension?: number;
  type: 'standard' | 'simultaneous' | 'sequential' | 'in-app-calling' | 'voicemail';
  to?: (string | TestPerson)[];
  timeout?: number;
  voicemail?: boolean;
  label?: string;
}
export interface NumberGiven {
  record?: boolean;
  transcribe?: boolean;
  voicemail?: boolean;
  /** Of numbers that a carrier carries (B §3). */ providerId?: number;
  routes?: RouteGiven[];
}

let counter = 0;

/** A number that serves, with its routes. */
export async function aNumber(
  world: World,
  companyId: number,
  given: NumberGiven = {},
): Promise<{ id: number; number: string }> {
  const number = `+1415555${String(2000 + ++counter)}`;
  return world.house.db.system(async (tx) => {
    const { id } = await tx
      .insertInto('number')
      .values({
        company_id: companyId,
        number,
        label: 'Main line',
        ...(given.providerId === undefined ? {} : { provider_id: given.providerId }),
        record: given.record ?? false,
        recording_announcement: 'none',
        call_transcription_enabled: given.transcribe ?? false,
        voicemail_enabled: given.voicemail ?? true,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('number_directory')
      .values({ number, company_id: companyId, number_id: id })
      .execute();
    for (const [i, route] of (given.routes ?? []).entries()) {
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

/** Its clock stands unless told to move: nobody’s phone stops ringing, and no app is gone, because a machine is slow. */
export async function aLineWorld({
  clock = 'still',
  ...more
}: { clock?: 'real' | 'still'; demo?: boolean; env?: Record<string, string> } = {}) {
  const told: VoiceCommand[] = [];
  const carrier = {
    away: false,
    rooms: true,
    legs: new Map<string, Awaited<ReturnType<VoiceCarrier['askLeg']>>>(),
    reachable: true,
    since: 0,
  };
  const voice: VoiceCarrier = {
    name: 'scripted',
    abilities: {
      parallelTargets: 0,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      get rooms() {
        return carrier.rooms;
      },
    },
    perform: (commands) => {
      if (carrier.away) return Promise.reject(new Error('the carrier is away'));
      told.push(...commands);
      return Promise.resolve();
    },
    askLeg: (leg) =>
      carrier.reachable
        ? Promise.resolve(carrier.legs.get(leg) ?? null)
        : Promise.reject(new Error('the carrier is away')),
    runningSince: () =>
      carrier.reachable
        ? Promise.resolve(carrier.since)
        : Promise.reject(new Error('the carrier is away')),
    clientToken: (user) =>
      Promise.resolve({
        token: `for ${user.device}`,
        url: '/media',
        expiresAt: new Date().toISOString(),
        iceServers: [],
      }),
  };
  const world = await aWorld({ ...more, clock, ports: { voice } });
  const { house, said } = world;

  /** A stranger's call, as the carrier tells it. */
  const aCall = (to: string, from = '+12125550147') => {
    const leg = `in-${++counter}`;
    let seq = 0;
    const event = (of: string, words: Words): VoiceEvent =>
      ({
        ...words,
        id: `${of}:${++seq}`,
        call: leg,
        leg: of,
        seq,
        at: house.now().getTime(),
      }) as VoiceEvent;
    const tell = async (...events: VoiceEvent[]): Promise<void> =>
      (await receiveVoice(house, said, 'scripted', events)).performed;
    return {
      leg,
      event,
      tell,
      inbound: event(leg, { type: 'inbound', from, to }),
      /** Report one thing about a leg, and wait until what follows is performed. */
      says: (of: string, words: Words) => tell(event(of, words)),
      id: async () =>
        (
          await house.db.directory
            .selectFrom('call_directory')
            .select('call_id')
            .where('carrier_call', '=', leg)
            .executeTakeFirstOrThrow()
        ).call_id,
    };
  };
  type Call = ReturnType<typeof aCall>;
  /** Report one thing about a leg of a call that is known by its carrier's name only. */
  const tellOf = async (call: string, leg: string, words: Words): Promise<void> =>
    (
      await receiveVoice(house, said, 'scripted', [
        {
          ...words,
          id: `${leg}:${++counter}`,
          call,
          leg,
          seq: ++counter,
          at: house.now().getTime(),
        } as VoiceEvent,
      ])
    ).performed;

  const commands = <Do extends VoiceCommand['do']>(
    call: Call,
    what: Do,
  ): Extract<VoiceCommand, { do: Do }>[] => {
    const mine = told.filter((c) => c.do === what && JSON.stringify(c).includes(call.leg));
    const more = told.filter(
      (c) => c.do === what && !mine.includes(c) && 'leg' in c && legsOf(call).has(c.leg),
    );
    return [...mine, ...more] as Extract<VoiceCommand, { do: Do }>[];
  };
  /** Legs created on behalf of a call. */
  const legsOf = (call: Call): Set<string> =>
    new Set([
      call.leg,
      ...told
        .filter((c) => c.do === 'createLeg' && c.onBehalfOf === call.leg)
        .map((c) => (c as { leg: string }).leg),
    ]);
  /** The leg that rings at a person or number. */
  const ringing = (call: Call, at: TestPerson | string): string => {
    const found = told.find(
      (c) =>
        c.do === 'createLeg' &&
        c.onBehalfOf === call.leg &&
        (typeof at === 'string'
          ? c.to.kind === 'phone' && c.to.number === at
          : c.to.kind === 'app' && c.to.userId === at.id),
    );
    if (!found) throw new Error(`nothing rings there; told: ${told.map((c) => c.do).join(', ')}`);
    return (found as { leg: string }).leg;
  };

  /** A person's app is open. */
  const open = async (person: TestPerson, device = 'app-1'): Promise<void> => {
    await house.db.system((tx) =>
      tx
        .insertInto('calling_device')
        .values({ company_id: person.companyId, user_id: person.id, device, seen_at: house.now() })
        .execute(),
    );
  };
  /** What was said about a call, by event. */
  const events = async (
    callId: number,
  ): Promise<{ event: string; data: Record<string, unknown> }[]> =>
    (
      await sql<{
        event: string;
        data: Record<string, unknown>;
      }>`select event, data from outbox where (data ->> 'callId')::bigint = ${callId} order by id`.execute(
        house.db.directory,
      )
    ).rows;
  const said_ = async (callId: number, name: string) =>
    (await events(callId)).filter((e) => e.event === name);

  return {
    world,
    house,
    said,
    told,
    carrier,
    aCall,
    tellOf,
    commands,
    ringing,
    open,
    events,
    saidOf: said_,
  };
}
