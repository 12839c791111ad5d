import type { NotificationEvent } from '#contract/notifications/rules';
import type { TxCtx } from '../../platform/context.ts';
import { filterUnmuted } from './store-members.ts';

/**
 * Without addresses of users who muted mail about the number (A24). Other people's addresses stay.
 */
export const unmutedAddresses = async (
  ctx: TxCtx,
  numberId: number,
  event: NotificationEvent,
  addresses: readonly string[],
): Promise<string[]> =>
  addresses.length ? filterUnmuted(ctx.tx, ctx.companyId, numberId, event, addresses) : [];
