import { sql, type Selectable } from 'kysely';
import {
  clearChecks,
  muteDays,
  type AlertKind,
  type AlertState,
  type DismissReason,
} from '#contract/monitoring/rules';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import type { Finding } from './rules/finding.ts';

export type AlertRow = Selectable<Tables['alert']>;
export type AlertChangeRow = Selectable<Tables['alert_change']>;

/** The open and acknowledged alerts of these kinds. */
export const openAlerts = (
  tx: Tx,
  companyId: number,
  kinds: readonly AlertKind[],
): Promise<AlertRow[]> =>
  tx
    .selectFrom('alert')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('kind', 'in', [...kinds])
    .where('state', 'in', ['open', 'acknowledged'])
    .execute();

/** Subjects of these kinds, as `kind:id`, that were dismissed as not relevant in the last 30 days. */
export async function mutedSubjects(
  tx: Tx,
  companyId: number,
  kinds: readonly AlertKind[],
  now: Date,
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('alert')
    .select(['kind', 'subject_id'])
    .where('company_id', '=', companyId)
    .where('kind', 'in', [...kinds])
    .where('state', '=', 'dismissed')
    .where('reason', '=', 'not-relevant')
    .where('resolved_at', '>', new Date(now.getTime() - muteDays * 86_400_000))
    .execute();
  return new Set(rows.map(({ kind, subject_id }) => `${kind}:${subject_id}`));
}

/** Opens an alert; undefined: another check has opened it meanwhile. */
export const insertAlert = (
  tx: Tx,
  companyId: number,
  alert: { kind: AlertKind; severity: string; subjectType: string; finding: Finding; now: Date },
): Promise<AlertRow | undefined> =>
  tx
    .insertInto('alert')
    .values({
      company_id: companyId,
      kind: alert.kind,
      severity: alert.severity,
      subject_type: alert.subjectType,
      subject_id: alert.finding.subjectId,
      subject_label: alert.finding.label,
      message: alert.finding.message,
      metric: JSON.stringify(alert.finding.metric),
      first_seen_at: alert.now,
      last_seen_at: alert.now,
      created_at: alert.now,
    })
    .onConflict((c) =>
      c
        .columns(['company_id', 'kind', 'subject_type', 'subject_id'])
        .where('state', 'in', ['open', 'acknowledged'])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst();

/** The alert was found again: counts it, with what it measures now. */
export const seeAgain = (tx: Tx, row: AlertRow, { label, message, metric }: Finding, now: Date) =>
  tx
    .updateTable('alert')
    .set((e) => ({
      last_seen_at: now,
      occurrences: e('occurrences', '+', 1),
      clear_checks: 0,
      subject_label: label,
      message,
      metric: JSON.stringify(metric),
    }))
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .execute();

/** Nothing was found this time; after enough of those the alert is resolved. True: it was now. */
export async function countClear(tx: Tx, row: AlertRow, now: Date): Promise<boolean> {
  const isOver = row.clear_checks + 1 >= clearChecks;
  await tx
    .updateTable('alert')
    .set({
      clear_checks: row.clear_checks + 1,
      ...(isOver && { state: 'resolved', resolved_at: now }),
    })
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .execute();
  return isOver;
}

/** Appends to the history of an alert. */
export const insertChange = (
  tx: Tx,
  row: Pick<AlertRow, 'company_id' | 'id'>,
  change: {
    at: Date;
    from: AlertState | null;
    to: AlertState;
    actor?: { id: number; name: string } | undefined;
    reason?: DismissReason | undefined;
    comment?: string | undefined;
    metric?: unknown;
  },
) =>
  tx
    .insertInto('alert_change')
    .values({
      company_id: row.company_id,
      alert_id: row.id,
      at: change.at,
      from_state: change.from,
      to_state: change.to,
      actor_id: change.actor?.id ?? null,
      actor_name: change.actor?.name ?? null,
      reason: change.reason ?? null,
      comment: change.comment ?? null,
      metric: change.metric === undefined ? null : JSON.stringify(change.metric),
    })
    .execute();

/** An alert, locked until the transaction ends if asked. Undefined: none of this ID. */
export const alertById = (
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<AlertRow | undefined> =>
  tx
    .selectFrom('alert')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();

/** Those of the alerts that are there. */
export const alertsById = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<AlertRow[]> =>
  tx
    .selectFrom('alert')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();

/** Changes an alert. */
export const patchAlert = (
  tx: Tx,
  row: AlertRow,
  patch: {
    state?: AlertState;
    reason?: DismissReason | null;
    comment?: string;
    resolved_at?: Date | null;
    resolved_by?: number | null;
    resolved_by_name?: string | null;
    clear_checks?: number;
  },
): Promise<AlertRow> =>
  tx
    .updateTable('alert')
    .set(patch)
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** The history of an alert, latest first. */
export const changesOfAlert = (tx: Tx, companyId: number, id: number): Promise<AlertChangeRow[]> =>
  tx
    .selectFrom('alert_change')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('alert_id', '=', id)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();

/** Those of the alerts that no one was told of in the last day, marked as told now. */
export const takeUntold = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  now: Date,
): Promise<AlertRow[]> =>
  (
    await sql<AlertRow>`
      update alert a set mailed_at = ${now}
      where a.company_id = ${companyId} and a.id = any(${[...ids]}::bigint[])
        and not exists (select from alert o where o.company_id = a.company_id and o.kind = a.kind
          and o.subject_type = a.subject_type and o.subject_id = a.subject_id
          and o.mailed_at > ${now}::timestamptz - interval '24 hours')
      returning a.*`.execute(tx)
  ).rows;
