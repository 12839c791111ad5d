/** Words about a person in rows that are about something else, and stay. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/**
 * Takes the person out of calls of others that were passed on to these numbers: where they went, and
 * the name or number that the history says.
 */
export const scrubOtherCalls = (tx: Tx, companyId: number, numbers: readonly string[]) =>
  sql`with theirs as (
      select call_id, leg, label, target from call_leg
      where company_id = ${companyId} and target = any(${[...numbers]}::text[])
    ), told as (
      update call_history h set target = case when h.target = t.target then 'erased' else h.target end,
        label = replace(replace(h.label, t.label, 'someone erased'), t.target, 'someone erased'),
        detail = replace(replace(h.detail, t.label, 'someone erased'), t.target, 'someone erased')
      from theirs t where h.company_id = ${companyId} and h.call_id = t.call_id
    )
    update call_leg l set target = 'erased', label = 'Someone erased' from theirs t
    where l.company_id = ${companyId} and l.call_id = t.call_id and l.leg = t.leg`.execute(tx);

/**
 * Empties what was said to and by connected services about calls and items that are gone: this
 * person's are by now.
 */
export const scrubDeliveries = (tx: Tx, companyId: number) =>
  sql`with gone as (
      update delivery d set request_redacted = null, response_excerpt = null, error = null,
        external_ref = null
      where d.company_id = ${companyId} and num_nonnulls(request_redacted, response_excerpt, error,
          external_ref) > 0
        and case d.subject_type
          when 'call' then not exists (select from call c
            where c.company_id = d.company_id and c.id = d.subject_id)
          else not exists (select from conversation_item i
            where i.company_id = d.company_id and i.id = d.subject_id) end
      returning d.id
    )
    update delivery_attempt a set response_excerpt = null, error = null from gone
    where a.company_id = ${companyId} and a.delivery_id = gone.id`.execute(tx);

/** Empties lists of errors that name one of these numbers, such as those of imports. */
export const scrubBatches = (tx: Tx, companyId: number, numbers: readonly string[]) =>
  sql`update batch set errors = '[]' where company_id = ${companyId} and errors <> '[]'
    and exists (select from unnest(${[...numbers]}::text[]) n
      where errors::text like '%' || ltrim(n, '+') || '%')`.execute(tx);
