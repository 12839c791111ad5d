import type { NotificationEvent } from '#contract/notifications/rules';
import type { TxCtx } from '../../platform/context.ts';
import { filterUnmuted } from './store-members.ts';

/** Of the addresses that are mailed about a number, those whose owner did not mute mail of it (A24). Addresses of nobody here stay. */
export const unmutedAddresses = async (
  ctx: TxCtx,
  numberId: number,
  event: NotificationEvent,
  addresses: readonly string[],
): Promise<string[]> =>
  addresses.length ? filterUnmuted(ctx.tx, ctx.companyId, numberId, event, addresses) : [];
