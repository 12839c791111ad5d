import type { TxCtx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import { settingsOf } from './rules.ts';
import { accountOf, changeCampaign, keepText, notPaused, type CampaignRow } from './store.ts';
import { sayCampaign } from './tell.ts';

/** A campaign that may be sent waits for its time; where the company asks for approval and a user wants it, for that first. */
export async function queueCampaign(
  t: TxCtx,
  c: CampaignRow,
  people: number,
  approved = false,
): Promise<CampaignRow> {
  const settings = settingsOf((await accountOf(t.tx, t.companyId)).settings);
  if (people > settings.maxSize)
    refuse('campaign.too_large', {
      n: people.toLocaleString('en-US'),
      max: settings.maxSize.toLocaleString('en-US'),
    });
  await keepText(t.tx, c, t.now);
  const asks = settings.approvalRequired && t.role === 'user' && !approved;
  const row = await changeCampaign(
    t.tx,
    t.companyId,
    c.id,
    asks
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
          ...notPaused,
          ...(approved
            ? {
                approval: 'approved',
                approved_by: t.actor.userId || null,
                approved_by_name: t.actor.name,
              }
            : { approval: 'none' }),
        },
  );
  await sayCampaign(t, row);
  return row;
}
