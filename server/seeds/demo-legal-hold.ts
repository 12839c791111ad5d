import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;
const reason = 'Complaint before the state dental board, file 26-1182';

/** Holds the contact who called most, since twelve days ago, and notes that in the audit log. */
export async function seedLegalHold(
  tx: Tx,
  company: { id: number; by: number; name: string },
  now: Date,
): Promise<void> {
  const at = new Date(now.getTime() - 12 * DAY);
  await sql`
    with held as (
      select t.id, t.number from contact t join call c
        on c.company_id = t.company_id and c.party = t.number
      where t.company_id = ${company.id} and t.deleted_at is null and t.name <> ''
        and t.unsubscribed_at is null
      group by t.id, t.number order by count(*) desc, t.id limit 1
    ), hold as (
      insert into legal_hold (company_id, number, reason, held_by, held_by_name, held_at)
      select ${company.id}, number, ${reason}, ${company.by}, ${company.name}, ${at} from held
    )
    insert into audit_log (company_id, at, actor_id, actor_kind, action, subject, after)
    select ${company.id}, ${at}, ${company.by}, 'user', 'legal_hold.begun', 'contact:' || id,
      ${JSON.stringify({ reason })}::jsonb
    from held`.execute(tx);
}
