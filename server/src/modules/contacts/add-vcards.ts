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
import type { readCards } from './cards/read-cards.ts';
import { vcardOf } from './cards/vcard-of.ts';

const readTimeoutSeconds = 20;

/**
 * Adds contacts from vCards; what is left out of a card is among the errors. A thread parses them,
 * outside any transaction. Fails with
 * `vcard.unreadable`.
 */
export async function addVcards(
  ctx: Ctx,
  body: Body<typeof said>,
  http: Http,
): Promise<Answer<typeof said>> {
  const files =
    body.vcard === undefined
      ? await Promise.all(http.files.map((one) => one.bytes()))
      : [Buffer.from(body.vcard)];
  if (!files.some(({ length }) => length)) invalid({ file: 'Choose a vCard file.' });
  const read = await runInThread<ReturnType<typeof readCards>>(
    'readVcards',
    { files, most: maxBulkAtOnce },
    readTimeoutSeconds,
  ).catch((error: unknown) => {
    if (error instanceof ThreadLimitError)
      return invalid({ file: 'This file takes too long to read. Split it into several files.' });
    throw error;
  });
  if (read === 'too_many') return invalid({ file: `Add at most ${maxBulkAtOnce} cards at once.` });
  if (read === 'unreadable') return fail('vcard.unreadable');
  const { rows, notes } = read;
  const { data } = await ctx.transaction((t) =>
    upsertRows(t, rows, body.group ?? null, { addNumbers: true, dropInvalid: true }),
  );
  return { data: { ...data, errors: [...data.errors, ...notes] } };
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
