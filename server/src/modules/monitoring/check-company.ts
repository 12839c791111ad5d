import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import { companySettingsOf } from '#contract/settings/rules';
import { isFeatureOn } from '#contract/numbers/features/rules';
import { alertOpened, alertResolved } from '#contract/monitoring/events';
import type { TxCtx } from '../../platform/context.ts';
import { companyRow } from '../companies/index.ts';
import { ruleOf } from './rules/index.ts';
import type { Finding } from './rules/finding.ts';
import { tellPeople } from './tell-people.ts';
import {
  countClear,
  insertAlert,
  insertChange,
  mutedSubjects,
  openAlerts,
  seeAgain,
  takeUntold,
  type AlertRow,
} from './store.ts';
import { insertSample } from './store-samples.ts';

type Cadence = (typeof alertKinds)[AlertKind]['every'];
/** The kinds that are checked at one of these intervals. */
export const kindsOf = (intervals: readonly Cadence[]): AlertKind[] =>
  (Object.keys(alertKinds) as AlertKind[]).filter((kind) =>
    intervals.includes(alertKinds[kind].every),
  );

// The system role: one rule reads the sessions of this company's members.

/**
 * Checks a company for these kinds: opens alerts for what is new, counts what is still there, and
 * resolves what two checks in a row didn't find. One subject has one open alert of a kind. Nothing
 * happens while monitoring is off.
 */
export async function checkCompany(ctx: TxCtx, kinds: readonly AlertKind[]): Promise<void> {
  const company = await companyRow(ctx.tx, ctx.companyId);
  if (!company || !kinds.length || !isFeatureOn(company.settings, 'monitoring')) return;
  const look = {
    ...{ tx: ctx.tx, everywhere: ctx.db.unscoped, company, now: ctx.now },
    limits: companySettingsOf(company.settings),
  };
  const known = new Map<string, AlertRow>();
  for (const row of await openAlerts(ctx.tx, ctx.companyId, kinds))
    known.set(`${row.kind}:${row.subject_id}`, row);
  const muted = await mutedSubjects(ctx.tx, ctx.companyId, kinds, ctx.now);
  const opened: AlertRow[] = [];
  for (const kind of kinds) {
    const found = await ruleOf[kind](look);
    for (const finding of found) {
      const key = `${kind}:${finding.subjectId}`;
      const row = known.get(key);
      known.delete(key);
      if (row) await seeAnother(ctx, row, finding);
      else if (!muted.has(key)) opened.push(...(await open(ctx, kind, finding)));
    }
  }
  for (const row of known.values()) await clear(ctx, row);
  if (opened.length) await tell(ctx, opened);
}

async function seeAnother(ctx: TxCtx, row: AlertRow, finding: Finding): Promise<void> {
  await seeAgain(ctx.tx, row, finding, ctx.now);
  const before = row.metric as Finding['metric'];
  // A chart holds a value until the next, so only changes are stored.
  if (before.value !== finding.metric.value)
    await insertSample(ctx.tx, row, ctx.now, finding.metric.value);
}

async function open(ctx: TxCtx, kind: AlertKind, finding: Finding): Promise<AlertRow[]> {
  const { severity, subject } = alertKinds[kind];
  const row = await insertAlert(ctx.tx, ctx.companyId, {
    kind,
    severity,
    subjectType: subject,
    finding,
    now: ctx.now,
  });
  if (!row) return [];
  await insertChange(ctx.tx, row, { at: ctx.now, from: null, to: 'open', metric: finding.metric });
  await insertSample(ctx.tx, row, ctx.now, finding.metric.value);
  return [row];
}

/** Shows new alerts in open pages, and tells people of those that no one was told of today. */
async function tell(ctx: TxCtx, opened: readonly AlertRow[]): Promise<void> {
  const ids = opened.map(({ id }) => id);
  const untold = await takeUntold(ctx.tx, ctx.companyId, ids, ctx.now);
  const told = untold.filter(({ severity }) => severity !== 'info');
  for (const { id: alertId, kind } of opened) {
    const { severity } = alertKinds[kind as AlertKind];
    const isTold = told.some(({ id }) => id === alertId);
    const about = { companyId: ctx.companyId, alertId, kind: kind as AlertKind };
    await ctx.publish(alertOpened, { ...about, severity, isTold });
  }
  await tellPeople(ctx, told);
}

async function clear(ctx: TxCtx, row: AlertRow): Promise<void> {
  if (!(await countClear(ctx.tx, row, ctx.now))) return;
  const from = row.state === 'acknowledged' ? 'acknowledged' : 'open';
  await insertChange(ctx.tx, row, { at: ctx.now, from, to: 'resolved' });
  const { companyId } = ctx;
  await ctx.publish(alertResolved, { companyId, alertId: row.id, state: 'resolved' });
}
