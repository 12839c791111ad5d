import { audit as contract, type Answer, type PageAnswer, type Query } from '#contract';
import type { AuditEntry } from '#contract/settings/audit/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import {
  auditPage,
  countAuditUpTo,
  auditRow,
  personNames,
  subjectNames,
  type AuditFilter,
  type AuditPlace,
  type AuditRow,
} from './store-audit.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** Counting stops here: a long log must not be read for its length. */
const MOST_COUNTED = 10_000;

type Filters = Partial<Omit<Query<typeof contract.listAuditLog>, 'page' | 'perPage' | 'cursor'>>;

/**
 * The rows that the person may see and that match. Billing sees what concerns money; users what
 * they did (decisions A4).
 */
export function auditFilter(ctx: TxCtx, query: Filters): AuditFilter {
  const isLimited = ctx.grant !== 'all';
  const isBilling = isLimited && ctx.role === 'billing';
  const own = isLimited && !isBilling ? ctx.actor.userId : null;
  if (query.from && query.to && query.from > query.to)
    invalid({ to: 'The end must be after the beginning.' });
  const search = query.search ? query.search.toLowerCase() : null;
  const { group, action, userId } = query;
  return {
    actorId: own ?? userId ?? null,
    actions: [
      ...(isBilling ? [contract.billingActions] : []),
      ...(group ? [contract.actionsOfGroup(group)] : []),
      ...(action ? [[action]] : []),
      // Another user's rows, for somebody who may only see their own: none.
      ...(own !== null && userId !== undefined && userId !== own ? [[]] : []),
    ],
    subject: query.subject ?? null,
    from: query.from ? new Date(query.from) : null,
    to: query.to ? new Date(query.to) : null,
    search,
    searchActions: search
      ? contract.auditActionCodes.filter((code) => contract.auditSentence(code).includes(search))
      : [],
  };
}

/** `at` in milliseconds, then the ID; null without one. A field error for anything else. */
function parseCursor(cursor: string | undefined): AuditPlace | null {
  if (cursor === undefined) return null;
  const found = /^(\d{1,15})-(\d{1,16})$/.exec(cursor);
  if (!found) invalid({ cursor: 'Use the cursor of the page before.' });
  return { at: new Date(Number(found[1])), id: Number(found[2]) };
}
const cursorOf = (row: AuditRow): string => `${new Date(row.at).getTime()}-${row.id}`;

/** A page of the audit log, newest first. `next_cursor` is null on the last page. */
export async function listAuditLog(
  ctx: TxCtx,
  query: Query<typeof contract.listAuditLog>,
): Promise<PageAnswer<AuditEntry>> {
  const filter = auditFilter(ctx, query);
  const after = parseCursor(query.cursor);
  const rows = await auditPage(ctx.tx, ctx.companyId, filter, {
    after,
    limit: query.perPage + 1,
    // A cursor says where the page begins already.
    offset: after ? 0 : (query.page - 1) * query.perPage,
  });
  const counted = await countAuditUpTo(ctx.tx, ctx.companyId, filter, MOST_COUNTED + 1);
  const page = rows.slice(0, query.perPage);
  const last = page.at(-1);
  return {
    rows: await presentEntries(ctx, page),
    total: Math.min(counted, MOST_COUNTED),
    meta: {
      next_cursor: last && rows.length > page.length ? cursorOf(last) : null,
      ...(counted > MOST_COUNTED && { total_is_capped: true }),
    },
  };
}

/** One entry with its values; `not_found` also for one that the person may not see. */
export async function getAuditEntry(
  ctx: TxCtx,
  entryId: number,
): Promise<Answer<typeof contract.getAuditEntry>> {
  const row = (await auditRow(ctx.tx, ctx.companyId, auditFilter(ctx, {}), entryId)) ?? notFound();
  const entry = (await presentEntries(ctx, [row]))[0] ?? notFound();
  const { before, after, user_agent, session_id, request_id } = row;
  return { data: { ...entry, before, after, user_agent, session_id, request_id } };
}

/** Rows with the names of people and subjects. */
export async function presentEntries(ctx: TxCtx, rows: readonly AuditRow[]): Promise<AuditEntry[]> {
  const userIds = rows.flatMap((row) => [
    ...[row.actor_id, row.via_user_id, row.impersonator_id].filter((id) => id !== null),
    ...(/^user:\d{1,15}$/.test(row.subject) ? [Number(row.subject.slice(5))] : []),
  ]);
  const people = await personNames(ctx.db.unscoped, [...new Set(userIds)]);
  const names = await subjectNames(
    ctx.tx,
    ctx.companyId,
    rows.map((row) => row.subject),
  );
  return rows.map((row) => ({
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: actorName(row, people),
    },
    action: row.action,
    group:
      (contract.auditActions as Record<string, { group: contract.AuditGroup }>)[row.action]
        ?.group ?? null,
    sentence: contract.auditSentence(row.action),
    subject: row.subject,
    subject_name:
      names.get(row.subject) ??
      people.get(Number(/^user:(\d{1,15})$/.exec(row.subject)?.[1])) ??
      nameInValues(row),
    change: onlyChange(row),
    ip: row.ip,
    impersonated_by: row.impersonator_id ? (people.get(row.impersonator_id) ?? null) : null,
    reason: row.reason,
  }));
}

function actorName(row: AuditRow, people: ReadonlyMap<number, string>): string {
  if (row.actor_kind === 'directory') return 'Directory';
  if (row.actor_kind === 'system' || row.actor_id === null) return 'System';
  return people.get(row.actor_id) ?? `User ${row.actor_id}`;
}

/** The only field that an entry changed, if its values are short; null otherwise. */
function onlyChange({ before, after }: AuditRow): AuditEntry['change'] {
  if (!isFields(before) || !isFields(after)) return null;
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  );
  const [field] = changed;
  if (field === undefined || changed.length > 1) return null;
  const [from, to] = [before[field], after[field]];
  return isShort(from) && isShort(to) ? { field, from: String(from), to: String(to) } : null;
}
const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isShort = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 40;

/** The name that the change itself holds, for a subject that is gone. */
function nameInValues({ before, after }: AuditRow): string | null {
  for (const value of [after, before]) {
    if (typeof value !== 'object' || value === null) continue;
    for (const key of ['name', 'number', 'label', 'email', 'app_host'])
      if (key in value) {
        const name = (value as Record<string, unknown>)[key];
        if (typeof name === 'string' && name) return name.slice(0, 120);
      }
  }
  return null;
}
