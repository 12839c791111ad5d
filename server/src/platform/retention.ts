import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import type { Tx } from './db.ts';
import { defineRecurring, type Job } from './jobs.ts';
import type { RetentionRule } from './retention-rule.ts';
import { InvalidSettingsError } from './settings.ts';

/** Days of an interval such as `7 days`; null for other units. */
function daysOf(keepFor: string): number | null {
  const days = /^(\d+) days?$/.exec(keepFor)?.[1];
  return days === undefined ? null : Number(days);
}

/**
 * The rules with the times that `RETENTION_DAYS` sets.
 * @throws InvalidSettingsError for a table whose time can't be set, or a time that is too short
 */
export function retentionRulesFor(
  retentionRules: readonly RetentionRule[],
  days: Readonly<Record<string, number>>,
): readonly RetentionRule[] {
  const adjustable = retentionRules.filter((rule) => rule.atLeastDays !== undefined);
  const problems = Object.entries(days).flatMap(([table, wanted]) => {
    const rule = adjustable.find((one) => one.table === table);
    const names = adjustable.map((one) => one.table).join(', ');
    if (!rule) return [`RETENTION_DAYS may name ${names}; ${table} is none of them`];
    const { atLeastDays = 0, keepFor } = rule;
    if (wanted >= atLeastDays) return [];
    const example = `RETENTION_DAYS=${table}=${daysOf(keepFor)}`;
    return [`RETENTION_DAYS keeps ${table} for at least ${atLeastDays} days. Try ${example}`];
  });
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  return retentionRules.map((rule) => {
    const wanted = rule.atLeastDays === undefined ? undefined : days[rule.table];
    return wanted === undefined ? rule : { ...rule, keepFor: `${wanted} days` };
  });
}

/** Rows per statement: each statement is a short transaction. */
const BATCH_ROWS = 2000;
/** Per table and run; the rest waits for the next hour. */
const MAX_BATCHES = 500;

/** The statement that deletes some expired rows. `now`: a placeholder or a time. */
export function deleteExpiredSql(o: RetentionRule, now: ReturnType<typeof sql>) {
  const table = sql.table(o.table);
  const isOld = sql`${sql.raw(o.ageColumn)} < ${now}::timestamptz -
    ${sql.lit(o.keepFor)}::interval`;
  const where = o.where ? sql` and (${sql.raw(o.where)})` : sql``;
  // With `orderBy`, the first rows in that order are read and the expired ones among them deleted:
  // the scan ends at the first young rows.
  const oldest = o.orderBy
    ? sql`select r.ctid, ${sql.raw(o.ageColumn)} as since from ${table} r
      where true${where} order by ${sql.raw(o.orderBy)} limit ${sql.lit(BATCH_ROWS)}`
    : sql`select r.ctid, ${sql.raw(o.ageColumn)} as since
      from ${table} r where ${isOld}${where} limit ${sql.lit(BATCH_ROWS)}`;
  return sql`delete from ${table} where ctid = any(array(select oldest.ctid from (${oldest}) oldest
        where oldest.since < ${now}::timestamptz - ${sql.lit(o.keepFor)}::interval))`;
}

/** Runs hourly: deletes expired rows, table by table, at background priority. */
export async function deleteExpiredRows(ctx: Ctx, rules: readonly RetentionRule[]): Promise<void> {
  const { unscoped: directory } = ctx.inBackground().db;
  for (const rule of retentionRulesFor(rules, ctx.settings.retentionDays)) {
    if (rule.dropsDays) {
      await dropExpiredDays(directory, rule, ctx);
      continue;
    }
    for (let n = 0; n < MAX_BATCHES; n++) {
      const { numAffectedRows } = await deleteExpiredSql(rule, sql`${ctx.now}`).execute(directory);
      if (Number(numAffectedRows ?? 0) < BATCH_ROWS) break;
    }
  }
}

/** Whoever reads the table meanwhile is not made to wait: the next hour tries again. */
const dropExpiredDays = (
  directory: Tx,
  { dropsDays = '', keepFor, table }: RetentionRule,
  { log, now }: Ctx,
) =>
  sql`select ${sql.raw(dropsDays)}(${now}::timestamptz - ${sql.lit(keepFor)}::interval)`
    .execute(directory)
    .catch((error: unknown) => log.warn({ err: error, table }, 'old days not dropped'));

/** The job that deletes by these rules. */
export const retentionJob = (rules: readonly RetentionRule[]): Job =>
  defineRecurring(
    'retention.sweep',
    {
      cron: '7 * * * *',
      does: 'deletes rows that are old (docs/retention.md)',
      queue: 'default',
      timeoutSeconds: 3000,
    },
    (ctx) => deleteExpiredRows(ctx, rules),
  );
