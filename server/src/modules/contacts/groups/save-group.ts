import type { Body, PageAnswer, Query } from '#contract';
import { contactGroupsChanged } from '#contract/contacts/groups/events';
import type {
  createGroup as creating,
  listGroups as listing,
  updateGroup as changing,
} from '#contract/contacts/groups/endpoints';
import type { Group } from '#contract/contacts/groups/schemas';
import { undoDays } from '#contract/contacts/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { requireValidRule } from '../resolve-filter.ts';
import { livingContactIdsAmong } from '../store-lists.ts';
import { groupAnswer, presentGroups } from './present-groups.ts';
import {
  groupById,
  groupByName,
  groupPage,
  insertGroup,
  patchGroup,
  type GroupRow,
} from './store-groups.ts';
import { insertMembers } from './store-members.ts';

/** A page of the company's groups. */
export async function listGroups(
  ctx: TxCtx,
  query: Query<typeof listing>,
): Promise<PageAnswer<Group>> {
  const sort = query.sort ?? 'usual';
  const { rows, total } = await groupPage(ctx.tx, ctx.companyId, {
    search: query.search || undefined,
    virtual: query.virtual,
    sort,
    dir: query.dir ?? (sort === 'createdAt' ? 'desc' : 'asc'),
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: await presentGroups(ctx, rows), total };
}
/** One group; `not_found` for deleted ones. */
export async function getGroup(ctx: TxCtx, id: number): Promise<{ data: Group }> {
  return groupAnswer(ctx, (await groupById(ctx.tx, ctx.companyId, id)) ?? notFound());
}

/**
 * Creates a group of chosen contacts, or a virtual one by rule. `group.exists` when the name is
 * taken; `group.virtual` when a virtual one is given contacts.
 */
export async function createGroup(
  ctx: TxCtx,
  body: Body<typeof creating>,
): Promise<{ data: Group }> {
  const rule =
    body.virtual || body.rule
      ? (body.rule ?? invalid({ rule: 'Add at least one condition.' }))
      : null;
  if (rule) {
    if (!rule.all.length) invalid({ rule: 'Add at least one condition.' });
    await requireValidRule(ctx, rule);
  }
  if (rule && body.contacts?.length) fail('group.virtual');
  const row = await insertGroup(ctx.tx, {
    company_id: ctx.companyId,
    name: body.name,
    rule: rule ? JSON.stringify(rule) : null,
    user_id: ctx.actor.userId || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  if (!row)
    fail(
      'group.exists',
      {},
      { id: (await groupByName(ctx.tx, ctx.companyId, body.name))?.id ?? 0 },
    );
  if (body.contacts?.length)
    await insertMembers(
      ctx.tx,
      ctx.companyId,
      row.id,
      await livingContactIdsAmong(ctx.tx, ctx.companyId, [...new Set(body.contacts)]),
      ctx.now,
    );
  await recordGroupChange(ctx, row, 'added');
  return groupAnswer(ctx, row);
}

/**
 * Renames a group or changes the rule of a virtual one. `group.system` for those of the product,
 * `group.exists` when the name is taken.
 */
export async function updateGroup(
  ctx: TxCtx,
  id: number,
  body: Body<typeof changing>,
): Promise<{ data: Group }> {
  const before = (await groupById(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (before.system) fail('group.system');
  if (body.rule) {
    if (before.rule === null)
      invalid({ rule: 'This group has no rule. Create a virtual group to use a rule.' });
    if (!body.rule.all.length) invalid({ rule: 'Add at least one condition.' });
    await requireValidRule(ctx, body.rule);
  }
  const sameName =
    body.name === undefined ? undefined : await groupByName(ctx.tx, ctx.companyId, body.name);
  if (sameName && sameName.id !== id) fail('group.exists', {}, { id: sameName.id });
  if (body.name === undefined && !body.rule) return groupAnswer(ctx, before);
  const row = await patchGroup(
    ctx.tx,
    ctx.companyId,
    id,
    {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.rule ? { rule: JSON.stringify(body.rule) } : {}),
    },
    ctx.now,
  );
  await recordGroupChange(ctx, row, 'updated');
  return groupAnswer(ctx, row);
}

/** Deletes a group; its contacts stay. `group.system` for those of the product. */
export async function deleteGroup(ctx: TxCtx, id: number): Promise<void> {
  const before = (await groupById(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (before.system) fail('group.system');
  await recordGroupChange(
    ctx,
    await patchGroup(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now }, ctx.now),
    'deleted',
  );
}
/**
 * Restores a group deleted in the last 30 days, with its contacts. Fails with `group.exists` when
 * the name is taken.
 */
export async function restoreGroup(ctx: TxCtx, id: number): Promise<{ data: Group }> {
  const before = (await groupById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (before.deleted_at === null) return groupAnswer(ctx, before);
  if (ctx.now.getTime() - before.deleted_at.getTime() > undoDays * 86_400_000) notFound();
  const sameName = await groupByName(ctx.tx, ctx.companyId, before.name);
  if (sameName) fail('group.exists', {}, { id: sameName.id });
  const row = await patchGroup(ctx.tx, ctx.companyId, id, { deleted_at: null }, ctx.now);
  await recordGroupChange(ctx, row, 'restored');
  return groupAnswer(ctx, row);
}

async function recordGroupChange(
  ctx: TxCtx,
  row: GroupRow,
  change: 'added' | 'updated' | 'deleted' | 'restored',
) {
  await audit(ctx, `contact_group.${change}`, `contact_group:${row.id}`, {
    after: { name: row.name, rule: row.rule },
  });
  await ctx.publish(contactGroupsChanged, { groupId: row.id, what: change });
}
