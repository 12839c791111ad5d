import { sql } from 'kysely';
import type { MatchKind } from '#contract/tracking/match-rules';
import type { Tx } from '../../../platform/db.ts';

/** What the visit behind a call or text says beside its source. */
interface VisitOfContact {
  /** Which ad of a campaign; null: not known. */
  content: string | null;
  /** Cookies of the website that its pool captures, by name. */
  cookies: Readonly<Record<string, string>>;
}

/** The visit behind a call or text; null: there is none, or it is no longer kept. */
export async function visitOfContact(
  tx: Tx,
  companyId: number,
  kind: MatchKind,
  subjectId: number,
): Promise<VisitOfContact | null> {
  const { rows } = await sql<VisitOfContact>`
    select m.content, coalesce(v.captured -> 'cookies', '{}') as cookies
    from tracking_match m
    left join tracking_visit v on v.company_id = m.company_id and v.id = m.visit_id
    where m.company_id = ${companyId} and m.kind = ${kind} and m.subject_id = ${subjectId}
    limit 1`.execute(tx);
  return rows[0] ?? null;
}
