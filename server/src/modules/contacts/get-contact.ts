import type { Contact } from '#contract/contacts/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { firstOf } from '../../platform/must-be.ts';
import { presentContacts } from './present.ts';
import { contactById, type ContactRow } from './store.ts';

/** One contact; `not_found` for deleted ones. */
export async function getContact(ctx: TxCtx, id: number): Promise<{ data: Contact }> {
  return contactAnswer(ctx, (await contactById(ctx.tx, ctx.companyId, id)) ?? notFound());
}
/** A contact as the API returns it. */
export const contactAnswer = async (ctx: TxCtx, row: ContactRow): Promise<{ data: Contact }> => ({
  data: firstOf(await presentContacts(ctx, [row])),
});
