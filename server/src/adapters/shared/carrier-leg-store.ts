import { sql } from 'kysely';
import { mustBe } from '../../platform/must-be.ts';
import type { LegEndCause, LegId } from '../../gateways/voice.ts';
import { CarrierObjectStore } from './carrier-object-store.ts';

/** A leg at the carrier, and what it should be doing now (table `carrier_leg`). */
export interface CarrierLeg<Doing> {
  leg: LegId;
  call: LegId;
  /** The carrier's id of the call; null until it is known. */
  ref: string | null;
  from: string | null;
  to: string | null;
  inbound: boolean;
  /** `wanted`: not requested yet. `asked`: requested, and the response may have been lost. */
  state: 'wanted' | 'asked' | 'ringing' | 'answered' | 'ended';
  cause: LegEndCause | null;
  /** The current instruction. */
  doing: Doing;
  /** Version of the instruction. */
  doingN: number;
  /** The version that the carrier has. */
  toldN: number;
  facts: Record<string, unknown>;
  createdAt: Date;
  /** When the leg was requested from the carrier. */
  askedAt: Date | null;
}

/** Legs only move forward in this order. */
const stateOrder = { wanted: 0, asked: 1, ringing: 2, answered: 3, ended: 4 } as const;
const columns = sql`leg, call, carrier_ref as ref, from_number as "from", to_number as "to",
  inbound, state, cause, doing, desired_version as "doingN", delivered_version as "toldN", facts,
  created_at as "createdAt", requested_at as "askedAt"`;

/**
 * What an adapter remembers of its carrier's legs: which of the carrier's calls a leg is, and its
 * instruction. The document for the carrier (TwiML, BXML) is written from the instruction whenever
 * the carrier requests it, so a lost response, a repeated request or another process changes
 * nothing.
 */
export class CarrierLegStore<Doing extends { kind: string }> extends CarrierObjectStore {
  async #first(query: ReturnType<typeof sql<CarrierLeg<Doing>>>) {
    return (await query.execute(this.db.unscoped)).rows[0];
  }

  /**
   * `update carrier_leg set … where` this leg; undefined when `and` does not hold or there is no
   * such leg.
   */
  #update(leg: LegId, set: ReturnType<typeof sql>, and = sql`true`) {
    return this.#first(sql<CarrierLeg<Doing>>`
      update carrier_leg set ${set}
      where carrier = ${this.carrier} and leg = ${leg} and ${and} returning ${columns}`);
  }

  /** Adds a leg unless there is one. `fresh`: there was none. */
  async open(leg: {
    leg: LegId;
    call: LegId;
    ref?: string;
    from?: string;
    to?: string;
    inbound: boolean;
    state: CarrierLeg<Doing>['state'];
    doing: Doing;
    facts?: Record<string, unknown>;
  }): Promise<{ row: CarrierLeg<Doing>; fresh: boolean }> {
    const { ref = null, from = null, to = null, facts = {} } = leg;
    const inserted = await this.#first(sql<CarrierLeg<Doing>>`
      insert into carrier_leg (carrier, leg, call, carrier_ref, from_number, to_number, inbound,
        state, doing, facts)
      values (${this.carrier}, ${leg.leg}, ${leg.call}, ${ref}, ${from}, ${to}, ${leg.inbound},
        ${leg.state}, ${JSON.stringify(leg.doing)}::jsonb, ${JSON.stringify(facts)}::jsonb)
      on conflict do nothing returning ${columns}`);
    if (inserted) return { row: inserted, fresh: true };
    // It is there: the insert found a conflict, and legs are never deleted.
    return { row: mustBe(await this.read(leg.leg), 'the leg'), fresh: false };
  }

  read(leg: LegId) {
    return this.#first(sql<CarrierLeg<Doing>>`
      select ${columns} from carrier_leg where carrier = ${this.carrier} and leg = ${leg}`);
  }

  /** By the carrier's id of the call. */
  byRef(ref: string) {
    return this.#first(sql<CarrierLeg<Doing>>`
      select ${columns} from carrier_leg where carrier = ${this.carrier} and carrier_ref = ${ref}`);
  }

  async ofCall(call: LegId): Promise<CarrierLeg<Doing>[]> {
    const { rows } = await sql<CarrierLeg<Doing>>`
      select ${columns} from carrier_leg
      where carrier = ${this.carrier} and call = ${call} order by created_at`.execute(
      this.db.unscoped,
    );
    return rows;
  }

  /**
   * True for the one caller that may request this leg from the carrier. When the response is lost,
   * the leg stays `asked`.
   */
  async claim(leg: LegId): Promise<boolean> {
    const set = sql`state = 'asked', requested_at = now()`;
    return (await this.#update(leg, set, sql`state = 'wanted'`)) !== undefined;
  }

  /** Undoes `claim`, when the carrier certainly got no request. */
  releaseClaim(leg: LegId) {
    const unanswered = sql`state = 'asked' and carrier_ref is null`;
    return this.#update(leg, sql`state = 'wanted'`, unanswered);
  }

  /** Ends a leg that was never requested. False when it may have been. */
  async withdrawUnasked(leg: LegId): Promise<boolean> {
    const set = sql`state = 'ended', cause = 'failed', ended_at = now()`;
    return (await this.#update(leg, set, sql`state = 'wanted'`)) !== undefined;
  }

  /** Sets the carrier's id; the first one stays. */
  setRef(leg: LegId, ref: string) {
    return this.#update(leg, sql`carrier_ref = coalesce(carrier_ref, ${ref})`);
  }

  /** Moves a leg forward; undefined when it was in that state or a later one already. */
  advance(leg: LegId, state: 'ringing' | 'answered' | 'ended', cause: LegEndCause | null = null) {
    const earlier = Object.entries(stateOrder)
      .filter(([, order]) => order < stateOrder[state])
      .map(([name]) => name);
    const set = sql`state = ${state}, cause = coalesce(cause, ${cause}),
      ended_at = case when ${state} = 'ended' then now() end`;
    return this.#update(leg, set, sql`state = any(${earlier}::text[])`);
  }

  /**
   * Sets a leg's instruction; undefined when the command ran before, or the leg has ended or is
   * unknown.
   */
  setInstruction(leg: LegId, command: string, instruction: Doing) {
    const set = sql`doing = ${JSON.stringify(instruction)}::jsonb,
      desired_version = desired_version + 1,
      done = done || ${command}::text`;
    return this.#update(leg, set, runnable(command));
  }

  /**
   * A new version of the same instruction, with which a recording starts (or ends: null). One
   * statement, so that a leg that requests its document at this moment is not taken to have the new
   * version.
   */
  setRecording(leg: LegId, command: string, recording: string | null) {
    const set = sql`desired_version = desired_version + 1,
      facts = facts
        || jsonb_build_object('recording', ${recording}::text, 'recordingN', desired_version + 1),
      done = done || ${command}::text`;
    return this.#update(leg, set, runnable(command));
  }

  /** True for the first caller with this command. */
  async claimCommand(leg: LegId, command: string): Promise<boolean> {
    const set = sql`done = done || ${command}::text`;
    return (await this.#update(leg, set, sql`not (${command} = any(done))`)) !== undefined;
  }

  /** Undoes `claimCommand`, so that the command can run again. */
  releaseCommand(leg: LegId, command: string) {
    return this.#update(leg, sql`done = array_remove(done, ${command}::text)`);
  }

  /** The carrier has this version of the instruction. */
  markDelivered(leg: LegId, version: number) {
    return this.#update(leg, sql`delivered_version = greatest(delivered_version, ${version})`);
  }

  mergeFacts(leg: LegId, facts: Record<string, unknown>) {
    return this.#update(leg, sql`facts = facts || ${JSON.stringify(facts)}::jsonb`);
  }
}

/** The leg has not ended and the command has not run on it. */
const runnable = (command: string) => sql`state <> 'ended' and not (${command} = any(done))`;
