import type { Answer, Body } from '#contract';
import { bulkAtOnce, type addVcards as said } from '#contract/contacts';
import type { Http } from '../../platform/answer.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { presentContacts, masked } from './present.ts';
import { writeRows } from './put-contacts.ts';
import { contactById } from './store.ts';
import { rowsOfVcards, vcardOf } from './vcard.ts';

export async function addVcards(ctx: TxCtx, body: Body<typeof said>, http: Http): Promise<Answer<typeof said>> {
  const text = body.vcard ?? http.files.map((f) => f.bytes.toString('utf8')).join('\n');
  if (!text.trim()) invalid({ file: 'Choose a vCard file.' });
  const rows = rowsOfVcards(text) ?? refuse('vcard.unreadable');
  if (rows.length > bulkAtOnce) invalid({ file: `At most ${bulkAtOnce} cards at once.` });
  return writeRows(ctx, rows, body.group ?? null);
}

/** Dots on a card would end up in somebody's phone: who may not see details gets none. */
export async function contactVcard(ctx: TxCtx, id: number): Promise<{ data: { name: string; vcard: string } }> {
  const row = (await contactById(ctx.tx, ctx.companyId, id)) ?? missing();
  if (masked(ctx)) refuse('role.forbidden');
  const [contact] = await presentContacts(ctx, [row]);
  return { data: { name: `${(contact!.name || contact!.number).replace(/[^\p{L}\p{N} +._-]/gu, '').trim() || 'contact'}.vcf`, vcard: vcardOf(contact!) } };
}
