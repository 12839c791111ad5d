import { numbers as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { createRoutes } from './routing-provider.ts';
import { applyTemplate } from './templates/apply-template.ts';
import { recordNumberEvent } from './timeline/record-event.ts';

/**
 * Completes the addition of a number whose row is active: timeline, template, audit, routes and the
 * event. `copyOf` is a number whose routes it gets; `how` and `reason` are the type and summary of its
 * timeline entry, if it wasn't purchased.
 */
export async function recordPurchase(
  t: TxCtx,
  purchase: {
    id: number;
    number: string;
    label: string;
    buyer: number | null;
    templateId?: number | null;
    copyOf?: number;
    /** The tracking pool that it was bought for; it joins when the purchase is known there. */
    poolId?: number | null;
    how?: 'ported_in';
    reason?: string;
  },
): Promise<void> {
  const summary = purchase.reason
    ? purchase.reason
    : purchase.how === 'ported_in'
      ? 'Ported in from another carrier'
      : purchase.copyOf
        ? 'Purchased to replace another number'
        : 'Purchased';
  await recordNumberEvent(t, purchase.id, {
    type: purchase.how ?? 'purchased',
    summary,
    after: { number: purchase.number, label: purchase.label },
    source: 'purchased',
  });
  if (purchase.templateId)
    await applyTemplate(t, purchase.id, purchase.templateId, { bought: true });
  await audit(t, 'number.purchased', `number:${purchase.id}`, {
    after: { number: purchase.number, label: purchase.label },
  });
  await createRoutes(t, purchase.id, {
    templateId: purchase.templateId ?? null,
    copyOf: purchase.copyOf ?? null,
  });
  await t.publish(
    contract.numberPurchased,
    {
      companyId: t.companyId,
      numberId: purchase.id,
      number: purchase.number,
      label: purchase.label,
      templateId: purchase.templateId ?? null,
      by: purchase.buyer || null,
      copyOf: purchase.copyOf ?? null,
      poolId: purchase.poolId ?? null,
    },
    { numberId: purchase.id },
  );
}
