import { enqueueIn, type Ctx } from '../../platform/context.ts';
import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { textNotice } from './contacts/tell-billing-people.ts';
import { companiesToDun } from './dunning/store-dunning.ts';
import { takeDunningStep } from './dunning/take-step.ts';
import { applyPlan } from './limits/apply-plan.ts';
import { companiesBesidePlan } from './limits/store-plans.ts';
import {
  applyPlanJob,
  closePeriodsJob,
  collectJob,
  dunningJob,
  offerYearlyJob,
  refundJob,
  settlePaymentJob,
  textNoticeJob,
} from './job-kinds.ts';
import { offerYearly, startYearlyOffers } from './offers/offers.ts';
import { runRefund } from './operator/refund-invoice.ts';
import { collect } from './payments/collect.ts';
import { settlePayment } from './payments/settle-payment.ts';
import { closePeriods } from './periods/close-period.ts';
import { companiesToClose } from './periods/store-due.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Companies that one minute starts at most; the others have their turn in the next. */
const mostAtOnce = 500;

/** Every minute: queues the companies whose period is over. */
export const startDuePeriods = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    if (ctx.settings.billing === 'off') return;
    for (const companyId of await companiesToClose(tx, ctx.now, mostAtOnce))
      await enqueueIn(
        tx,
        closePeriodsJob,
        { companyId },
        { key: `billing.closePeriods:${companyId}` },
      );
  });

/** Every minute: queues the companies for which a step of dunning is due. */
export const startDueDunning = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    if (ctx.settings.billing === 'off') return;
    for (const companyId of await companiesToDun(tx, ctx.now, mostAtOnce))
      await enqueueIn(tx, dunningJob, { companyId }, { key: `billing.dunning:${companyId}` });
  });

/** Every ten minutes: queues the companies whose row doesn't follow their plan. */
export const startApplyingPlans = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const isOff = ctx.settings.billing === 'off';
    for (const companyId of await companiesBesidePlan(tx, { isOff, most: mostAtOnce }))
      await enqueueIn(tx, applyPlanJob, { companyId }, { key: `billing.applyPlan:${companyId}` });
  });

export const jobs = [
  runJob(applyPlanJob, applyPlan),
  runJob(refundJob, (ctx, { refundId }) => runRefund(ctx, refundId)),
  defineRecurring(
    'billing.applyPlans',
    {
      cron: '*/10 * * * *',
      does: 'makes features and limits of companies follow their plans',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startApplyingPlans,
  ),
  runJob(offerYearlyJob, offerYearly),
  defineRecurring(
    'billing.startOffers',
    {
      cron: '40 6 * * *',
      does: 'offers plans by the year to companies that pay by the month',
      queue: 'default',
      timeoutSeconds: 120,
    },
    startYearlyOffers,
  ),
  runJob(settlePaymentJob, (ctx, { attemptId }) => settlePayment(ctx, attemptId)),
  runJob(closePeriodsJob, async (ctx) => {
    await ctx.transaction((t) => closePeriods(t));
  }),
  runJob(collectJob, async (ctx) => {
    await collect(ctx);
  }),
  runJob(dunningJob, async (ctx) => {
    await takeDunningStep(ctx);
  }),
  runJob(textNoticeJob, textNotice),
  defineRecurring(
    'billing.startDunning',
    {
      cron: '* * * * *',
      does: 'reminds of unpaid plans, suspends them and ends them',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startDueDunning,
  ),
  defineRecurring(
    'billing.startPeriods',
    {
      cron: '* * * * *',
      does: 'ends billing periods that are over, and invoices them',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startDuePeriods,
  ),
];
