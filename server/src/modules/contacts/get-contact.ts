import type { Contact } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { masked, presentContact } from './present.ts';
import { contactById } from './store.ts';

export async function getContact(ctx: TxCtx, id: number): Promise<{ data: Contact }> {
  return { data: presentContact((await contactById(ctx.tx, ctx.companyId, id)) ?? missing(), masked(ctx)) };
}
