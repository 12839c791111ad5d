import type { Answer, Body } from '#contract';
import type { countContacts as said } from '#contract/contacts/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { countContactsFor } from './groups/count-groups.ts';

/** How many contacts match a filter, and how many of them can be texted. */
export async function countContacts(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const { total, invalid, unsubscribed } = await countContactsFor(ctx, body.filters);
  return { data: { total, active: total - invalid - unsubscribed, invalid, unsubscribed } };
}
