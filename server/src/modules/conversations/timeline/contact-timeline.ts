import type { Answer, Query } from '#contract';
import type { contactTimeline as said } from '#contract/conversations/timeline/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { contactsByIds, areDetailsMasked, numbersOfContact } from '../../contacts/index.ts';
import { presentItems } from '../present.ts';
import { itemsByIds, linesOfContact, type Line, type Place } from './store-timeline.ts';

/** What a role may see of each kind (A4 rule 6). */
const ofCalls = ['call', 'voicemail'];
const ofInbox = ['message', 'fax', 'note', 'block', 'scheduledmessage', 'trackingmatch', 'form'];

/**
 * A page of all that happened with a contact, newest first, of the kinds that the role may see.
 * `not_found` when the contact doesn't exist.
 */
export async function contactTimeline(
  ctx: TxCtx,
  contactId: number,
  query: Query<typeof said>,
): Promise<Answer<typeof said>> {
  const contact = (await contactsByIds(ctx.tx, ctx.companyId, [contactId]))[0] ?? notFound();
  const inbox = ctx.may('inbox.view') !== 'none';
  const kinds = [...(ctx.may('calls.view') === 'none' ? [] : ofCalls), ...(inbox ? ofInbox : [])];
  const after =
    query.cursor === undefined
      ? null
      : (readPlace(query.cursor) ??
        invalid({ cursor: 'This cursor isn’t valid. Start again from the first page.' }));
  const lines = await linesOfContact(
    ctx.tx,
    ctx.companyId,
    { id: contact.id, numbers: await numbersOfContact(ctx.tx, ctx.companyId, contact) },
    kinds,
    inbox,
    ctx.numbers,
    after,
    query.perPage,
  );
  const items = await itemsByIds(
    ctx.tx,
    ctx.companyId,
    lines.filter((l) => l.kind === 'item').map((l) => l.id),
  );
  const shown = new Map((await presentItems(ctx, items)).map((item) => [item.id, item]));
  const hide = areDetailsMasked(ctx);
  const last = lines.at(-1);
  return {
    data: lines.map((l) => ({
      id: `${l.kind}:${l.id}`,
      kind: l.kind,
      at: l.at.toISOString(),
      item: l.kind === 'item' ? (shown.get(l.id) ?? null) : null,
      number: hide ? null : l.number,
      text: l.text,
      by: l.by,
      note: l.note,
      mergeId: l.kind === 'merged' ? l.id : null,
      undoneAt: l.undone_at?.toISOString() ?? null,
    })),
    meta: { next_cursor: last && lines.length === query.perPage ? writePlace(last) : null },
  };
}
const writePlace = (l: Line) =>
  Buffer.from(`${l.at.getTime()}.${l.rank}.${l.id}`).toString('base64url');
function readPlace(cursor: string): Place | null {
  const match = /^(\d{1,14})\.([1-5])\.(\d{1,16})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  );
  return match
    ? { at: new Date(Number(match[1])), rank: Number(match[2]), id: Number(match[3]) }
    : null;
}
