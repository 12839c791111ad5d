import { numbers as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { verificationOf } from '../compliance/index.ts';
import { recordNumberEvent } from './timeline/record-event.ts';
import { lockNumber, numberRecord, updateNumberRow } from './store.ts';

const statusLabels: Readonly<
  Record<(typeof contract.verificationStatuses)[number] | 'not_required' | 'none', string>
> = {
  not_required: 'not needed',
  none: 'none',
  draft: 'a draft',
  submitted: 'submitted',
  in_review: 'in review',
  action_required: 'action needed',
  approved: 'approved',
  rejected: 'rejected',
  canceling: 'ending',
  expired: 'ended',
  suspended: 'suspended',
};

/**
 * Copies the current status of a number's registration. Reads it again, because its events may come
 * twice or late. Without a registration the status is `not_required` in the sandbox and `none` at
 * real carriers.
 */
export async function syncVerification(ctx: TxCtx, numberId: number): Promise<void> {
  await lockNumber(ctx.tx, ctx.companyId, numberId, null);
  const before = await numberRecord(ctx.tx, ctx.companyId, numberId);
  if (!before) return;
  const current = await verificationOf(ctx.tx, ctx.companyId, numberId);
  const after = current ?? {
    status:
      ctx.gateways.carriers.forNumber({
        providerId: before.provider_id,
        providerRef: before.provider_ref,
      })?.name === 'sandbox'
        ? 'not_required'
        : 'none',
    campaignId: null,
    reason: null,
  };
  if (
    before.sms_verification_status === after.status &&
    before.sms_verification_campaign_id === after.campaignId &&
    before.sms_verification_reason === after.reason
  )
    return;
  await updateNumberRow(ctx.tx, ctx.companyId, numberId, {
    sms_verification_status: after.status,
    sms_verification_campaign_id: after.campaignId,
    sms_verification_reason: after.reason,
    sms_verification_updated_at: ctx.now,
    updated_at: ctx.now,
  });
  if (before.sms_verification_status !== after.status)
    await recordNumberEvent(ctx, numberId, {
      type: 'sms_status_changed',
      summary: `Texting registration: ${statusLabels[after.status]}${after.reason ? ` (${after.reason})` : ''}`,
      before: { status: before.sms_verification_status },
      after: { status: after.status },
    });
  await ctx.publish(
    contract.numberChanged,
    { companyId: ctx.companyId, numberId, number: before.number, changed: ['sms_verification'] },
    { numberId },
  );
}
