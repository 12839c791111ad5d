import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { foldedPattern } from '../../../platform/folded.ts';

/** A row of the audit log, without its values. */
export interface AuditRow {
  id: number;
  at: Date;
  actor_id: number | null;
  actor_kind: string;
  action: string;
  subject: string;
  ip: string | null;
  via_user_id: number | null;
  impersonator_id: number | null;
  reason: string | null;
  before: unknown;
  after: unknown;
}
export interface AuditDetailRow extends AuditRow {
  user_agent: string | null;
  session_id: number | null;
  request_id: string | null;
}

/** Which rows: the person's scope and the filters of the request. Null: not limited. */
export interface AuditFilter {
  /** Only changes by this user. */
  actorId: number | null;
  /** Only these actions; several lists must all match. */
  actions: readonly (readonly string[])[];
  subject: string | null;
  from: Date | null;
  to: Date | null;
  search: string | null;
  /** Actions whose sentence contains the search text. */
  searchActions: readonly string[];
}
/** Where a page ends. */
export interface AuditPlace {
  at: Date;
  id: number;
}

/** SQL that lets a filter's rows of `audit_log` through. */
export function auditCondition(companyId: number, f: AuditFilter): RawBuilder<unknown> {
  const parts = [
    sql`audit_log.company_id = ${companyId}`,
    ...(f.actorId === null ? [] : [sql`actor_id = ${f.actorId}`]),
    ...f.actions.map((actions) => sql`action = any(${[...actions]}::text[])`),
    ...(f.subject === null ? [] : [sql`subject = ${f.subject}`]),
    ...(f.from === null ? [] : [sql`at >= ${f.from}`]),
    ...(f.to === null ? [] : [sql`at < ${f.to}`]),
  ];
  if (f.search !== null) {
    const like = foldedPattern(f.search);
    parts.push(sql`(action = any(${[...f.searchActions]}::text[]) or folded(subject) like ${like}
      or folded(before::text) like ${like} or folded(after::text) like ${like})`);
  }
  return sql.join(parts, sql` and `);
}

/** The next rows, newest first, after a place or so many rows. */
export const auditPage = async (
  tx: Tx,
  companyId: number,
  f: AuditFilter,
  page: { after: AuditPlace | null; limit: number; offset?: number },
): Promise<AuditRow[]> => {
  const { after } = page;
  const { rows } = await sql<AuditRow>`select id, at, actor_id, actor_kind, action, subject, ip,
      via_user_id, impersonator_id, reason, before, after
    from audit_log where ${auditCondition(companyId, f)}
      ${after ? sql`and (at, id) < (${after.at}::timestamptz, ${after.id}::bigint)` : sql``}
    order by at desc, id desc limit ${page.limit} offset ${page.offset ?? 0}`.execute(tx);
  return rows;
};

/** How many rows match. */
export const countAudit = async (tx: Tx, companyId: number, f: AuditFilter): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int n from audit_log
      where ${auditCondition(companyId, f)}`.execute(tx)
  ).rows[0]?.n ?? 0;

/** How many rows match; `most` when there are at least that many. */
export const countAuditUpTo = async (
  tx: Tx,
  companyId: number,
  f: AuditFilter,
  most: number,
): Promise<number> =>
  (
    await sql<{ n: number }>`select count(*)::int n from (select from audit_log
      where ${auditCondition(companyId, f)} limit ${most}) counted`.execute(tx)
  ).rows[0]?.n ?? 0;

/** One row; undefined when it doesn't exist or the filter hides it. */
export const auditRow = async (
  tx: Tx,
  companyId: number,
  f: AuditFilter,
  id: number,
): Promise<AuditDetailRow | undefined> =>
  (
    await sql<AuditDetailRow>`select * from audit_log
      where ${auditCondition(companyId, f)} and id = ${id}`.execute(tx)
  ).rows[0];

/** Names of people, for IDs that the company's own rows hold. */
export const personNames = async (
  directory: Tx,
  ids: readonly number[],
): Promise<Map<number, string>> => {
  if (!ids.length) return new Map();
  const people = await directory
    .selectFrom('person')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(people.map((p) => [p.id, `${p.first_name} ${p.last_name}`.trim() || p.email]));
};

/** Where the names of subjects are: table and column by the word before the colon. */
const namedSubjects: Record<string, { table: string; column: string }> = {
  number: { table: 'number', column: 'number' },
  contact: { table: 'contact', column: 'name' },
  contact_group: { table: 'contact_group', column: 'name' },
  greeting: { table: 'greeting', column: 'name' },
  tracking_pool: { table: 'tracking_pool', column: 'name' },
  team: { table: 'team', column: 'name' },
  tracking_source: { table: 'tracking_source', column: 'label' },
  number_template: { table: 'number_template', column: 'name' },
  field: { table: 'field', column: 'name' },
  campaign: { table: 'campaign', column: 'name' },
};

/** Names of subjects (`number:12`) that still exist and have one. */
export async function subjectNames(
  tx: Tx,
  companyId: number,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const idsByKind = new Map<string, number[]>();
  for (const subject of new Set(subjects)) {
    const [kind, id] = subject.split(':') as [string, string | undefined];
    if (namedSubjects[kind] && id && /^\d{1,16}$/.test(id))
      idsByKind.set(kind, [...(idsByKind.get(kind) ?? []), Number(id)]);
  }
  const names = new Map<string, string>();
  for (const [kind, ids] of idsByKind) {
    const { table, column } = namedSubjects[kind]!; // Only kinds of the table were collected.
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${sql.ref(column)}::text as name from ${sql.table(table)}
      where company_id = ${companyId} and id = any(${ids}::bigint[])`.execute(tx);
    for (const { id, name } of rows) if (name) names.set(`${kind}:${id}`, name);
  }
  return names;
}

/** Deletes up to `most` rows older than that; at least ninety days are kept. Returns how many. */
export const deleteOldAuditRows = async (
  directory: Tx,
  olderThan: Date,
  most: number,
): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select delete_old_audit_rows(${olderThan}, ${most}) n`.execute(directory)
  ).rows[0]?.n ?? 0;
