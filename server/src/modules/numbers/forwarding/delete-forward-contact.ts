import { forwarding as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { lockContact, redirectReplaced, updateContact } from './store.ts';
import { usesOf } from './store-lists.ts';

/**
 * Deletes a forwarding contact. While routes refer to it, `replaceWith` is required
 * (`forwarding.in_use`): from this commit on `destinationsByIds` returns the replacement, and
 * routing rewrites its routes when it gets the event. Fails with 404, or 422 on `replace_with`.
 */
export async function deleteForwardContact(
  ctx: TxCtx,
  id: number,
  replaceWith: number | undefined,
): Promise<void> {
  // Locked in order of ID, so that two contacts that replace each other can't deadlock.
  for (const one of [id, replaceWith].filter((v) => v !== undefined).sort((a, b) => a - b))
    await lockContact(ctx.tx, ctx.companyId, one);
  const contact = (await lockContact(ctx.tx, ctx.companyId, id)) ?? notFound();
  const uses = await usesOf(ctx.tx, ctx.companyId, id);
  const routes = new Set(uses.map((use) => use.route_id)).size;
  if (replaceWith === id) invalid({ replace_with: 'Choose another forwarding contact.' });
  if (replaceWith !== undefined && !(await lockContact(ctx.tx, ctx.companyId, replaceWith)))
    invalid({ replace_with: 'This forwarding contact doesn’t exist.' });
  if (routes > 0 && replaceWith === undefined)
    fail('forwarding.in_use', { n: routes }, { routes: uses });
  if (replaceWith !== undefined) await redirectReplaced(ctx.tx, ctx.companyId, id, replaceWith);
  await updateContact(ctx.tx, ctx.companyId, id, {
    deleted_at: ctx.now,
    replaced_by: replaceWith ?? null,
    updated_at: ctx.now,
  });
  await audit(ctx, 'forward_contact.deleted', `forward_contact:${id}`, {
    before: { name: contact.name, number: contact.phone, routes },
    after: { replaced_by: replaceWith ?? null },
  });
  await ctx.publish(contract.forwardContactDeleted, {
    contactId: id,
    name: contact.name,
    replacedBy: replaceWith ?? null,
  });
}
