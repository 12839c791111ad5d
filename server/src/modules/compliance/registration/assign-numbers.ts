import { formatPhone, isTollFree } from '#contract/phone';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { requireSameCarrier } from './registration-provider.ts';
import type { CampaignRow } from './store.ts';
import {
  insertNumber,
  numbersInOtherCampaigns,
  registrableByIds,
  type RegistrableNumber,
} from './store-numbers.ts';

/**
 * Assigns numbers to a registration and returns the newly added ones. Fails with a field error for
 * numbers that are not the company's or can't text, with `registration.number_in_use` for those of
 * another registration.
 */
export async function assignNumbers(
  ctx: TxCtx,
  campaign: CampaignRow,
  ids: readonly number[],
  state: 'chosen' | 'asked',
): Promise<RegistrableNumber[]> {
  const { numbers: visible } = ctx;
  const uniqueIds = [...new Set(ids)];
  const found = await registrableByIds(ctx.tx, ctx.companyId, uniqueIds);
  if (found.length < uniqueIds.length || (visible && uniqueIds.some((id) => !visible.includes(id))))
    invalid({ numbers: 'Choose from your own numbers.' });
  const misfit = found.find((n) => !n.live || !n.sms_enabled || n.category === 3);
  if (misfit)
    invalid({
      numbers: `${formatPhone(misfit.number)} ${misfit.category === 3 ? 'is a fax number' : !misfit.live ? 'is not active' : 'has texting turned off'}.`,
    });
  const [taken] = await numbersInOtherCampaigns(ctx.tx, ctx.companyId, uniqueIds, campaign.id);
  if (taken) fail('registration.number_in_use', { number: formatPhone(taken.number) });
  await requireSameCarrier(ctx, campaign.id, found);
  const added: RegistrableNumber[] = [];
  // Inserted by ascending id, so that two concurrent requests for the same numbers can't deadlock.
  for (const n of [...found].sort((a, b) => a.id - b.id)) {
    if (
      await insertNumber(ctx.tx, {
        company_id: ctx.companyId,
        campaign_id: campaign.id,
        number_id: n.id,
        number: n.number,
        kind: isTollFree(n.number) ? 'toll_free' : 'local',
        state,
        added_at: ctx.now,
      })
    )
      added.push(n);
  }
  return added;
}
