import type { Answer, Body } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import type { putContacts as said } from '#contract/contacts/endpoints';
import { normalizePhone } from '#contract/phone';
import { advanceBatch, createBatch } from '../../platform/batches.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { putKind } from './bulk/actions.ts';
import { groupById } from './groups/store-groups.ts';
import { presentContacts } from './present.ts';
import { isWritable, readRows } from './parse-rows.ts';
import { contactsByNumber } from './store.ts';
import { upsertContacts } from './upsert-contacts.ts';

/**
 * Creates or updates contacts by number and adds them to a group (null: none). Each row reports its
 * own outcome.
 */
export async function putContacts(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  await requireUnchangedReadOnly(ctx, body.contacts);
  return upsertRows(
    ctx,
    body.contacts,
    body.group === null || body.group === undefined
      ? null
      : typeof body.group === 'object'
        ? body.group.id
        : body.group,
  );
}

/**
 * Clients may send back contacts as they read them. A read-only field (such as `unsubscribed`, `addedAt`)
 * fails with 422 only where it differs from the contact.
 */
async function requireUnchangedReadOnly(
  ctx: TxCtx,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const readOnly = (row: Record<string, unknown>) =>
    Object.keys(row).filter(
      (key) => key !== 'number' && !isWritable(key) && row[key] !== undefined,
    );
  if (!rows.some((row) => readOnly(row).length)) return;
  const numbers = rows.flatMap((row) => normalizePhone(String(row['number'] ?? '')) ?? []);
  const shown = new Map(
    (await presentContacts(ctx, await contactsByNumber(ctx.tx, ctx.companyId, numbers))).map(
      (c): [string, Record<string, unknown>] => [c.number, c],
    ),
  );
  const problems = rows.flatMap((row, i) => {
    const contact = shown.get(normalizePhone(String(row['number'] ?? '')) ?? '');
    return readOnly(row)
      .filter((key) => JSON.stringify(row[key]) !== JSON.stringify(contact?.[key]))
      .map(
        (key) =>
          [`contacts.${i}.${key}`, `“${key}” can’t be written this way. Leave it out.`] as const,
      );
  });
  if (problems.length) invalid(Object.fromEntries(problems));
}

/**
 * Writes up to 1,000 rows at once; returns what was wrong, by row. `groupId`: every contact joins
 * this group. Fails with a field error when the group doesn't exist, with `group.virtual` when it
 * has a rule. `addNumbers`: a row's further numbers don't
 * replace the contact's. `dropInvalid`: an invalid field costs itself, not its row.
 */
export async function upsertRows(
  ctx: TxCtx,
  rows: readonly Record<string, unknown>[],
  groupId: number | null,
  { addNumbers = false, dropInvalid = false } = {},
): Promise<Answer<typeof said>> {
  if (groupId !== null) {
    const group =
      (await groupById(ctx.tx, ctx.companyId, groupId)) ??
      invalid({ group: 'This group doesn’t exist.' });
    if (group.rule !== null) fail('group.virtual');
  }
  const { valid, errors } = readRows(rows, groupId, dropInvalid);
  const results = await upsertContacts(ctx, valid, 'Manual', addNumbers ? 'add' : 'set');
  for (const r of results)
    for (const [field, message] of Object.entries(r.errors))
      errors.push({
        row: rows.findIndex((row) => String(row['number']) === r.number) + 1 || 1,
        field,
        message,
      });
  const batchId = await createBatch(ctx, {
    kind: putKind,
    input: { count: rows.length, groupId },
    total: rows.length,
  });
  await advanceBatch(
    ctx.tx,
    ctx.companyId,
    batchId,
    { from: 0, processed: rows.length, errors: errors.slice(0, rows.length) },
    ctx.now,
  );
  const count = (outcome: string) => results.filter((r) => r.outcome === outcome).length;
  await ctx.publish(contactsChanged, { what: 'updated', count: results.length, batchId });
  return {
    data: {
      batchId,
      status: 'finished',
      total: rows.length,
      created: count('created'),
      updated: count('updated'),
      unchanged: count('unchanged'),
      errors,
    },
  };
}
