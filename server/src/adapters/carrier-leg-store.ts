import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';
import type { LegEndCause, LegId } from '../gateways/voice.ts';

/**
 * What an adapter remembers of its carrier's legs and other things (tables `carrier_leg` and `carrier_thing`): which of the
 * carrier's calls a leg of ours is, and what it should be doing now. `Doing` is the adapter's own word; a document (TwiML,
 * BXML) is made from it whenever the carrier asks, so a lost answer, a second request or another process changes nothing.
 */
export interface CarrierLeg<Doing> {
  leg: LegId;
  call: LegId;
  ref: string | null;
  from: string | null;
  to: string | null;
  inbound: boolean;
  state: 'wanted' | 'asked' | 'ringing' | 'answered' | 'ended';
  cause: LegEndCause | null;
  doing: Doing;
  doingN: number;
  toldN: number;
  facts: Record<string, unknown>;
  createdAt: Date;
  askedAt: Date | null;
}
export interface CarrierObject {
  key: string;
  ref: string | null;
  facts: Record<string, unknown>;
  createdAt: Date;
}
export type CarrierLegStore<Doing extends { kind: string }> = ReturnType<
  typeof carrierLegStore<Doing>
>;

const stateOrder = { wanted: 0, asked: 1, ringing: 2, answered: 3, ended: 4 } as const;
const columns = sql`leg, call, carrier_ref as ref, from_number as "from", to_number as "to", inbound, state, cause, doing, doing_n as "doingN", told_n as "toldN", facts, created_at as "createdAt", asked_at as "askedAt"`;

export function carrierLegStore<Doing extends { kind: string }>(
  db: Pick<Db, 'unscoped'>,
  carrier: string,
) {
  type Row = CarrierLeg<Doing>;
  const one = async (query: ReturnType<typeof sql<Row>>) =>
    (await query.execute(db.unscoped)).rows[0];
  return {
    /** Enter a leg; what stands there already stays. `fresh`: it was not there. */
    async open(leg: {
      leg: LegId;
      call: LegId;
      ref?: string;
      from?: string;
      to?: string;
      inbound: boolean;
      state: Row['state'];
      doing: Doing;
      facts?: Record<string, unknown>;
    }): Promise<{ row: Row; fresh: boolean }> {
      const made =
        await one(sql<Row>`insert into carrier_leg (carrier, leg, call, carrier_ref, from_number, to_number, inbound, state, doing, facts)
        values (${carrier}, ${leg.leg}, ${leg.call}, ${leg.ref ?? null}, ${leg.from ?? null}, ${leg.to ?? null}, ${leg.inbound}, ${leg.state}, ${JSON.stringify(leg.doing)}::jsonb, ${JSON.stringify(leg.facts ?? {})}::jsonb)
        on conflict do nothing returning ${columns}`);
      return { row: made ?? (await this.read(leg.leg))!, fresh: made !== undefined };
    },
    read: (leg: LegId) =>
      one(sql<Row>`select ${columns} from carrier_leg where carrier = ${carrier} and leg = ${leg}`),
    byRef: (ref: string) =>
      one(
        sql<Row>`select ${columns} from carrier_leg where carrier = ${carrier} and carrier_ref = ${ref}`,
      ),
    ofCall: async (call: LegId) =>
      (
        await sql<Row>`select ${columns} from carrier_leg where carrier = ${carrier} and call = ${call} order by created_at`.execute(
          db.unscoped,
        )
      ).rows,
    /** True for the one who may ask the carrier to make this leg. Somebody who asked and never wrote the answer is found by `state` 'asked'. */
    claim: async (leg: LegId) =>
      (await one(
        sql<Row>`update carrier_leg set state = 'asked', asked_at = now() where carrier = ${carrier} and leg = ${leg} and state = 'wanted' returning ${columns}`,
      )) !== undefined,
    /** The carrier was certainly not asked after all. */
    releaseClaim: (leg: LegId) =>
      sql`update carrier_leg set state = 'wanted' where carrier = ${carrier} and leg = ${leg} and state = 'asked' and carrier_ref is null`.execute(
        db.unscoped,
      ),
    /** It was never asked for, and never will be. False when somebody may have. */
    withdrawUnasked: async (leg: LegId) =>
      (await one(
        sql<Row>`update carrier_leg set state = 'ended', cause = 'failed', ended_at = now() where carrier = ${carrier} and leg = ${leg} and state = 'wanted' returning ${columns}`,
      )) !== undefined,
    /** The carrier's id of a leg; the first one told stands. */
    setRef: (leg: LegId, ref: string) =>
      one(
        sql<Row>`update carrier_leg set carrier_ref = coalesce(carrier_ref, ${ref}) where carrier = ${carrier} and leg = ${leg} returning ${columns}`,
      ),
    /** A leg only moves forward; undefined when it was there or further already. */
    advance: (
      leg: LegId,
      state: 'ringing' | 'answered' | 'ended',
      cause: LegEndCause | null = null,
    ) =>
      one(sql<Row>`update carrier_leg set state = ${state}, cause = coalesce(cause, ${cause}), ended_at = case when ${state} = 'ended' then now() end where carrier = ${carrier} and leg = ${leg}
        and state = any(${Object.entries(stateOrder)
          .filter(([, n]) => n < stateOrder[state])
          .map(([name]) => name)}::text[]) returning ${columns}`),
    /** What a leg should be doing from now on, because of this command; undefined when the command was performed before or the leg is over or unknown. */
    setInstruction: (leg: LegId, command: string, instruction: Doing) =>
      one(
        sql<Row>`update carrier_leg set doing = ${JSON.stringify(instruction)}::jsonb, doing_n = doing_n + 1, done = done || ${command}::text where carrier = ${carrier} and leg = ${leg} and state <> 'ended' and not (${command} = any(done)) returning ${columns}`,
      ),
    /**
     * A new document of what it does anyway, because a recording begins with it (or ends: null). One statement, so that a leg
     * that asks in this very moment does not get the document without the recording and is thought to have it.
     */
    setRecording: (leg: LegId, command: string, recording: string | null) =>
      one(
        sql<Row>`update carrier_leg set doing_n = doing_n + 1, facts = facts || jsonb_build_object('recording', ${recording}::text, 'recordingN', doing_n + 1), done = done || ${command}::text where carrier = ${carrier} and leg = ${leg} and state <> 'ended' and not (${command} = any(done)) returning ${columns}`,
      ),
    /** Once only: true for whoever comes first with this command. */
    claimCommand: async (leg: LegId, command: string) =>
      (await one(
        sql<Row>`update carrier_leg set done = done || ${command}::text where carrier = ${carrier} and leg = ${leg} and not (${command} = any(done)) returning ${columns}`,
      )) !== undefined,
    /** It was not done after all: the next one may. */
    releaseCommand: (leg: LegId, command: string) =>
      sql`update carrier_leg set done = array_remove(done, ${command}::text) where carrier = ${carrier} and leg = ${leg}`.execute(
        db.unscoped,
      ),
    /** The carrier has what the leg should be doing. */
    markDelivered: (leg: LegId, n: number) =>
      sql`update carrier_leg set told_n = greatest(told_n, ${n}) where carrier = ${carrier} and leg = ${leg}`.execute(
        db.unscoped,
      ),
    mergeFacts: (leg: LegId, facts: Record<string, unknown>) =>
      one(
        sql<Row>`update carrier_leg set facts = facts || ${JSON.stringify(facts)}::jsonb where carrier = ${carrier} and leg = ${leg} returning ${columns}`,
      ),

    /** Enter a thing; `fresh`: it was not there. */
    async put(
      kind: string,
      key: string,
      thing: { ref?: string | null; facts?: Record<string, unknown> } = {},
    ): Promise<{ thing: CarrierObject; fresh: boolean }> {
      const { rows } =
        await sql<CarrierObject>`insert into carrier_thing (carrier, kind, key, carrier_ref, facts) values (${carrier}, ${kind}, ${key}, ${thing.ref ?? null}, ${JSON.stringify(thing.facts ?? {})}::jsonb)
        on conflict (carrier, kind, key) do nothing returning key, carrier_ref as ref, facts, created_at as "createdAt"`.execute(
          db.unscoped,
        );
      return rows[0]
        ? { thing: rows[0], fresh: true }
        : { thing: (await this.get(kind, key))!, fresh: false };
    },
    async get(kind: string, key: string): Promise<CarrierObject | undefined> {
      return (
        await sql<CarrierObject>`select key, carrier_ref as ref, facts, created_at as "createdAt" from carrier_thing where carrier = ${carrier} and kind = ${kind} and key = ${key}`.execute(
          db.unscoped,
        )
      ).rows[0];
    },
    async getByRef(kind: string, ref: string): Promise<CarrierObject | undefined> {
      return (
        await sql<CarrierObject>`select key, carrier_ref as ref, facts, created_at as "createdAt" from carrier_thing where carrier = ${carrier} and kind = ${kind} and carrier_ref = ${ref}`.execute(
          db.unscoped,
        )
      ).rows[0];
    },
    /** Keys of things of a kind in whose facts this word stands anywhere: the carrier's id of one of many parts. */
    async keysMentioning(kind: string, word: string): Promise<string[]> {
      return (
        await sql<{
          key: string;
        }>`select key from carrier_thing where carrier = ${carrier} and kind = ${kind} and strpos(facts::text, ${JSON.stringify(word)}) > 0 limit 10`.execute(
          db.unscoped,
        )
      ).rows.map((r) => r.key);
    },
    /** Keys of things of a kind that hold this fact. */
    async keysWithFact(kind: string, fact: string, value: string): Promise<string[]> {
      return (
        await sql<{
          key: string;
        }>`select key from carrier_thing where carrier = ${carrier} and kind = ${kind} and facts ->> ${fact}::text = ${value} and created_at > now() - interval '2 days' order by created_at`.execute(
          db.unscoped,
        )
      ).rows.map((r) => r.key);
    },
    change: (kind: string, key: string, to: { ref?: string; facts?: Record<string, unknown> }) =>
      sql`update carrier_thing set carrier_ref = coalesce(${to.ref ?? null}, carrier_ref), facts = facts || ${JSON.stringify(to.facts ?? {})}::jsonb where carrier = ${carrier} and kind = ${kind} and key = ${key}`.execute(
        db.unscoped,
      ),
    drop: (kind: string, key: string) =>
      sql`delete from carrier_thing where carrier = ${carrier} and kind = ${kind} and key = ${key}`.execute(
        db.unscoped,
      ),
  };
}
