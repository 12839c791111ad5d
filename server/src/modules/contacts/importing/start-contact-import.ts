import type { Answer, Body, importing as contract } from '#contract';
import { contactImportChanged } from '#contract/contacts/importing/events';
import { audit } from '../../../platform/audit.ts';
import { createBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { insertGroups } from '../groups/store-groups.ts';
import { groupIdsByName } from './import-lists.ts';
import { byHeader, resolveMapping } from './resolve-mapping.ts';
import { headersKey } from './upload-contact-import.ts';
import { lockImport, patchImport, saveMapping } from './store.ts';
import { importKind } from './batch-kinds.ts';
import { importJob } from './job-kinds.ts';

/**
 * Fixes mapping and options, and queues the import. Fails with `import.begun` when it has started.
 */
export async function startContactImport(
  t: TxCtx,
  importId: number,
  body: Body<typeof contract.startContactImport>,
): Promise<Answer<typeof contract.startContactImport>> {
  const row = (await lockImport(t.tx, t.companyId, importId)) ?? notFound();
  if (row.state !== 'uploaded' || row.rows_file_id === null) fail('import.begun');
  const { mapping, options } = await resolveMapping(t, row, body);
  const newGroup = options.newGroup?.trim();
  if (newGroup) {
    await insertGroups(t.tx, t.companyId, [newGroup], t.actor.userId || null, t.now);
    const id = (await groupIdsByName(t, [newGroup])).get(newGroup.toLowerCase());
    if (typeof id !== 'number')
      invalid({
        'options.newGroup': 'A group with this name has a rule. Choose a different name.',
      });
    else options.groupIds = [...new Set([...options.groupIds, id])];
  }
  const batchId = await createBatch(t, {
    kind: importKind,
    input: { importId },
    total: row.row_count,
  });
  await patchImport(t.tx, t.companyId, importId, {
    state: 'running',
    mapping: JSON.stringify(mapping),
    options: JSON.stringify(options),
    batch_id: batchId,
    started_at: t.now,
  });
  const { headers } = row;
  await saveMapping(t.tx, t.companyId, headersKey(headers), byHeader(headers, mapping), t.now);
  await audit(t, 'contacts.import_begun', `contact_import:${importId}`, {
    after: { file: row.file_name, rows: row.row_count, options },
  });
  await t.publish(contactImportChanged, { importId, state: 'running' });
  // One at a time per company, because two files may have the same contacts.
  await t.enqueue(importJob, { importId });
  return { data: { batchId, status: 'queued', total: row.row_count } };
}
