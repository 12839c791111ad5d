import { enqueueIn, type Ctx } from '../../platform/context.ts';
import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { checkCompany, kindsOf } from './check-company.ts';
import { checkJob, mailAlertsJob } from './job-kinds.ts';
import { mailDigests } from './digest.ts';
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

/** Every minute: queues the checks of companies whose turn it is. */
export const startDueChecks = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    for (const due of await takeDueCompanies(tx, ctx.now, mostAtOnce))
      await enqueueIn(
        tx,
        checkJob,
        { companyId: due.id, kinds: dueKinds(due) },
        { key: `monitoring.check:${due.id}:${ctx.now.getTime()}` },
      );
  });

export const jobs = [
  runJob(checkJob, (ctx, { kinds }) =>
    ctx.inBackground().transaction((t) => checkCompany(t, kinds)),
  ),
  runJob(mailAlertsJob, mailAlerts),
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
