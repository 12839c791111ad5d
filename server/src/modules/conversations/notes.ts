import type { Answer, Body, Query } from '#contract';
import type {
  addNote as adding,
  listNotes as listing,
  updateNote as updating,
} from '#contract/conversations/endpoints';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { refuseIfHeld } from '../../platform/legal-hold.ts';
import { refuseIfContactHeld } from '../contacts/index.ts';
import { appendItem } from './append-item.ts';
import { teammatesOf } from './team/store-teammates.ts';
import { notifyMentioned } from './team/notify-mentioned.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import { conversationById } from './store.ts';
import { updateItem, deleteItems, itemById, itemBySource } from './store-items.ts';
import {
  updateNoteRow,
  insertNote,
  noteById,
  notesOn,
  numberOfModel,
  partiesOfCall,
  type NoteRow,
} from './store-notes.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

const presentNote = (n: NoteRow) => ({
  id: n.id,
  body: n.body,
  model_type: n.model_type as Body<typeof adding>['model_type'],
  model_id: n.model_id,
  user: n.user_id ? { id: n.user_id, name: n.user_name } : null,
  mentions: n.mentions,
  created_at: n.created_at.toISOString(),
  updated_at: n.updated_at.toISOString(),
  edited: n.edited,
});
const noteSource = (n: { id: number }) => `note:${n.id}`;
const noteItemDetails = (n: NoteRow) => ({
  noteId: n.id,
  body: n.body,
  userId: n.user_id,
  edited: n.edited,
  model_type: n.model_type,
  model_id: n.model_id,
});

/** The record must exist and its number be visible to the actor. Throws 404 for both. */
async function requireVisible(ctx: TxCtx, modelType: string, modelId: number): Promise<void> {
  const numberId = await numberOfModel(ctx.tx, ctx.companyId, modelType, modelId);
  if (
    numberId === undefined ||
    (numberId !== null && ctx.numbers && !ctx.numbers.includes(numberId))
  )
    notFound();
}

/** Only people of the company can be mentioned. */
async function requireTeammates(ctx: TxCtx, userIds: readonly number[]): Promise<void> {
  if (!userIds.length) return;
  const teammateIds = new Set(
    (await teammatesOf(ctx.db.unscoped, ctx.companyId)).map((mate) => mate.id),
  );
  if (!userIds.every((one) => teammateIds.has(one)))
    invalid({ mentions: 'This person isn’t in the company.' });
}

/**
 * Adds a note to a conversation or a call and notifies those it mentions. `not_found` when the user
 * may not see its object.
 */
export async function addNote(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  await requireVisible(ctx, body.model_type, body.model_id);
  await requireTeammates(ctx, body.mentions ?? []);
  const row = await insertNote(ctx.tx, {
    company_id: ctx.companyId,
    body: body.body,
    model_type: body.model_type,
    model_id: body.model_id,
    user_id: ctx.actor.userId || null,
    user_name: ctx.actor.name,
    mentions: body.mentions ?? [],
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  const sides = await conversationOfNote(ctx, row);
  if (sides)
    await appendItem(ctx, {
      numberId: sides.number_id,
      party: sides.party,
      kind: 'note',
      isInbound: false,
      at: ctx.now,
      excludedFromLatest: true,
      text: row.body,
      details: noteItemDetails(row),
      source: noteSource(row),
    });
  await notifyMentioned(ctx, row, row.mentions, sides ?? null);
  return { data: presentNote(row) };
}

/**
 * The conversation that also shows the note: its own, its call's or its message's; null for other
 * records.
 */
async function conversationOfNote(
  ctx: TxCtx,
  n: NoteRow,
): Promise<{ number_id: number; party: string } | undefined> {
  if (n.model_type === 'conversation')
    return conversationById(ctx.tx, ctx.companyId, n.model_id, null);
  if (n.model_type === 'call') return partiesOfCall(ctx.tx, ctx.companyId, n.model_id);
  if (!['message', 'voicemail', 'fax'].includes(n.model_type)) return undefined;
  const item = await itemById(ctx.tx, ctx.companyId, n.model_id);
  return item && conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
}

/** The notes on an object, oldest first; `not_found` when the user may not see it. */
export async function listNotes(
  ctx: TxCtx,
  query: Query<typeof listing>,
): Promise<Answer<typeof listing>> {
  await requireVisible(ctx, query.model_type, query.model_id);
  return {
    data: (await notesOn(ctx.tx, ctx.companyId, query.model_type, query.model_id)).map(presentNote),
  };
}

/** The note, if the actor may change it: users only their own (A4 "○ (edit S)"). */
async function requireEditableNote(ctx: TxCtx, id: number): Promise<NoteRow> {
  const row = (await noteById(ctx.tx, ctx.companyId, id)) ?? notFound();
  await requireVisible(ctx, row.model_type, row.model_id);
  if (ctx.grant !== 'all' && row.user_id !== ctx.actor.userId) fail('note.not_yours');
  return row;
}

/**
 * Changes a note. `note.not_yours` for another's, unless the role may edit all; those newly
 * mentioned must be teammates.
 */
export async function updateNote(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await requireEditableNote(ctx, id);
  await requireTeammates(
    ctx,
    (body.mentions ?? []).filter((one) => !before.mentions.includes(one)),
  );
  const row = await updateNoteRow(ctx.tx, ctx.companyId, id, {
    body: body.body,
    edited: before.edited || body.body !== before.body,
    updated_at: ctx.now,
    ...(body.mentions ? { mentions: body.mentions } : {}),
  });
  const item = await itemBySource(ctx.tx, ctx.companyId, noteSource(row));
  if (item && !item.deleted_at) {
    const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
      details: JSON.stringify(noteItemDetails(row)),
      text: row.body,
    });
    const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
    if (conversation) await publishConversationUpdated(ctx, 'item_updated', conversation, changed);
  }
  await notifyMentioned(
    ctx,
    row,
    row.mentions.filter((id) => !before.mentions.includes(id)),
    (await conversationOfNote(ctx, row)) ?? null,
  );
  return { data: presentNote(row) };
}

/**
 * Deletes a note and its entry in the inbox. `note.not_yours` for another's, unless the role may
 * edit all; `hold.keeps`.
 */
export async function deleteNote(ctx: TxCtx, id: number): Promise<void> {
  const row = await requireEditableNote(ctx, id);
  const about = await conversationOfNote(ctx, row);
  await refuseIfHeld(ctx, about ? [about.party] : []);
  if (row.model_type === 'contact') await refuseIfContactHeld(ctx, row.model_id);
  await updateNoteRow(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now });
  await audit(ctx, 'note.deleted', `note:${id}`, {
    before: { model_type: row.model_type, model_id: row.model_id, user_id: row.user_id },
  });
  const item = await itemBySource(ctx.tx, ctx.companyId, noteSource(row));
  if (!item || item.deleted_at) return;
  await deleteItems(ctx.tx, ctx.companyId, { id: item.id }, ctx.now, ctx.actor.userId || null);
  const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
  if (conversation) await publishConversationUpdated(ctx, 'deleted', conversation, item);
}
