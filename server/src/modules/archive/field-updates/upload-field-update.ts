import type { Answer, Body, fieldUpdates as contract } from '#contract';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Upload } from '../../../platform/routes.ts';
import { fieldsFor } from '../../fields/index.ts';
import { requireChanging } from './acting-as.ts';
import { entityTypeIdOf } from './kinds.ts';
import { presentUpdates } from './present.ts';
import { readColumns } from './read-headers.ts';
import { readUpload } from './read-upload.ts';
import { startRun } from './start-field-update.ts';

/**
 * Takes a file of custom fields and queues its run. Fails with 422 at `file`, or `role.forbidden`
 * for objects that the actor can't change.
 */
export async function uploadFieldUpdate(
  ctx: Ctx,
  { entityType }: Body<typeof contract.uploadFieldUpdate>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.uploadFieldUpdate>> {
  const upload = await readUpload(files, entityType);
  requireChanging(ctx, upload.type);
  return ctx.transaction(async (t) => {
    await requireColumns(t, upload);
    const row = await startRun(t, { ...upload, organizationUpdateId: null });
    return { data: firstOf(await presentUpdates(t, [row])) };
  });
}

async function requireColumns(
  t: TxCtx,
  upload: { headers: string[]; idAt: number; type: UpdatableType },
): Promise<void> {
  const fields = await fieldsFor(t, entityTypeIdOf(upload.type));
  const columns = readColumns(upload.headers, upload, fields);
  if (typeof columns === 'string') invalid({ file: columns });
}
