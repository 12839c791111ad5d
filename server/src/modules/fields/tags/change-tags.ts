import { fields as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { presentTag } from './list-tags.ts';
import { companyIdsOf, organizationIdOf } from '../organizations.ts';
import {
  syncOrganizationTags,
  lockTags,
  insertOrganizationTags,
  insertTags,
  mergeTag,
  organizationTagsByKeys,
  patchOrganizationTag,
  patchTag,
  removeOrganizationTags,
  tagsByIds,
  tagsByKeys,
  type TagView,
} from './store.ts';
import { colorOf } from './tags-by-name.ts';
import { syncOrganizationTagsJob } from '../job-kinds.ts';

// The system role: fields and tags of an organization apply to all of its companies.

const nameKey = (name: string) => name.toLowerCase();

/**
 * Creates tags; with a business unit, for every company of the organization. Fails with
 * `tag.exists`.
 */
export async function createTags(
  ctx: TxCtx,
  body: Body<typeof contract.createTags>,
): Promise<Answer<typeof contract.createTags>> {
  const tags = [
    ...new Map(
      body.tags.map((t) => [nameKey(t.name), { name: t.name, color: t.color ?? colorOf(t.name) }]),
    ).values(),
  ];
  const organizationId = await requireTagOrganization(ctx, body.businessUnitId);
  await lockTags(ctx.tx, ctx.companyId);
  const taken =
    organizationId !== null
      ? await organizationTagsByKeys(
          ctx.tx,
          organizationId,
          tags.map((t) => nameKey(t.name)),
        )
      : await tagsByKeys(
          ctx.tx,
          ctx.companyId,
          tags.map((t) => nameKey(t.name)),
        );
  if (taken[0]) fail('tag.exists', { name: taken[0].name });
  if (organizationId !== null) {
    await insertOrganizationTags(ctx.tx, organizationId, tags, ctx.actor.userId || null, ctx.now);
    await propagateOrganizationTags(ctx, organizationId);
  } else await insertTags(ctx.tx, ctx.companyId, tags, ctx.actor.userId || null, ctx.now);
  const created = await tagsByKeys(
    ctx.tx,
    ctx.companyId,
    tags.map((t) => nameKey(t.name)),
  );
  return publishTagsChanged(
    ctx,
    created.map((t) => t.id),
    'created',
  );
}

/**
 * Renames, recolors, merges or restores tags. Names are unique per company, ignoring case
 * (`tag.exists`).
 */
export async function updateTags(
  ctx: TxCtx,
  body: Body<typeof contract.updateTags>,
): Promise<Answer<typeof contract.updateTags>> {
  await lockTags(ctx.tx, ctx.companyId);
  const before = new Map(
    (
      await tagsByIds(
        ctx.tx,
        ctx.companyId,
        body.tags.flatMap((t) => [t.id, ...(t.merge_into ? [t.merge_into] : [])]),
      )
    ).map((t) => [t.id, t]),
  );
  const organizationId =
    [...before.values()].some((t) => t.scope === 'organization') || body.businessUnitId
      ? await requireTagOrganization(
          ctx,
          body.businessUnitId ?? (await organizationIdOf(ctx.tx, ctx.companyId)),
        )
      : null;
  const touched = new Set<number>();
  for (const change of body.tags) {
    const tag = before.get(change.id) ?? notFound();
    if (change.merge_into) {
      const target = before.get(change.merge_into) ?? notFound();
      await mergeInto(ctx, tag, target);
      touched.add(target.id);
      continue;
    }
    await changeTag(ctx, tag, change, organizationId);
    touched.add(tag.id);
  }
  if (organizationId !== null) await propagateOrganizationTags(ctx, organizationId);
  return publishTagsChanged(
    ctx,
    [...touched],
    body.tags.some((t) => t.merge_into)
      ? 'merged'
      : body.tags.every((t) => t.restore)
        ? 'restored'
        : 'updated',
    [...before.values()],
  );
}

async function mergeInto(ctx: TxCtx, tag: TagView, target: TagView): Promise<void> {
  if (target.id === tag.id) invalid({ tags: 'Choose another tag to merge into.' });
  if (tag.scope === 'organization')
    invalid({
      tags: 'An organization’s tag can’t be merged from within a company. Merge it in the organization.',
    });
  await mergeTag(ctx.tx, ctx.companyId, { gone: tag.id, kept: target.id, now: ctx.now });
}

/** Renames, recolors or restores a tag. Fails with 404 for a deleted tag that isn't restored. */
async function changeTag(
  ctx: TxCtx,
  tag: TagView,
  change: Body<typeof contract.updateTags>['tags'][number],
  organizationId: number | null,
): Promise<void> {
  if (tag.deleted_at && !change.restore) notFound();
  const name = change.name ?? tag.name;
  const namesake = (await tagsByKeys(ctx.tx, ctx.companyId, [nameKey(name)])).find(
    (other) => other.id !== tag.id,
  );
  if (namesake) fail('tag.exists', { name: namesake.name }, { id: namesake.id });
  const patch = {
    ...(change.name !== undefined ? { name: change.name } : {}),
    ...(change.color !== undefined ? { color: change.color } : {}),
  };
  const isChanged = Object.keys(patch).length > 0;
  if (tag.organization_tag_id !== null && organizationId !== null && isChanged)
    await patchOrganizationTag(ctx.tx, organizationId, tag.organization_tag_id, patch);
  if (change.restore || isChanged)
    await patchTag(ctx.tx, ctx.companyId, tag.id, {
      ...patch,
      ...(change.restore ? { deleted_at: null } : {}),
    });
}

/**
 * Deletes tags. Restored within 30 days, they are on the same objects again. `not_found` when none
 * of them exists.
 */
export async function deleteTags(
  ctx: TxCtx,
  ids: readonly number[],
  businessUnitId: number | null | undefined,
): Promise<void> {
  if (!ids.length) invalid({ ids: 'Choose at least one tag.' });
  await lockTags(ctx.tx, ctx.companyId);
  const rows = (await tagsByIds(ctx.tx, ctx.companyId, ids)).filter((t) => !t.deleted_at);
  if (rows.length === 0) notFound();
  const shared = rows.filter((t) => t.scope === 'organization');
  if (shared.length) {
    const organizationId = mustBe(
      await requireTagOrganization(
        ctx,
        businessUnitId ?? (await organizationIdOf(ctx.tx, ctx.companyId)),
      ),
      'organization of its tags',
    );
    await removeOrganizationTags(
      ctx.tx,
      organizationId,
      shared.flatMap((t) => t.organization_tag_id ?? []),
    );
    await propagateOrganizationTags(ctx, organizationId);
  }
  for (const tag of rows) await patchTag(ctx.tx, ctx.companyId, tag.id, { deleted_at: ctx.now });
  await publishTagsChanged(
    ctx,
    rows.map((t) => t.id),
    'deleted',
    rows,
  );
}

/** The organization ID, for its administrators; null: no business unit was given. */
async function requireTagOrganization(
  ctx: TxCtx,
  businessUnitId: number | null | undefined,
): Promise<number | null> {
  if (!businessUnitId) return null;
  if (businessUnitId !== (await organizationIdOf(ctx.tx, ctx.companyId))) notFound();
  if (ctx.may('organization.edit') === 'none') fail('role.forbidden');
  return businessUnitId;
}
async function propagateOrganizationTags(ctx: TxCtx, organizationId: number): Promise<void> {
  await syncOrganizationTags(ctx.tx, ctx.companyId, ctx.now);
  for (const companyId of await companyIdsOf(ctx.db.unscoped, organizationId))
    if (companyId !== ctx.companyId)
      await ctx.enqueue(
        syncOrganizationTagsJob,
        { companyId },
        { key: `fields.tags:${companyId}` },
      );
}

async function publishTagsChanged(
  ctx: TxCtx,
  ids: readonly number[],
  change: 'created' | 'updated' | 'merged' | 'deleted' | 'restored',
  before: readonly TagView[] = [],
): Promise<{ data: contract.Tag[] }> {
  const after = await tagsByIds(ctx.tx, ctx.companyId, ids);
  const names = (rows: readonly TagView[]) =>
    rows.map(({ id, name, color }) => ({ id, name, color }));
  await audit(ctx, `tags.${change}`, `company:${ctx.companyId}`, {
    before: names(before),
    after: change === 'deleted' ? [] : names(after),
  });
  await ctx.publish(contract.tagsChanged, { companyId: ctx.companyId, tagIds: [...ids], change });
  return { data: after.map(presentTag) };
}
