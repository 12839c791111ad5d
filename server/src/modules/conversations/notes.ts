import type { Answer, Body, Query } from '#contract';
import type {
  addNote as adding,
  listNotes as listing,
  updateNote as updating,
} from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { addItem } from './add-item.ts';
import { teammatesOf } from './team/store.ts';
import { tellMentioned } from './team/tell-mentioned.ts';
import { sayUpdated } from './say-updated.ts';
import { conversationById } from './store.ts';
import { changeItem, deleteItems, itemById, itemBySource } from './store-items.ts';
import {
  changeNote,
  insertNote,
  noteById,
  notesOn,
  numberOfModel,
  sidesOfCall,
  type NoteRow,
} from './store-notes.ts';

const present = (n: NoteRow) => ({
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
const source = (n: { id: number }) => `note:${n.id}`;
const details = (n: NoteRow) => ({
  noteId: n.id,
  body: n.body,
  userId: n.user_id,
  edited: n.edited,
  model_type: n.model_type,
  model_id: n.model_id,
});

/** The record must exist and its number be in the actor's sight; a foreign one and none are one answer. */
async function mustSee(ctx: TxCtx, modelType: string, modelId: number): Promise<void> {
  const numberId = await numberOfModel(ctx.tx, ctx.companyId, modelType, modelId);
  if (
    numberId === undefined ||
    (numberId !== null && ctx.numbers && !ctx.numbers.includes(numberId))
  )
    missing();
}

/** Only people of the company can be mentioned. */
async function mustBeColleagues(ctx: TxCtx, userIds: readonly number[]): Promise<void> {
  if (!userIds.length) return;
  const mates = new Set(
    (await teammatesOf(ctx.db.directory, ctx.companyId)).map((mate) => mate.id),
  );
  if (!userIds.every((one) => mates.has(one)))
    invalid({ mentions: 'This person is not in the company.' });
}

export async function addNote(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  await mustSee(ctx, body.model_type, body.model_id);
  await mustBeColleagues(ctx, body.mentions ?? []);
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
  const sides = await sidesOf(ctx, row);
  if (sides)
    await addItem(ctx, {
      numberId: sides.number_id,
      party: sides.party,
      kind: 'note',
      isInbound: false,
      at: ctx.now,
      aside: true,
      text: row.body,
      details: details(row),
      source: source(row),
    });
  await tellMentioned(ctx, row, row.mentions, sides ?? null);
  return { data: present(row) };
}

/** The conversation a note stands in as well: its own, its call's or its message's. Notes on other records stand on those only. */
async function sidesOf(
  ctx: TxCtx,
  n: NoteRow,
): Promise<{ number_id: number; party: string } | undefined> {
  if (n.model_type === 'conversation')
    return conversationById(ctx.tx, ctx.companyId, n.model_id, null);
  if (n.model_type === 'call') return sidesOfCall(ctx.tx, ctx.companyId, n.model_id);
  if (!['message', 'voicemail', 'fax'].includes(n.model_type)) return undefined;
  const item = await itemById(ctx.tx, ctx.companyId, n.model_id);
  return item && conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
}

export async function listNotes(
  ctx: TxCtx,
  query: Query<typeof listing>,
): Promise<Answer<typeof listing>> {
  await mustSee(ctx, query.model_type, query.model_id);
  return {
    data: (await notesOn(ctx.tx, ctx.companyId, query.model_type, query.model_id)).map(present),
  };
}

/** The note, if the actor may change it: users their own only (A4 "○ (edit S)"). */
async function mine(ctx: TxCtx, id: number): Promise<NoteRow> {
  const row = (await noteById(ctx.tx, ctx.companyId, id)) ?? missing();
  await mustSee(ctx, row.model_type, row.model_id);
  if (ctx.grant !== 'all' && row.user_id !== ctx.actor.userId) refuse('note.not_yours');
  return row;
}

export async function updateNote(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await mine(ctx, id);
  await mustBeColleagues(
    ctx,
    (body.mentions ?? []).filter((one) => !before.mentions.includes(one)),
  );
  const row = await changeNote(ctx.tx, ctx.companyId, id, {
    body: body.body,
    edited: before.edited || body.body !== before.body,
    updated_at: ctx.now,
    ...(body.mentions ? { mentions: body.mentions } : {}),
  });
  const item = await itemBySource(ctx.tx, ctx.companyId, source(row));
  if (item && !item.deleted_at) {
    const changed = await changeItem(ctx.tx, ctx.companyId, item.id, {
      details: JSON.stringify(details(row)),
      text: row.body,
    });
    const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
    if (conversation) await sayUpdated(ctx, 'item_updated', conversation, changed);
  }
  await tellMentioned(
    ctx,
    row,
    row.mentions.filter((id) => !before.mentions.includes(id)),
    (await sidesOf(ctx, row)) ?? null,
  );
  return { data: present(row) };
}

export async function deleteNote(ctx: TxCtx, id: number): Promise<void> {
  const row = await mine(ctx, id);
  await changeNote(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now });
  await audit(ctx, 'note.deleted', `note:${id}`, {
    before: { model_type: row.model_type, model_id: row.model_id, user_id: row.user_id },
  });
  const item = await itemBySource(ctx.tx, ctx.companyId, source(row));
  if (!item || item.deleted_at) return;
  await deleteItems(ctx.tx, ctx.companyId, { id: item.id }, ctx.now, ctx.actor.userId || null);
  const conversation = await conversationById(ctx.tx, ctx.companyId, item.conversation_id, null);
  if (conversation) await sayUpdated(ctx, 'deleted', conversation, item);
}
