import { dnsCheckMinutes } from '#contract/settings/tenant/rules';
import type { Ctx } from '../../../platform/context.ts';
import { defineRecurring } from '../../../platform/jobs.ts';
import { checkDomain } from './custom-domain.ts';
import { checkSender } from './sender.ts';
import { dueChecks } from './store.ts';

// The system role: the tenant belongs to an organization, above its companies.

/** Looks at the DNS that is due: pending every 15 minutes, proven once a day. */
async function checkDns(ctx: Ctx): Promise<void> {
  const before = (minutes: number) => new Date(ctx.now.getTime() - minutes * 60_000);
  const { senders, domains } = await dueChecks(ctx.db.unscoped, {
    // A minute early, so that a run every 15 minutes finds those of the one before.
    pendingBefore: before(dnsCheckMinutes - 1),
    provenBefore: before(24 * 60 - 1),
  });
  for (const id of senders) await checkSender(ctx, id);
  for (const id of domains) await checkDomain(ctx, id);
}

export const jobs = [
  defineRecurring(
    'settings.checkDns',
    {
      cron: '*/15 * * * *',
      does: 'looks for the DNS records of mail senders and custom domains',
      queue: 'default',
      timeoutSeconds: 600,
    },
    checkDns,
  ),
];
