import { sql } from 'kysely';
import type { MatchKind } from '#contract/tracking/match-rules';
import type { Tx } from '../../../platform/db.ts';

/** What the visit behind a call or text says beside its source. */
export interface VisitOfContact {
  /** Which ad of a campaign; null: not known. */
  content: string | null;
  /** Cookies of the website that its pool captures, by name. */
  cookies: Readonly<Record<string, string>>;
}

/** The visits behind calls or texts, by their IDs; none: there is no visit, or it is no longer kept. */
export async function visitsOfContacts(
  tx: Tx,
  companyId: number,
  kind: MatchKind,
  subjectIds: readonly number[],
): Promise<Map<number, VisitOfContact>> {
  const { rows } = await sql<VisitOfContact & { id: number }>`
    select m.subject_id as id, m.content, coalesce(v.captured -> 'cookies', '{}') as cookies
    from tracking_match m
    left join tracking_visit v on v.company_id = m.company_id and v.id = m.visit_id
    where m.company_id = ${companyId} and m.kind = ${kind}
      and m.subject_id = any(${[...subjectIds]}::bigint[])`.execute(tx);
  return new Map(rows.map(({ id, ...visit }) => [id, visit]));
}
