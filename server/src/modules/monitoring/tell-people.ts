import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import type { TxCtx } from '../../platform/context.ts';
import { audienceOf, pushTo, type Listener } from '../notifications/index.ts';
import { newsPlaces } from '../integrations/index.ts';
import { mailAlertsJob, postAlertsJob } from './job-kinds.ts';
import type { AlertRow } from './store.ts';

const wanted = (person: Listener, way: 'push' | 'email', rows: readonly AlertRow[]): AlertRow[] =>
  rows.filter((row) => person.wants(way, row.subject_type === 'number' ? row.subject_id : null));

/**
 * Tells of new alerts, all of a check at once: by push and email, as each person's settings say,
 * and only people who can act on alerts; and in the channels that the company chose for them.
 */
export async function tellPeople(ctx: TxCtx, told: readonly AlertRow[]): Promise<void> {
  const [first] = told;
  if (!first) return;
  for (const person of await audienceOf(ctx, 'alert', 'monitoring.edit')) {
    const pushed = person.isReachable ? wanted(person, 'push', told) : [];
    if (pushed.length) await pushAlerts(ctx, person, pushed);
    const mailed = wanted(person, 'email', told);
    if (mailed.length)
      await ctx.enqueue(
        mailAlertsJob,
        { userId: person.user_id, alertIds: mailed.map(({ id }) => id) },
        { key: `alerts:${first.id}:${person.user_id}`, runAt: person.mailAt },
      );
  }
  const alertIds = told.map(({ id }) => id);
  for (const { destinationId, notBefore } of await newsPlaces(ctx))
    await ctx.enqueue(
      postAlertsJob,
      { destinationId, alertIds },
      {
        key: `alerts:${first.id}:channel:${destinationId}`,
        ...(notBefore && { runAt: notBefore }),
      },
    );
}

async function pushAlerts(ctx: TxCtx, to: Listener, rows: readonly AlertRow[]): Promise<void> {
  const [first, ...more] = rows;
  if (!first) return;
  const titleOf = ({ kind }: AlertRow): string => alertKinds[kind as AlertKind].title;
  const body = more.length ? rows.map(titleOf).join(', ') : first.message;
  const note = {
    kind: 'news' as const,
    title: more.length ? `${to.company}: ${rows.length} new alerts` : titleOf(first),
    body: body.slice(0, 180),
    url: more.length ? '/monitoring' : `/monitoring?open=${ctx.companyId}-${first.id}`,
    tag: `alert-${first.id}`,
    data: { companyId: ctx.companyId, alertId: first.id, event: 'alert' },
    ttlSeconds: 86_400,
  };
  await pushTo(
    ctx,
    [to.user_id],
    ['web'],
    note,
    `alert:${ctx.companyId}:${first.id}:${to.user_id}`,
  );
}
