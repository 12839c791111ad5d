import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type NoteRow = Selectable<Tables['note']>;

/** Stores a new note. */
export const insertNote = (
  tx: Tx,
  n: {
    company_id: number;
    body: string;
    model_type: string;
    model_id: number;
    user_id: number | null;
    user_name: string;
    mentions: number[];
    created_at: Date;
    updated_at: Date;
  },
): Promise<NoteRow> => tx.insertInto('note').values(n).returningAll().executeTakeFirstOrThrow();
/** A note, locked until the transaction ends. Undefined: none, or deleted. */
export const noteById = (tx: Tx, companyId: number, id: number): Promise<NoteRow | undefined> =>
  tx
    .selectFrom('note')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
/** Changes columns of a note and returns it. Fails when it doesn't exist. */
export const updateNoteRow = (
  tx: Tx,
  companyId: number,
  id: number,
  change: Partial<{
    body: string;
    mentions: number[];
    edited: boolean;
    updated_at: Date;
    deleted_at: Date;
  }>,
): Promise<NoteRow> =>
  tx
    .updateTable('note')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
/** The notes on an object, oldest first; at most 500. */
export const notesOn = (
  tx: Tx,
  companyId: number,
  modelType: string,
  modelId: number,
): Promise<NoteRow[]> =>
  tx
    .selectFrom('note')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('model_type', '=', modelType)
    .where('model_id', '=', modelId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute();

const tables = {
  call: 'call',
  contact: 'contact',
  number: 'number',
  conversation: 'conversation',
  message: 'conversation_item',
  voicemail: 'conversation_item',
  fax: 'conversation_item',
} as const;
/**
 * The number a record belongs to; null for records without one (contacts, campaigns); undefined if
 * there is no such record.
 */
export async function numberOfModel(
  tx: Tx,
  companyId: number,
  modelType: string,
  id: number,
): Promise<number | null | undefined> {
  if (!Object.hasOwn(tables, modelType)) return undefined;
  const table = tables[modelType as keyof typeof tables];
  if (table === 'contact')
    return (await tx
      .selectFrom('contact')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst())
      ? null
      : undefined;
  if (table === 'number')
    return (
      await tx
        .selectFrom('number')
        .select('id')
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()
    )?.id;
  if (table === 'call')
    return (
      await tx
        .selectFrom('call')
        .select('number_id')
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()
    )?.number_id;
  if (table === 'conversation')
    return (
      await tx
        .selectFrom('conversation')
        .select('number_id')
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    )?.number_id;
  return (
    await tx
      .selectFrom('conversation_item')
      .select('number_id')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('kind', '=', modelType)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  )?.number_id;
}
/**
 * Both sides of a call, so that its notes and texts are in its conversation. Undefined: no such
 * call.
 */
export const partiesOfCall = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call')
    .select(['number_id', 'party', 'contact_id'])
    .where('company_id', '=', companyId)
    .where('id', '=', callId)
    .executeTakeFirst();
