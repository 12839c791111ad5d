/** Rules that set outcome, department and qualification. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { RuleWanted } from '#contract/calls/outcome-rules/schemas';
import type { Tx } from '../../../platform/db.ts';
import type { CallRow } from '../records/store.ts';
import type { Tables } from '../../../platform/tables.ts';

type Columns = Selectable<Tables['outcome_rule']>;
export type RuleRow = Omit<Columns, 'direction' | 'outcome_tag' | 'department'> &
  Pick<RuleWanted, 'direction'> &
  Pick<RuleWanted['sets'], 'outcome_tag' | 'department'>;

/** The company's rules in the order they run. */
export const rulesOf = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('outcome_rule')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute() as Promise<RuleRow[]>;

/** A rule that uses a phrase list. Undefined: none does. */
export const ruleUsingList = (tx: Tx, companyId: number, listId: number) =>
  tx
    .selectFrom('outcome_rule')
    .select('name')
    .where('company_id', '=', companyId)
    .where('phrase_list_id', '=', listId)
    .limit(1)
    .executeTakeFirst();

/** Adds a rule. */
export const insertRule = (tx: Tx, row: Insertable<Tables['outcome_rule']>) =>
  tx
    .insertInto('outcome_rule')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow() as Promise<RuleRow>;

/** Changes a rule. Undefined: none of this ID. */
export const patchRule = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Partial<Insertable<Tables['outcome_rule']>>,
) =>
  tx
    .updateTable('outcome_rule')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst() as Promise<RuleRow | undefined>;

/** Deletes a rule. Undefined: none of this ID. */
export const deleteRule = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('outcome_rule')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();

/** Counts that rules changed a call, in the order of their IDs, so that no two wait for each other. */
export const countChange = (tx: Tx, companyId: number, ids: readonly number[], at: Date) =>
  sql`update outcome_rule r set set_count = r.set_count + 1, last_set_at = ${at}
    from (select id from outcome_rule where company_id = ${companyId}
      and id = any(${[...ids]}::bigint[]) order by id for update) held
    where r.company_id = ${companyId} and r.id = held.id`.execute(tx);

/** The lists of which a phrase was said in a call, without those of rough words. */
export async function listsSaidIn(
  tx: Tx,
  companyId: number,
  callId: number,
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ list_id: number }>`select distinct list_id from phrase_hit
    where company_id = ${companyId} and call_id = ${callId} and not is_rough`.execute(tx);
  return new Set(rows.map((row) => row.list_id));
}

/** Whether another call of the same party, in these minutes before this one, is qualified. */
export const wasQualifiedLately = async (
  tx: Tx,
  call: Pick<CallRow, 'company_id' | 'id' | 'party' | 'started_at'>,
  minutes: number,
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', call.company_id)
      .where('party', '=', call.party)
      .where('id', '<>', call.id)
      .where('started_at', '<=', call.started_at)
      .where('started_at', '>=', new Date(call.started_at.getTime() - minutes * 60_000))
      .where('qualified', '=', true)
      .limit(1)
      .executeTakeFirst(),
  );

/** What rules look at in a call. */
export interface RuleFacts {
  id: number;
  outbound: boolean;
  talk_seconds: number;
  outcome_tags: string[];
  department: string;
  qualified: boolean;
  lead: boolean;
  person_set: string[];
}

const factColumns = sql`c.id, c.outbound, c.talk_seconds, c.outcome_tags, c.department, c.qualified,
  c.lead, c.person_set`;

/** Calls since then to which a rule's conditions apply, the newest first. `numbers`: null: all. */
export async function callsOfRule(
  tx: Tx,
  companyId: number,
  { phrase_list_id: listId, min_talk_seconds, direction }: Omit<RuleWanted, 'sets'>,
  { since, numbers, most }: { since: Date; numbers: readonly number[] | null; most: number },
): Promise<RuleFacts[]> {
  const calls =
    listId === null
      ? sql`select * from call where company_id = ${companyId} and started_at >= ${since}
          and ended_at is not null order by started_at desc limit ${most}`
      : sql`select k.* from (select distinct call_id from phrase_hit
            where company_id = ${companyId} and list_id = ${listId} and called_at >= ${since}
              and not is_rough) h
          cross join lateral (select * from call
            where company_id = ${companyId} and id = h.call_id offset 0) k
          order by k.started_at desc limit ${most}`;
  const { rows } = await sql<RuleFacts>`select ${factColumns} from (${calls}) c
    where c.talk_seconds >= ${min_talk_seconds}
      ${direction ? sql`and c.outbound = ${direction === 'outbound'}` : sql``}
      ${numbers ? sql`and c.number_id = any(${[...numbers]}::bigint[])` : sql``}
    order by c.started_at desc, c.id desc`.execute(tx);
  return rows;
}
