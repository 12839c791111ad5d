import type { routing } from '#contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** A flow in the form PUT /numbers/{id} accepts. */
export interface StoredFlow {
  routes: routing.RouteIn[];
  menu: routing.NumberWithRoutes['menu'];
}
export interface DraftRow {
  revision: number;
  based_on: number;
  flow: unknown;
  edited_by: number | null;
  edited_by_name: string;
  edited_at: Date;
}
export interface VersionRow {
  version: number;
  kind: string;
  flow: unknown;
  summary: string;
  restored_from: number | null;
  published_by_name: string | null;
  published_at: Date;
}

const versionsOfNumber = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .selectFrom('flow_version')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId);

/** The draft of a number's flow. Undefined: none since the last publication. */
export const draftRow = (
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<DraftRow | undefined> =>
  tx
    .selectFrom('flow_draft')
    .select(['revision', 'based_on', 'flow', 'edited_by', 'edited_by_name', 'edited_at'])
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .executeTakeFirst();

/** Stores the draft of a number's flow over the earlier one. */
export const saveDraftRow = (
  tx: Tx,
  companyId: number,
  numberId: number,
  draft: {
    flow: StoredFlow;
    based_on: number;
    revision: number;
    edited_by: number | null;
    edited_by_name: string;
    edited_at: Date;
  },
) => {
  const row = { ...draft, flow: JSON.stringify(draft.flow) };
  return tx
    .insertInto('flow_draft')
    .values({ company_id: companyId, number_id: numberId, ...row })
    .onConflict((c) => c.columns(['company_id', 'number_id']).doUpdateSet(row))
    .execute();
};

/** Discards the draft of a number's flow. */
export const deleteDraft = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .deleteFrom('flow_draft')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .execute();

/** The newest published version of a number's flow. Undefined: it was never published. */
export const lastVersion = (
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<VersionRow | undefined> =>
  versionsOfNumber(tx, companyId, numberId)
    .selectAll()
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();

/** A published version of a number's flow. Undefined: none of this number. */
export const versionRow = (
  tx: Tx,
  companyId: number,
  numberId: number,
  version: number,
): Promise<VersionRow | undefined> =>
  versionsOfNumber(tx, companyId, numberId)
    .selectAll()
    .where('version', '=', version)
    .executeTakeFirst();

/** A page of versions, newest first, without their flow. `before`: continue below this version. */
export async function versionsPage(
  tx: Tx,
  companyId: number,
  numberId: number,
  page: { limit: number; before: number | null; offset: number },
): Promise<{ rows: Omit<VersionRow, 'flow'>[]; total: number }> {
  let query = versionsOfNumber(tx, companyId, numberId).select([
    'version',
    'kind',
    'summary',
    'restored_from',
    'published_by_name',
    'published_at',
  ]);
  if (page.before !== null) query = query.where('version', '<', page.before);
  const rows = await query
    .orderBy('version', 'desc')
    .limit(page.limit)
    .offset(page.before === null ? page.offset : 0)
    .execute();
  const { n } = await versionsOfNumber(tx, companyId, numberId)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(n) };
}

/** Stores a published version. `restored_from`: the version it repeats, null for a draft. */
export const insertVersion = (
  tx: Tx,
  companyId: number,
  numberId: number,
  version: {
    version: number;
    kind: string;
    flow: StoredFlow;
    summary: string;
    restored_from: number | null;
    published_by: number | null;
    published_by_name: string | null;
    published_at: Date;
  },
) =>
  tx
    .insertInto('flow_version')
    .values({
      company_id: companyId,
      number_id: numberId,
      ...version,
      flow: JSON.stringify(version.flow),
    })
    .execute();

/**
 * Turns taken so far per route, locked until the transaction ends: concurrent calls take others.
 */
export async function lockTurnCounts(
  tx: Tx,
  companyId: number,
  routeIds: readonly number[],
): Promise<Record<number, number>> {
  if (routeIds.length === 0) return {};
  const ids = [...routeIds].sort((a, b) => a - b);
  await sql`insert into route_round_robin (company_id, route_id)
    select ${companyId}, r.id from route r
    where r.company_id = ${companyId} and r.id = any(${ids}::bigint[])
    order by r.id on conflict do nothing`.execute(tx);
  const rows = await tx
    .selectFrom('route_round_robin')
    .select(['route_id', 'turns'])
    .where('company_id', '=', companyId)
    .where('route_id', 'in', ids)
    .orderBy('route_id')
    .forUpdate()
    .execute();
  return Object.fromEntries(rows.map((row) => [row.route_id, Number(row.turns)]));
}

/** Turns taken so far per route, not locked. */
export async function turnCounts(
  tx: Tx,
  companyId: number,
  routeIds: readonly number[],
): Promise<Record<number, number>> {
  if (routeIds.length === 0) return {};
  const rows = await tx
    .selectFrom('route_round_robin')
    .select(['route_id', 'turns'])
    .where('company_id', '=', companyId)
    .where('route_id', 'in', [...routeIds])
    .execute();
  return Object.fromEntries(rows.map((row) => [row.route_id, Number(row.turns)]));
}

/** Counts one turn for each of these routes. */
export const countTurns = (tx: Tx, companyId: number, routeIds: readonly number[]) =>
  tx
    .updateTable('route_round_robin')
    .set((e) => ({ turns: e('turns', '+', 1) }))
    .where('company_id', '=', companyId)
    .where('route_id', 'in', [...routeIds])
    .execute();

/** Per route: when each destination last answered, epoch ms. */
export async function lastAnswersOnRoutes(
  tx: Tx,
  companyId: number,
  routeIds: readonly number[],
): Promise<Record<number, Record<string, number>>> {
  const found: Record<number, Record<string, number>> = {};
  if (routeIds.length === 0) return found;
  const rows = await tx
    .selectFrom('route_last_answer')
    .select(['route_id', 'destination', 'answered_at'])
    .where('company_id', '=', companyId)
    .where('route_id', 'in', [...routeIds])
    .execute();
  for (const row of rows)
    (found[row.route_id] ??= {})[row.destination] = new Date(row.answered_at).getTime();
  return found;
}

/** Stores when a destination of a route last answered. */
export const saveLastAnswer = (
  tx: Tx,
  companyId: number,
  routeId: number,
  destination: string,
  at: Date,
) =>
  sql`insert into route_last_answer (company_id, route_id, destination, answered_at)
    select ${companyId}, id, ${destination}, ${at}
    from route where company_id = ${companyId} and id = ${routeId}
    on conflict (company_id, route_id, destination) do update
      set answered_at = greatest(route_last_answer.answered_at, excluded.answered_at)`.execute(tx);
