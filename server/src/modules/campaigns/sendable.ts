import { sendProblems } from '#contract/campaigns/rules';
import { apiErrorText } from '#contract/errors';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { type CampaignRow, type CampaignVisibility } from './store.ts';
import { companyAccountOf, sendingNumbers, type SendingNumber } from './store-senders.ts';
import { groupsByIds } from './store-audience.ts';

/** The campaigns that the actor may see. */
export const visibilityOf = (ctx: Ctx): CampaignVisibility => ({
  numbers: ctx.numbers,
  userId: ctx.actor.userId,
});

/** Checks all rules of A §5, and that the number may text. Throws 422 with a sentence per field. */
export async function requireSendable(t: TxCtx, c: CampaignRow, at: Date | null): Promise<void> {
  const account = await companyAccountOf(t.tx, t.companyId);
  const problems = sendProblems(
    {
      title: c.title,
      text: c.text,
      unsubscribe_text: c.unsubscribe_text,
      groups: c.group_ids,
      number_id: c.number_id,
      should_be_sent_at: at?.toISOString() ?? null,
      withMedia: (c.media as unknown[]).length > 0,
    },
    account,
    t.now,
  );
  const number = c.number_id ? await numberSendProblem(t, c.number_id) : null;
  if (number) problems['number_id'] = number;
  const groups = await groupsByIds(t, c.group_ids);
  if (c.group_ids[0] && !groups.has(c.group_ids[0]))
    problems['groups'] = 'This group no longer exists. Choose another.';
  if (Object.keys(problems).length) invalid(problems);
}

/** Why nothing can be sent from this number now, as a sentence; null: it can. */
export async function numberSendProblem(t: TxCtx, numberId: number): Promise<string | null> {
  return sendProblemOfNumber(
    t,
    (await sendingNumbers(t.tx, t.companyId, [numberId])).get(numberId),
  );
}
/** Why a number can't send a campaign, as a sentence for the user. Null: it can. */
export function sendProblemOfNumber(
  ctx: Pick<Ctx, 'gateways'>,
  number: SendingNumber | undefined,
): string | null {
  if (!number?.live) return apiErrorText('number.gone');
  if (!number.companyActive) return apiErrorText('company.inactive');
  if (number.companySuspended) return apiErrorText('company.suspended');
  if (!ctx.gateways.carriers.forNumber(number)) return apiErrorText('number.carrier_gone');
  if (!number.smsEnabled) return apiErrorText('number.no_sms');
  return number.verified ? null : apiErrorText('number.not_verified');
}
