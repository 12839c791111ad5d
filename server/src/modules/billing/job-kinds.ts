import { z } from 'zod';
import { jobKind } from '../../platform/job-kind.ts';

/** Asks the provider what became of a charge. Asked again, it charges nothing more. */
export const settlePaymentJob = jobKind(
  'billing.settlePayment',
  z.object({ companyId: z.number(), attemptId: z.number() }),
  { queue: 'default', overlap: 'allowed', retries: 25, timeoutSeconds: 60 },
);

/** Ends the periods of a company that are over. Run again, none is. */
export const closePeriodsJob = jobKind(
  'billing.closePeriods',
  z.object({ companyId: z.number() }),
  { queue: 'default', overlap: 'allowed', retries: 10, timeoutSeconds: 60 },
);

/** Charges what a company owes. Run again, nothing is owed. */
export const collectJob = jobKind('billing.collect', z.object({ companyId: z.number() }), {
  queue: 'default',
  overlap: 'allowed',
  retries: 25,
  timeoutSeconds: 60,
});

/** Takes the step of dunning that is due. Run again, none is. */
export const dunningJob = jobKind('billing.dunning', z.object({ companyId: z.number() }), {
  queue: 'default',
  overlap: 'allowed',
  retries: 25,
  timeoutSeconds: 60,
});

/** Notes beside the company what its plan allows. Run again, nothing changes. */
export const applyPlanJob = jobKind('billing.applyPlan', z.object({ companyId: z.number() }), {
  queue: 'default',
  overlap: 'allowed',
  retries: 10,
  timeoutSeconds: 60,
});

/** Offers a company its plan by the year. Run again, the offer stands already. */
export const offerYearlyJob = jobKind('billing.offerYearly', z.object({ companyId: z.number() }), {
  queue: 'default',
  overlap: 'allowed',
  retries: 10,
  timeoutSeconds: 60,
});

/** Asks the provider for a refund whose answer was lost. Asked again, it is paid once. */
export const refundJob = jobKind(
  'billing.refund',
  z.object({ companyId: z.number(), refundId: z.number() }),
  { queue: 'default', overlap: 'allowed', retries: 25, timeoutSeconds: 60 },
);

/** Texts a billing contact. */
export const textNoticeJob = jobKind(
  'billing.textNotice',
  z.object({ companyId: z.number(), contactId: z.number(), text: z.string(), key: z.string() }),
  { queue: 'default', overlap: 'allowed', retries: 2, timeoutSeconds: 60 },
);
