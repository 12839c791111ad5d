import type { Answer, importing as contract } from '#contract';
import { contactsChanged } from '#contract/contacts/events';
import { entityOf } from '#contract/fields/rules';
import {
  contactImportChanged,
  contactImportCompleted,
  contactImportProgressed,
} from '#contract/contacts/importing/events';
import { audit } from '../../../platform/audit.ts';
import { advanceBatch, createBatch, finishBatch, presentBatch } from '../../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { setManyValues, valuesOf } from '../../fields/index.ts';
import { importPath, UNDO_HOURS } from './present.ts';
import { equalText, textColumns, listColumns, type ContactValues } from './rules.ts';
import {
  lockChunkToUndo,
  countChunks,
  lockImport,
  importById,
  markChunkUndone,
  numbersWithActivity,
  patchImport,
} from './store.ts';
import {
  updateImportedContacts,
  lockContactsForUndo,
  deleteMemberships,
  deleteImportedContacts,
} from './store-contacts.ts';
import { acquireContactLock } from '../store-many.ts';
import type { UndoRecord } from './write-rows.ts';

export async function undoContactImport(
  t: TxCtx,
  importId: number,
): Promise<Answer<typeof contract.undoContactImport>> {
  const row = (await lockImport(t.tx, t.companyId, importId)) ?? notFound();
  const isFinished = row.finished_at && (row.state === 'finished' || row.state === 'failed');
  if (
    !isFinished ||
    new Date(row.finished_at!).getTime() + UNDO_HOURS * 3_600_000 < t.now.getTime()
  )
    fail('import.cannot_undo');
  const total = Math.max(1, await countChunks(t.tx, t.companyId, importId));
  const batchId = await createBatch(t, { kind: 'contact-import-undo', input: { importId }, total });
  await patchImport(t.tx, t.companyId, importId, {
    state: 'undoing',
    undo_batch_id: batchId,
    undone: JSON.stringify({ removed: 0, restored: 0, kept: 0 }),
  });
  await audit(t, 'contacts.import_undone', `contact_import:${importId}`, {
    before: { created: row.created, updated: row.updated },
  });
  await t.publish(contactImportChanged, { importId, state: 'undoing' });
  await t.enqueue('contacts.undoImport', { importId, by: t.actor.userId });
  return { data: { batchId, status: 'queued', total } };
}

/** Steps from the last to the first, each whole or not at all, so a job that was killed goes on. */
export async function runContactImportUndo(
  ctx: Ctx,
  importId: number,
  by: number | null,
): Promise<void> {
  const row = await ctx.transaction((t) => importById(t.tx, t.companyId, importId));
  if (row?.state !== 'undoing' || !row.undo_batch_id) return;
  const batchId = row.undo_batch_id;
  while (
    await ctx.transaction(async (t) => {
      const current = await lockImport(t.tx, t.companyId, importId);
      if (current?.state !== 'undoing') return false;
      const chunk = await lockChunkToUndo(t.tx, t.companyId, importId);
      const soFar = current.undone as { removed: number; restored: number; kept: number };
      if (!chunk) {
        await patchImport(t.tx, t.companyId, importId, { state: 'undone', undone_at: t.now });
        const total = await countChunks(t.tx, t.companyId, importId);
        await finishBatch(
          t.tx,
          t.companyId,
          batchId,
          { processed: Math.max(1, total), result: [soFar] },
          t.now,
        );
        await t.publish(contactImportCompleted, {
          batchId,
          progress: 100,
          processed: Math.max(1, total),
          total: Math.max(1, total),
          failed: 0,
          resultUrl: importPath(importId),
        });
        await t.publish(contactsChanged, {
          what: 'deleted',
          count: soFar.removed + soFar.restored,
          batchId,
        });
        return false;
      }
      await acquireContactLock(t.tx, t.companyId);
      const undone = await undoRows(
        t,
        chunk.rows as unknown as UndoRecord[],
        new Date(chunk.at),
        by,
      );
      await markChunkUndone(t.tx, t.companyId, importId, chunk.n, t.now);
      await patchImport(t.tx, t.companyId, importId, {
        undone: JSON.stringify({
          removed: soFar.removed + undone.removed,
          restored: soFar.restored + undone.restored,
          kept: soFar.kept + undone.kept,
        }),
      });
      const before = (await countChunks(t.tx, t.companyId, importId)) - chunk.n - 1;
      const batch = await advanceBatch(
        t.tx,
        t.companyId,
        batchId,
        { from: before, processed: 1, keepOpen: true },
        t.now,
      );
      if (batch)
        await t.publish(contactImportProgressed, {
          batchId,
          progress: Math.min(99, presentBatch(batch).progress),
          processed: batch.processed,
          total: batch.total,
          failed: 0,
        });
      return true;
    })
  );
}

/**
 * Put back what these rows changed. A field that somebody changed since stays as they made it; a contact that was made stays
 * when somebody called, texted or edited it.
 */
async function undoRows(
  t: TxCtx,
  rows: readonly UndoRecord[],
  at: Date,
  by: number | null,
): Promise<{ removed: number; restored: number; kept: number }> {
  const created = rows.filter((k) => k.o === 'created' && k.id !== undefined);
  const changed = rows.filter((k) => k.o === 'updated' && k.id !== undefined).reverse();
  const current = new Map(
    (
      await lockContactsForUndo(
        t.tx,
        t.companyId,
        [...created, ...changed].map((k) => k.id!),
      )
    ).map((c) => [c.id, c]),
  );
  const alive = created.flatMap((k) => current.get(k.id!) ?? []);
  const active = await numbersWithActivity(
    t.tx,
    t.companyId,
    alive.map((c) => c.number),
  );
  const untouched = alive.filter(
    (c) => !active.has(c.number) && new Date(c.updated_at).getTime() === at.getTime(),
  );
  const removed = await deleteImportedContacts(
    t.tx,
    t.companyId,
    untouched.map((c) => c.id),
    by,
    t.now,
  );

  const restoredValues = new Map<number, ContactValues & { id: number; unsubscribed_at: null }>();
  const restored = new Set<number>();
  for (const k of changed) {
    const contact = current.get(k.id!);
    if (!contact) continue;
    restored.add(contact.id);
    const values: ContactValues & { id: number; unsubscribed_at: null } = restoredValues.get(
      contact.id,
    ) ?? {
      id: contact.id,
      unsubscribed_at: null,
      ...Object.fromEntries([...textColumns, ...listColumns].map((c) => [c, contact[c] ?? ''])),
    };
    for (const [column, after] of Object.entries(k.a ?? {}))
      if (equalText(values[column as 'name'] ?? '', after))
        Object.assign(values, { [column]: k.b?.[column as 'name'] ?? '' });
    if (k.a) restoredValues.set(contact.id, values);
  }
  await updateImportedContacts(t.tx, t.companyId, [...restoredValues.values()], t.now);
  const existing = changed.filter((k) => current.has(k.id!));
  await deleteMemberships(
    t.tx,
    t.companyId,
    existing.flatMap((k) => (k.g ?? []).map((g) => [g, k.id!] as const)),
    existing.flatMap((k) => (k.l ?? []).map((l) => [l, k.id!] as const)),
  );
  const custom = existing.filter((k) => k.c?.length);
  if (custom.length) {
    const values = await valuesOf(
      t,
      entityOf.contact,
      custom.map((k) => k.id!),
    );
    await setManyValues(
      t,
      entityOf.contact,
      custom.map((k) => ({
        entityId: k.id!,
        values: k
          .c!.filter((c) =>
            equalText(values.get(k.id!)?.find((v) => v.key === c.key)?.label ?? '', c.after),
          )
          .map((c) => ({ key: c.key, value: c.before })),
      })),
      { source: 'import' },
    );
  }
  return { removed, restored: restored.size, kept: created.length - removed };
}
