import type { Body, PageAnswer, Query } from '#contract';
import {
  contactGroupsChanged,
  type createGroup as creating,
  type Group,
  type listGroups as listing,
  type updateGroup as changing,
} from '#contract/groups';
import { undoDays } from '#contract/contacts';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { pickThem } from '../bulk/do-to-many.ts';
import { checkRule } from '../resolve-filter.ts';
import { answeredGroup, presentGroups } from './present-groups.ts';
import {
  groupById,
  groupNamed,
  groupPage,
  insertGroup,
  insertMembers,
  patchGroup,
  type GroupRow,
} from './store-groups.ts';

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
export async function getGroup(ctx: TxCtx, id: number): Promise<{ data: Group }> {
  return answeredGroup(ctx, (await groupById(ctx.tx, ctx.companyId, id)) ?? missing());
}

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
    await checkRule(ctx, rule);
  }
  if (rule && body.contacts?.length) refuse('group.virtual');
  const row = await insertGroup(ctx.tx, {
    company_id: ctx.companyId,
    name: body.name,
    rule: rule ? JSON.stringify(rule) : null,
    user_id: ctx.actor.userId || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  if (!row)
    refuse(
      'group.exists',
      {},
      { id: (await groupNamed(ctx.tx, ctx.companyId, body.name))?.id ?? 0 },
    );
  if (body.contacts?.length)
    await insertMembers(ctx.tx, ctx.companyId, row.id, await pickThem(ctx, body.contacts), ctx.now);
  await said(ctx, row, 'added');
  return answeredGroup(ctx, row);
}

export async function updateGroup(
  ctx: TxCtx,
  id: number,
  body: Body<typeof changing>,
): Promise<{ data: Group }> {
  const before = (await groupById(ctx.tx, ctx.companyId, id)) ?? missing();
  if (before.system) refuse('group.system');
  if (body.rule) {
    if (before.rule === null)
      invalid({ rule: 'This group lists its contacts. Add a virtual group for a rule.' });
    if (!body.rule.all.length) invalid({ rule: 'Add at least one condition.' });
    await checkRule(ctx, body.rule);
  }
  const twin =
    body.name === undefined ? undefined : await groupNamed(ctx.tx, ctx.companyId, body.name);
  if (twin && twin.id !== id) refuse('group.exists', {}, { id: twin.id });
  if (body.name === undefined && !body.rule) return answeredGroup(ctx, before);
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
  await said(ctx, row, 'updated');
  return answeredGroup(ctx, row);
}

export async function deleteGroup(ctx: TxCtx, id: number): Promise<void> {
  const before = (await groupById(ctx.tx, ctx.companyId, id)) ?? missing();
  if (before.system) refuse('group.system');
  await said(
    ctx,
    await patchGroup(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now }, ctx.now),
    'deleted',
  );
}
/** Its contacts were kept; their counts went on. */
export async function restoreGroup(ctx: TxCtx, id: number): Promise<{ data: Group }> {
  const before = (await groupById(ctx.tx, ctx.companyId, id, true)) ?? missing();
  if (before.deleted_at === null) return answeredGroup(ctx, before);
  if (ctx.now.getTime() - before.deleted_at.getTime() > undoDays * 86_400_000) missing();
  const twin = await groupNamed(ctx.tx, ctx.companyId, before.name);
  if (twin) refuse('group.exists', {}, { id: twin.id });
  const row = await patchGroup(ctx.tx, ctx.companyId, id, { deleted_at: null }, ctx.now);
  await said(ctx, row, 'restored');
  return answeredGroup(ctx, row);
}

async function said(ctx: TxCtx, row: GroupRow, what: 'added' | 'updated' | 'deleted' | 'restored') {
  await audit(ctx, `contact_group.${what}`, `contact_group:${row.id}`, {
    after: { name: row.name, rule: row.rule },
  });
  await ctx.say(contactGroupsChanged, { groupId: row.id, what });
}
