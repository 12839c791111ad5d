import type { Answer, Body } from '#contract';
import { maxBulkAtOnce } from '#contract/contacts/rules';
import type { addVcards as said } from '#contract/contacts/endpoints';
import { firstOf } from '../../platform/must-be.ts';
import type { Http } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { ThreadLimitError, runInThread } from '../../platform/worker-thread.ts';
import { presentContacts, areDetailsMasked } from './present.ts';
import { upsertRows } from './bulk-upsert.ts';
import { contactById } from './store.ts';
import { vcardOf, type parseVcards } from './vcard.ts';

const readTimeoutSeconds = 20;

/**
 * Adds contacts from vCards. A thread parses them, outside any transaction. Fails with
 * `vcard.unreadable`.
 */
export async function addVcards(
  ctx: Ctx,
  body: Body<typeof said>,
  http: Http,
): Promise<Answer<typeof said>> {
  const file =
    body.vcard ??
    (await Promise.all(http.files.map(async (f) => (await f.bytes()).toString('utf8')))).join('\n');
  if (!file.trim()) invalid({ file: 'Choose a vCard file.' });
  const rows = await runInThread<ReturnType<typeof parseVcards>>(
    'readVcards',
    { file, most: maxBulkAtOnce },
    readTimeoutSeconds,
  ).catch((error: unknown) => {
    if (error instanceof ThreadLimitError)
      return invalid({ file: 'This file takes too long to read. Split it into several files.' });
    throw error;
  });
  if (rows === 'too_many') return invalid({ file: `Add at most ${maxBulkAtOnce} cards at once.` });
  if (rows === 'unreadable') return fail('vcard.unreadable');
  return ctx.transaction((t) => upsertRows(t, rows, body.group ?? null));
}

/**
 * The contact as a vCard. Fails with `role.forbidden` for users who can't see details: masked ones
 * would end up in phones.
 */
export async function contactVcard(
  ctx: TxCtx,
  id: number,
): Promise<{ data: { name: string; vcard: string } }> {
  const row = (await contactById(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (areDetailsMasked(ctx)) fail('role.forbidden');
  const contact = firstOf(await presentContacts(ctx, [row]));
  return {
    data: {
      name: `${(contact.name || contact.number).replace(/[^\p{L}\p{N} +._-]/gu, '').trim() || 'contact'}.vcf`,
      vcard: vcardOf(contact),
    },
  };
}
