import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/**
 * When calls use the failover number: never, while the own carrier is unreachable, or also when it
 * rejects a call.
 */
export type CallFailoverMode = 'never' | 'away' | 'refused';
export interface FailoverCandidate {
  id: number;
  number: string;
  label: string;
  provider_id: number;
  provider_ref: string | null;
  sms_enabled: boolean;
  via: boolean;
  texts: boolean | null;
  calls: CallFailoverMode | null;
}
interface FailoverRule {
  via: number;
  texts: boolean;
  calls: CallFailoverMode;
}
/**
 * At most 500 other active numbers, without fax numbers. `via` marks the failover number of this
 * one; its rule is in `texts` and `calls`.
 */
export async function failoverCandidates(
  tx: Tx,
  companyId: number,
  numberId: number,
  visibleNumbers: readonly number[] | null,
): Promise<FailoverCandidate[]> {
  return (
    await sql<FailoverCandidate>`select n.id, n.number, n.label, n.provider_id, n.provider_ref,
      n.sms_enabled, f.number_id is not null as via, f.texts, f.calls from number n
      left join carrier_failover f on f.company_id = n.company_id
        and f.via_number_id = n.id and f.number_id = ${numberId}
    where n.company_id = ${companyId}
      and n.id <> ${numberId} and n.status = 'active' and n.category <> 3
      ${visibleNumbers ? sql`and n.id = any(${[...visibleNumbers]}::bigint[])` : sql``}
      order by n.created_at, n.id limit 500`.execute(tx)
  ).rows;
}
/** Sets the failover rule of a number; null removes it. */
export async function setFailoverRule(
  tx: Tx,
  companyId: number,
  numberId: number,
  rule: FailoverRule | null,
  now: Date,
): Promise<void> {
  if (rule === null)
    await tx
      .deleteFrom('carrier_failover')
      .where('company_id', '=', companyId)
      .where('number_id', '=', numberId)
      .execute();
  else
    await tx
      .insertInto('carrier_failover')
      .values({
        company_id: companyId,
        number_id: numberId,
        via_number_id: rule.via,
        texts: rule.texts,
        calls: rule.calls,
        updated_at: now,
      })
      .onConflict((c) =>
        c.columns(['company_id', 'number_id']).doUpdateSet({
          via_number_id: rule.via,
          texts: rule.texts,
          calls: rule.calls,
          updated_at: now,
        }),
      )
      .execute();
}
