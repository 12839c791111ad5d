import type { Answer, Body, PageAnswer, Query, monitoring as contract } from '#contract';
import { alertResolved, alertOpened } from '#contract/monitoring/events';
import type { AlertState } from '#contract/monitoring/rules';
import { accessTo, grantIn, numbersIn } from '../../platform/access.ts';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { fail, notFound } from '../../platform/errors.ts';
import { organizationWithCompanies } from '../companies/index.ts';
import { presentAlert, presentChange } from './present.ts';
import { alertById, changesOfAlert, insertChange, patchAlert, type AlertRow } from './store.ts';
import { samplesOf } from './store-samples.ts';
import { alertCounts, alertPage, companyOfAlert, type AlertPlace } from './store-lists.ts';

// The system role: alerts of several companies are listed together, each only where the person may
// see alerts.

type Alert = Answer<typeof contract.updateAlert>['data'];
type Change = Body<typeof contract.updateAlert>;
type Scope = Pick<Query<typeof contract.countAlerts>, 'accounts' | 'organization'>;

/** Where the person may see this company's alerts; null: nowhere. */
function placeOf(ctx: Ctx, companyId: number): AlertPlace | null {
  const access = accessTo(ctx.actor, companyId);
  const grant = grantIn(access, 'monitoring.view');
  return access && grant !== 'none' ? { companyId, numberIds: numbersIn(access, grant) } : null;
}

/**
 * The companies that a request is about: those it names, or its own. 404 for one where the person
 * can't see alerts, and for an organization they don't administer.
 */
async function placesOf(ctx: Ctx, { accounts, organization }: Scope): Promise<AlertPlace[]> {
  const asked = organization === undefined ? [] : await companiesOf(ctx, organization);
  const wanted = accounts?.length ? accounts : organization ? asked : [ctx.companyId];
  if (organization && accounts?.some((id) => !asked.includes(id))) notFound();
  return [...new Set(wanted)].map((id) => placeOf(ctx, id) ?? notFound());
}

async function companiesOf(ctx: Ctx, organization: number): Promise<number[]> {
  const found = await organizationWithCompanies(ctx.db.unscoped, organization);
  if (!found?.companyIds.length) notFound();
  const administers = found.companyIds.every(
    (id) => grantIn(accessTo(ctx.actor, id), 'organization.edit') !== 'none',
  );
  return administers ? [...found.companyIds] : notFound();
}

/** One page of alerts: open ones first, the gravest first. */
export async function listAlerts(
  ctx: Ctx,
  query: Query<typeof contract.listAlerts>,
): Promise<PageAnswer<Alert>> {
  const places = await placesOf(ctx, query);
  const { rows, total } = await alertPage(
    ctx.db.unscoped,
    { ...query, places },
    { limit: query.perPage, offset: (query.page - 1) * query.perPage },
  );
  return { rows: rows.map(presentAlert), total };
}

/** How many alerts are open, by severity and kind, and how many acknowledged. */
export async function countAlerts(
  ctx: Ctx,
  scope: Scope,
): Promise<Answer<typeof contract.countAlerts>> {
  const rows = await alertCounts(ctx.db.unscoped, await placesOf(ctx, scope));
  const sum = (of: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(of).reduce((n, row) => n + row.n, 0);
  const isOpen = ({ state }: { state: string }): boolean => state === 'open';
  const byKind: Record<string, number> = {};
  for (const row of rows.filter(isOpen)) byKind[row.kind] = (byKind[row.kind] ?? 0) + row.n;
  return {
    data: {
      open: sum(isOpen),
      critical: sum((row) => isOpen(row) && row.severity === 'critical'),
      warning: sum((row) => isOpen(row) && row.severity === 'warning'),
      info: sum((row) => isOpen(row) && row.severity === 'info'),
      acknowledged: sum(({ state }) => state === 'acknowledged'),
      byKind,
    },
  };
}

/** An alert of the company that the actor can see; 404 for others. */
async function visibleAlert(ctx: TxCtx, id: number, lock = false): Promise<AlertRow> {
  const row = (await alertById(ctx.tx, ctx.companyId, id, lock)) ?? notFound();
  const isTheirs =
    !ctx.numbers || (row.subject_type === 'number' && ctx.numbers.includes(row.subject_id));
  return isTheirs ? row : notFound();
}
const presentOne = async (ctx: TxCtx, row: AlertRow): Promise<{ data: Alert }> => ({
  data: presentAlert({ ...row, ...(await companyOfAlert(ctx.tx, ctx.companyId)) }),
});

/** An alert and what it measured; `not_found` for one that the actor can't see. */
export async function getAlert(ctx: TxCtx, id: number): Promise<Answer<typeof contract.getAlert>> {
  const { data } = await presentOne(ctx, await visibleAlert(ctx, id));
  const samples = await samplesOf(ctx.tx, ctx.companyId, id);
  return {
    data: { ...data, samples: samples.map(({ at, value }) => ({ at: at.toISOString(), value })) },
  };
}

/** What happened to an alert, latest first. */
export async function listAlertHistory(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.listAlertHistory>> {
  await visibleAlert(ctx, id);
  return { data: (await changesOfAlert(ctx.tx, ctx.companyId, id)).map(presentChange) };
}

/**
 * Acknowledges, resolves or dismisses an alert, opens an acknowledged one again, or comments on it.
 * Fails with `alert.closed` for one that is resolved or dismissed, except for a comment.
 */
export async function updateAlert(
  ctx: TxCtx,
  id: number,
  change: Change,
): Promise<{ data: Alert }> {
  const row = await visibleAlert(ctx, id, true);
  if (!canChange(row, change)) fail('alert.closed');
  return presentOne(ctx, await applyChange(ctx, row, change));
}

/**
 * Does the same to several alerts; those that are closed stay as they are. `not_found`, and nothing
 * changes, if the actor can't see one of them.
 */
export async function updateAlerts(
  ctx: TxCtx,
  { ids, ...change }: Body<typeof contract.updateAlerts>,
): Promise<Answer<typeof contract.updateAlerts>> {
  const [updated, closed]: [number[], number[]] = [[], []];
  // In one order, so that two requests about the same alerts don't wait for each other.
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const row = await visibleAlert(ctx, id, true);
    if (!canChange(row, change)) closed.push(id);
    else {
      await applyChange(ctx, row, change);
      updated.push(id);
    }
  }
  return { data: { updated, closed } };
}

const isClosed = ({ state }: Pick<AlertRow, 'state'>): boolean =>
  state === 'resolved' || state === 'dismissed';
/** A closed alert takes comments, and nothing else. */
const canChange = (row: AlertRow, { state }: Change): boolean =>
  !isClosed(row) || state === undefined || state === row.state;

async function applyChange(
  ctx: TxCtx,
  row: AlertRow,
  { state, reason, comment }: Change,
): Promise<AlertRow> {
  const before = row.state as AlertState;
  const after = state ?? before;
  const closes = !isClosed(row) && isClosed({ state: after });
  const changed = await patchAlert(ctx.tx, row, {
    state: after,
    ...(comment && { comment }),
    ...(after === 'dismissed' && reason && { reason }),
    ...(closes && {
      resolved_at: ctx.now,
      resolved_by: ctx.actor.userId || null,
      resolved_by_name: ctx.actor.name,
    }),
  });
  await insertChange(ctx.tx, row, {
    at: ctx.now,
    from: before,
    to: after,
    actor: { id: ctx.actor.userId, name: ctx.actor.name },
    reason,
    comment,
  });
  await audit(ctx, 'alert.updated', `alert:${row.id}`, {
    before: { state: before },
    after: { state: after, ...(reason && { reason }), ...(comment && { comment }) },
  });
  await publishUpdate(ctx, changed, after);
  return changed;
}

async function publishUpdate(ctx: TxCtx, row: AlertRow, state: AlertState): Promise<void> {
  const about = { companyId: ctx.companyId, alertId: row.id };
  if (state !== 'open') return ctx.publish(alertResolved, { ...about, state });
  const { kind, severity } = presentAlert({ ...row, company_name: '', organization_id: null });
  return ctx.publish(alertOpened, { ...about, kind, severity, isTold: false });
}
