import type { TxCtx } from '../../platform/context.ts';
import { contactsOfNumbers } from '../contacts/index.ts';
import type { BlockRow } from './store.ts';

/**
 * Blocks as the API returns them, with the contact and the person who set them; null where unknown.
 */
export async function presentBlocks(ctx: TxCtx, rows: readonly BlockRow[]) {
  const contacts = await contactsOfNumbers(
    ctx.tx,
    ctx.companyId,
    rows.map((r) => r.target).filter((t) => t.startsWith('+')),
  );
  return rows.map((r) => {
    const contact = contacts.get(r.target);
    return {
      id: r.id,
      global: r.everywhere,
      target: r.target,
      action: r.action as 0 | 1,
      company_id: r.company_id,
      number_id: r.number_id,
      contact: contact ? { id: contact.id, name: contact.name } : null,
      created_at: r.created_at.toISOString(),
      created_by: r.created_by ? { id: r.created_by, name: r.created_by_name ?? '' } : null,
    };
  });
}
