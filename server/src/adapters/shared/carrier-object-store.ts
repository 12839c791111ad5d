import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { mustBe } from '../../platform/must-be.ts';

/** Something of a carrier's that is not a leg: an order, a recording, a registration. */
export interface CarrierObject {
  key: string;
  /** The carrier's id; null until it is known. */
  ref: string | null;
  facts: Record<string, unknown>;
  createdAt: Date;
}

const columns = sql`key, carrier_ref as ref, facts, created_at as "createdAt"`;

/**
 * What an adapter remembers of its carrier's objects, by kind and our own key (table
 * `carrier_object`).
 */
export class CarrierObjectStore {
  constructor(
    protected readonly db: Pick<Db, 'unscoped'>,
    protected readonly carrier: string,
  ) {}

  /** Adds an object unless there is one. `fresh`: there was none. */
  async put(
    kind: string,
    key: string,
    { ref = null, facts = {} }: { ref?: string | null; facts?: Record<string, unknown> } = {},
  ): Promise<{ thing: CarrierObject; fresh: boolean }> {
    const { rows } = await sql<CarrierObject>`
      insert into carrier_object (carrier, kind, key, carrier_ref, facts)
      values (${this.carrier}, ${kind}, ${key}, ${ref}, ${JSON.stringify(facts)}::jsonb)
      on conflict (carrier, kind, key) do nothing returning ${columns}`.execute(this.db.unscoped);
    if (rows[0]) return { thing: rows[0], fresh: true };
    // It is there: the insert found a conflict, and objects are dropped by their only user.
    return { thing: mustBe(await this.get(kind, key), 'the object'), fresh: false };
  }

  /** Undefined when there is none. */
  async get(kind: string, key: string): Promise<CarrierObject | undefined> {
    const { rows } = await sql<CarrierObject>`
      select ${columns} from carrier_object
      where carrier = ${this.carrier} and kind = ${kind} and key = ${key}`.execute(
      this.db.unscoped,
    );
    return rows[0];
  }

  /** By the carrier's id; undefined when there is none. */
  async getByRef(kind: string, ref: string): Promise<CarrierObject | undefined> {
    const { rows } = await sql<CarrierObject>`
      select ${columns} from carrier_object
      where carrier = ${this.carrier} and kind = ${kind} and carrier_ref = ${ref}`.execute(
      this.db.unscoped,
    );
    return rows[0];
  }

  /**
   * Keys of objects whose facts contain this string anywhere: the carrier's id of one of many
   * parts.
   */
  async keysMentioning(kind: string, word: string): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from carrier_object
      where carrier = ${this.carrier} and kind = ${kind}
        and strpos(facts::text, ${JSON.stringify(word)}) > 0 limit 10`.execute(this.db.unscoped);
    return rows.map((row) => row.key);
  }

  /** Keys of objects of the last two days with this fact, oldest first. */
  async keysWithFact(kind: string, fact: string, value: string): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`
      select key from carrier_object
      where carrier = ${this.carrier} and kind = ${kind} and facts ->> ${fact}::text = ${value}
        and created_at > now() - interval '2 days' order by created_at`.execute(this.db.unscoped);
    return rows.map((row) => row.key);
  }

  /** Merges the facts; a `ref` left out stays. */
  change(kind: string, key: string, to: { ref?: string; facts?: Record<string, unknown> }) {
    return sql`
      update carrier_object set carrier_ref = coalesce(${to.ref ?? null}, carrier_ref),
        facts = facts || ${JSON.stringify(to.facts ?? {})}::jsonb
      where carrier = ${this.carrier} and kind = ${kind} and key = ${key}`.execute(
      this.db.unscoped,
    );
  }

  drop(kind: string, key: string) {
    return sql`
      delete from carrier_object
      where carrier = ${this.carrier} and kind = ${kind} and key = ${key}`.execute(
      this.db.unscoped,
    );
  }
}
