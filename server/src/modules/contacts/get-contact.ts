import type { Contact } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { presentContacts } from './present.ts';
import { contactById, type ContactRow } from './store.ts';

export async function getContact(ctx: TxCtx, id: number): Promise<{ data: Contact }> {
  return answered(ctx, (await contactById(ctx.tx, ctx.companyId, id)) ?? missing());
}
/** One contact as every answer shows it. */
export const answered = async (ctx: TxCtx, row: ContactRow): Promise<{ data: Contact }> => ({
  data: (await presentContacts(ctx, [row]))[0]!,
});
