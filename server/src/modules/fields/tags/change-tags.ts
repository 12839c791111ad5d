import { fields as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { presentTag } from './list-tags.ts';
import {
  companyIdsOf,
  followOrganizationTags,
  holdTags,
  insertOrganizationTags,
  insertTags,
  mergeTag,
  organizationIdOf,
  organizationTagsNamed,
  patchOrganizationTag,
  patchTag,
  removeOrganizationTags,
  tagsById,
  tagsByKeys,
  type TagView,
} from './store.ts';
import { colorOf } from './tags-named.ts';

const key = (name: string) => name.toLowerCase();

/** Add tags to the catalogue; with a business unit, to that of every company of the organization. */
export async function createTags(
  ctx: TxCtx,
  body: Body<typeof contract.createTags>,
): Promise<Answer<typeof contract.createTags>> {
  const tags = [
    ...new Map(
      body.tags.map((t) => [key(t.name), { name: t.name, color: t.color ?? colorOf(t.name) }]),
    ).values(),
  ];
  const organizationId = await ofOrganization(ctx, body.businessUnitId);
  await holdTags(ctx.tx, ctx.companyId);
  const taken =
    organizationId !== null
      ? await organizationTagsNamed(
          ctx.tx,
          organizationId,
          tags.map((t) => key(t.name)),
        )
      : await tagsByKeys(
          ctx.tx,
          ctx.companyId,
          tags.map((t) => key(t.name)),
        );
  if (taken[0]) refuse('tag.exists', { name: taken[0].name });
  if (organizationId !== null) {
    await insertOrganizationTags(ctx.tx, organizationId, tags, ctx.actor.userId || null, ctx.now);
    await everywhere(ctx, organizationId);
  } else await insertTags(ctx.tx, ctx.companyId, tags, ctx.actor.userId || null, ctx.now);
  const made = await tagsByKeys(
    ctx.tx,
    ctx.companyId,
    tags.map((t) => key(t.name)),
  );
  return said(
    ctx,
    made.map((t) => t.id),
    'created',
  );
}

/** Rename, recolour, merge, or bring back. A name is unique in a company, ignoring case: two that meet are merged, when asked. */
export async function updateTags(
  ctx: TxCtx,
  body: Body<typeof contract.updateTags>,
): Promise<Answer<typeof contract.updateTags>> {
  await holdTags(ctx.tx, ctx.companyId);
  const before = new Map(
    (
      await tagsById(
        ctx.tx,
        ctx.companyId,
        body.tags.flatMap((t) => [t.id, ...(t.merge_into ? [t.merge_into] : [])]),
      )
    ).map((t) => [t.id, t]),
  );
  const organizationId =
    [...before.values()].some((t) => t.scope === 'organization') || body.businessUnitId
      ? await ofOrganization(
          ctx,
          body.businessUnitId ?? (await organizationIdOf(ctx.tx, ctx.companyId)),
        )
      : null;
  const touched = new Set<number>();
  for (const one of body.tags) {
    const tag = before.get(one.id) ?? missing();
    if (one.merge_into) {
      const into = before.get(one.merge_into) ?? missing();
      if (into.id === tag.id) invalid({ tags: 'Choose another tag to merge into.' });
      if (tag.scope === 'organization')
        invalid({
          tags: 'An organization’s tag cannot be merged away in one company. Delete it there.',
        });
      await mergeTag(ctx.tx, ctx.companyId, tag.id, into.id);
      touched.add(into.id);
      continue;
    }
    if (tag.deleted_at && !one.restore) missing();
    const name = one.name ?? tag.name;
    const namesake = (await tagsByKeys(ctx.tx, ctx.companyId, [key(name)])).find(
      (t) => t.id !== tag.id,
    );
    if (namesake) refuse('tag.exists', { name: namesake.name }, { id: namesake.id });
    const patch = {
      ...(one.name !== undefined ? { name: one.name } : {}),
      ...(one.color !== undefined ? { color: one.color } : {}),
    };
    if (tag.scope === 'organization' && organizationId !== null && Object.keys(patch).length)
      await patchOrganizationTag(ctx.tx, organizationId, tag.organization_tag_id!, patch);
    if (one.restore || Object.keys(patch).length)
      await patchTag(ctx.tx, ctx.companyId, tag.id, {
        ...patch,
        ...(one.restore ? { deleted_at: null } : {}),
      });
    touched.add(tag.id);
  }
  if (organizationId !== null) await everywhere(ctx, organizationId);
  return said(
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

/** Delete tags. What carried them carries them again when they are brought back within thirty days. */
export async function deleteTags(
  ctx: TxCtx,
  ids: readonly number[],
  businessUnitId: number | null | undefined,
): Promise<void> {
  if (!ids.length) invalid({ ids: 'Choose at least one tag.' });
  await holdTags(ctx.tx, ctx.companyId);
  const rows = (await tagsById(ctx.tx, ctx.companyId, ids)).filter((t) => !t.deleted_at);
  if (rows.length === 0) missing();
  const shared = rows.filter((t) => t.scope === 'organization');
  if (shared.length) {
    const organizationId = (await ofOrganization(
      ctx,
      businessUnitId ?? (await organizationIdOf(ctx.tx, ctx.companyId)),
    ))!;
    await removeOrganizationTags(
      ctx.tx,
      organizationId,
      shared.map((t) => t.organization_tag_id!),
    );
    await everywhere(ctx, organizationId);
  }
  for (const tag of rows) await patchTag(ctx.tx, ctx.companyId, tag.id, { deleted_at: ctx.now });
  await said(
    ctx,
    rows.map((t) => t.id),
    'deleted',
    rows,
  );
}

/** The organization meant, if any: only those who administer it change its tags. */
async function ofOrganization(
  ctx: TxCtx,
  businessUnitId: number | null | undefined,
): Promise<number | null> {
  if (!businessUnitId) return null;
  if (businessUnitId !== (await organizationIdOf(ctx.tx, ctx.companyId))) missing();
  if (ctx.may('organization.edit') === 'none') refuse('role.forbidden');
  return businessUnitId;
}
async function everywhere(ctx: TxCtx, organizationId: number): Promise<void> {
  await followOrganizationTags(ctx.tx, ctx.companyId, ctx.now);
  for (const companyId of await companyIdsOf(ctx.db.directory, organizationId))
    if (companyId !== ctx.companyId)
      await ctx.enqueue(
        'fields.followOrganizationTags',
        { companyId },
        { key: `fields.tags:${companyId}` },
      );
}

async function said(
  ctx: TxCtx,
  ids: readonly number[],
  change: 'created' | 'updated' | 'merged' | 'deleted' | 'restored',
  before: readonly TagView[] = [],
): Promise<{ data: contract.Tag[] }> {
  const after = await tagsById(ctx.tx, ctx.companyId, ids);
  const names = (rows: readonly TagView[]) =>
    rows.map(({ id, name, color }) => ({ id, name, color }));
  await audit(ctx, `tags.${change}`, `company:${ctx.companyId}`, {
    before: names(before),
    after: change === 'deleted' ? [] : names(after),
  });
  await ctx.say(contract.tagsChanged, { companyId: ctx.companyId, tagIds: [...ids], change });
  return { data: after.map(presentTag) };
}
