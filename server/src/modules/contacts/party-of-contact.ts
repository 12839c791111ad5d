import type { TxCtx } from '../../platform/context.ts';
import { contactsByIds } from './store.ts';

/** The number of a contact that the actor sees; null: no such contact. */
export const partyOfContact = async (ctx: TxCtx, id: number): Promise<string | null> =>
  ctx.may('contacts.view') === 'none'
    ? null
    : ((await contactsByIds(ctx.tx, ctx.companyId, [id]))[0]?.number ?? null);
