import type { AlertKind } from '#contract/monitoring/rules';
import { enqueueIn, type Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { checkCompany, kindsOf } from './check-company.ts';
import { checkJob, mailAlertsJob, postAlertsJob } from './job-kinds.ts';
import { mailDigests } from './digest.ts';
import { postAlerts } from './post-alerts.ts';
import { mailAlerts } from './mail-alerts.ts';
import { takeDueCompanies, type DueCompany } from './store-checks.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Companies that one minute starts at most; the others have their turn in the next. */
const mostAtOnce = 500;

const dueKinds = ({ quarter, hour, day }: DueCompany) =>
  kindsOf([
    'five_minutes',
    ...(quarter ? (['quarter'] as const) : []),
    ...(hour ? (['hour'] as const) : []),
    ...(day ? (['day'] as const) : []),
  ]);

/** The checks whose turn it is, of all companies; marks them as done now. */
export const dueChecks = async (
  tx: Tx,
  now: Date,
): Promise<{ companyId: number; kinds: AlertKind[] }[]> =>
  (await takeDueCompanies(tx, now, mostAtOnce)).map((due) => ({
    companyId: due.id,
    kinds: dueKinds(due),
  }));

/** Every minute: queues the checks of companies whose turn it is. */
export const startDueChecks = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    for (const check of await dueChecks(tx, ctx.now))
      await enqueueIn(tx, checkJob, check, {
        key: `monitoring.check:${check.companyId}:${ctx.now.getTime()}`,
      });
  });

export const jobs = [
  runJob(checkJob, (ctx, { kinds }) =>
    ctx.inBackground().transaction((t) => checkCompany(t, kinds)),
  ),
  runJob(mailAlertsJob, mailAlerts),
  runJob(postAlertsJob, (ctx, payload) => postAlerts(ctx.inBackground(), payload)),
  defineRecurring(
    'monitoring.startChecks',
    {
      cron: '* * * * *',
      does: 'checks companies for what they should look at',
      queue: 'default',
      timeoutSeconds: 120,
    },
    startDueChecks,
  ),
  defineRecurring(
    'monitoring.mailDigests',
    {
      cron: '*/15 * * * *',
      does: 'emails administrators of organizations the alerts of a day',
      queue: 'default',
      timeoutSeconds: 120,
    },
    mailDigests,
  ),
];
