import type { TxCtx } from '../../../platform/context.ts';
import { setConversation } from './store.ts';

/** The conversation this call became an item of. Told by conversations, when they hear of the call. */
export const linkConversation = (ctx: TxCtx, callId: number, conversationId: number) =>
  setConversation(ctx.tx, ctx.companyId, callId, conversationId);
