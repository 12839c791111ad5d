import { sql, type Selectable } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { firstOf } from '../../platform/must-be.ts';
import type { Tables } from '../../platform/tables.ts';
import type { BlockRule } from '../compliance/index.ts';
import { pairKey } from './store-inbound.ts';
import {
  featuresOff,
  numberSummaryOf,
  repliesAfterHours,
  type NumberColumns,
  type NumberSummary,
} from './store-numbers.ts';

/** Read-only queries for present.ts. */

export type JoinedContact = Pick<
  Selectable<Tables['contact']>,
  'id' | 'name' | 'number' | 'company_name'
>;
export interface JoinedCaller {
  name: string | null;
  type: string;
  line_type: string;
}
/** What lists show beside conversations. */
export interface ListJoins {
  numbers: Map<number, NumberSummary>;
  contacts: Map<number, JoinedContact>;
  optedOut: Set<string>;
  /** When a text came that may be an opt-out and isn't decided, by `pairKey`. */
  undecided: Map<string, Date>;
  callers: Map<string, JoinedCaller>;
  rules: BlockRule[];
}

/** Routing rules of one target, at most: one per number and action. */
const maxRules = 10_000;
/**
 * Each key is looked up by index, even where the planner has no statistics
 * (`docs/decisions/0050-lookups-without-statistics.md`).
 */
const unnestKeys = (asked: readonly string[]) => sql`unnest(${[...asked]}::text[]) asked`;
const equalsKey = (column: string) => sql.raw(`${column} >= asked and ${column} <= asked`);

const keyOf = (numberId: number, party: string) => pairKey({ numberId, party });
/** Their texts that may be opt-outs, as arrays of number, party and time. */
const undecidedOf = (companyId: number, parties: readonly string[]) =>
  sql`(select coalesce(json_agg(json_build_array(p.number_id, p.party, p.noticed_at)), '[]')
        from ${unnestKeys(parties)}
        cross join lateral (select p.number_id, p.party, p.noticed_at from possible_opt_out p
          where p.company_id = ${companyId} and ${equalsKey('p.party')} and p.decided_at is null
          order by p.party limit ${maxRules}) p)`;

/** What is known about them as callers. */
const callersOf = (companyId: number, parties: readonly string[]) =>
  sql`(select coalesce(json_agg(json_build_object('number', i.number, 'identity', i.identity)), '[]')
        from ${unnestKeys(parties)}
      cross join lateral (select i.number, i.identity from caller_identity i where i.company_id =
          ${companyId} and ${equalsKey('i.number')} order by i.number limit 1) i
        where i.identity is not null)`;

/**
 * Everything that presenting conversations looks up, in one statement: five round trips would cost
 * a list of twenty-five more than the list itself.
 */
export async function loadListJoins(
  tx: Tx,
  companyId: number,
  keys: {
    numbers: readonly number[];
    contacts: readonly number[];
    parties: readonly string[];
    targets: readonly string[];
  },
): Promise<ListJoins> {
  const { rows } = await sql<{
    numbers: NumberColumns[];
    contacts: JoinedContact[];
    out: string[];
    undecided: [number, string, string][];
    callers: { number: string; identity: JoinedCaller }[];
    rules: BlockRule[];
  }>`${prepared}select
    (select coalesce(json_agg(json_build_object('id', n.id, 'number', n.number, 'label', n.label,
              'provider_id', n.provider_id, 'provider_ref', n.provider_ref, 'status', n.status,
              'sms_enabled', n.sms_enabled, 'fax_enabled', n.fax_enabled, 'category', n.category,
        'sms_verification_status', n.sms_verification_status, 'sms_verification_campaign_id',
          n.sms_verification_campaign_id, 'asked',
          (select k.settings -> 'texting_requires_verification'
            from company k where k.id = ${companyId}),
        'off', (select ${featuresOff} from company c where c.id = ${companyId}), 'company_status',
        (select standing_of(k.status, k.suspended_at) from company k where k.id = ${companyId}),
        'after_hours', exists (select from number_auto_text a where a.company_id = ${companyId}
            and a.number_id = n.id and a.after_hours is not null)
          or ${repliesAfterHours(sql`${companyId}::bigint`)})), '[]')
      from number n where n.company_id = ${companyId}
        and n.id = any(${[...new Set(keys.numbers)]}::bigint[])) numbers,
    (select coalesce(json_agg(json_build_object('id', k.id, 'name', k.name, 'number', k.number,
              'company_name', k.company_name)), '[]')
        from contact k where k.company_id = ${companyId}
        and k.id = any(${[...new Set(keys.contacts)]}::bigint[]) and k.deleted_at is null) contacts,
    (select coalesce(json_agg(o.number), '[]') from ${unnestKeys(keys.parties)}
        cross join lateral (select o.number from opt_out o where o.company_id = ${companyId}
          and ${equalsKey('o.number')} order by o.number limit 1) o) out,
    ${undecidedOf(companyId, keys.parties)} undecided,
    ${callersOf(companyId, keys.parties)} callers,
    (select coalesce(json_agg(json_build_object('target', b.target, 'action', b.action, 'number_id',
              b.number_id, 'everywhere', b.everywhere)), '[]') from (
      select b.target, b.action, b.number_id, b.everywhere
        from ${unnestKeys(keys.targets)} cross join lateral (
        select b.* from block b where b.company_id = ${companyId} and ${equalsKey('b.target')}
          order by b.target limit ${maxRules}) b
          where not b.everywhere and exists (select from block k where k.company_id = ${companyId})
      union all select b.target, b.action, b.number_id, b.everywhere from block b
        where b.everywhere and b.target = any(${[...keys.targets]}::text[])) b) rules`.execute(tx);
  const found = firstOf(rows);
  return {
    numbers: new Map(found.numbers.map((n) => [n.id, numberSummaryOf(n)])),
    contacts: new Map(found.contacts.map((c) => [c.id, c])),
    optedOut: new Set(found.out),
    undecided: new Map(found.undecided.map(([id, party, at]) => [keyOf(id, party), new Date(at)])),
    callers: new Map(found.callers.map((c) => [c.number, c.identity])),
    rules: found.rules,
  };
}
