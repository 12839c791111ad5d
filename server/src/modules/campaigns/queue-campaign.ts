import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { reserve } from '../billing/index.ts';
import { settingsOf } from './rules.ts';
import { updateCampaignRow, upsertCampaignText, clearedPause, type CampaignRow } from './store.ts';
import { companyAccountOf } from './store-senders.ts';
import { publishCampaign } from './campaign-events.ts';

/**
 * Queues a campaign for its time, or for approval first where the company requires it of this user.
 * Its credits are reserved until it ends. `campaign.too_large` above the company's limit, or as
 * `requireRoom` where the plan has no room for it.
 */
export async function queueCampaign(
  t: TxCtx,
  c: CampaignRow,
  recipientCount: number,
  approved = false,
): Promise<CampaignRow> {
  const settings = settingsOf((await companyAccountOf(t.tx, t.companyId)).settings);
  if (recipientCount > settings.maxSize)
    fail('campaign.too_large', {
      n: recipientCount.toLocaleString('en-US'),
      max: settings.maxSize.toLocaleString('en-US'),
    });
  await reserve(t, {
    cause: `campaign:${c.id}`,
    component: 'text_credits',
    quantity: c.preview_credits ?? recipientCount,
  });
  await upsertCampaignText(t.tx, c, t.now);
  const needsApproval = settings.approvalRequired && t.role === 'user' && !approved;
  const row = await updateCampaignRow(
    t.tx,
    t.companyId,
    c.id,
    needsApproval
      ? {
          state: 'pending',
          approval: 'asked',
          asked_by: t.actor.userId || null,
          asked_by_name: t.actor.name,
          wake_at: null,
        }
      : {
          state: 'queued',
          wake_at: c.should_be_sent_at ?? t.now,
          ...clearedPause,
          ...(approved
            ? {
                approval: 'approved',
                approved_by: t.actor.userId || null,
                approved_by_name: t.actor.name,
              }
            : { approval: 'none' }),
        },
  );
  await publishCampaign(t, row);
  return row;
}
