import { fields as contract } from '#contract';
import { type FieldChoice } from '#contract/fields/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { type Replacement } from './choices.ts';
import { organizationOfField, type FieldRow } from './store.ts';
import { companyIdsOf } from '../organizations.ts';
import { insertHistory } from './store-history.ts';
import { syncOrganizationJob } from '../job-kinds.ts';

// The system role: fields and tags of an organization apply to all of its companies.

/** Queues the change for the organization's other companies, one job each. */
export async function propagateToCompanies(
  ctx: TxCtx,
  field: FieldRow,
  change:
    | { replacements: readonly Replacement[]; after: readonly FieldChoice[] }
    | { gone: true }
    | { changed: true },
): Promise<void> {
  // The job may run after the field was deleted, so it carries the field.
  const { id, entity_type_id, name, type, choices } = field;
  const payload = {
    field: { id, entity_type_id, name, type, choices },
    after: 'after' in change ? [...change.after] : choices,
    replacements: 'replacements' in change ? [...change.replacements] : [],
    gone: 'gone' in change,
    by: { userId: ctx.actor.userId || null, name: ctx.actor.name },
  };
  for (const companyId of await companyIdsOf(ctx.db.unscoped, organizationOfField(field)))
    if (companyId !== ctx.companyId)
      await ctx.enqueue(syncOrganizationJob, { companyId, ...payload });
}

/** Records a change in the field's history and the audit log, and publishes it. */
export async function recordFieldChange(
  ctx: TxCtx,
  field: FieldRow,
  action:
    | 'created'
    | 'updated'
    | 'deleted'
    | 'override_created'
    | 'override_updated'
    | 'override_deleted',
  detail: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  await insertHistory(
    ctx.tx,
    ctx.companyId,
    { field_id: field.id, action, detail, before, after },
    { id: ctx.actor.userId || null, name: ctx.actor.name },
    ctx.now,
  );
  await audit(ctx, `field.${action}`, `field:${field.id}`, { before, after });
  const change =
    action === 'created' || action === 'updated' || action === 'deleted' ? action : 'overridden';
  await ctx.publish(contract.fieldsChanged, {
    companyId: ctx.companyId,
    entityTypeId: field.entity_type_id,
    fieldId: field.id,
    change,
  });
  if (field.organization_id !== null && change !== 'overridden' && change !== 'deleted')
    await propagateToCompanies(ctx, field, { changed: true });
}
