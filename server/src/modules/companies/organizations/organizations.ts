import { fold } from '#contract/fold';
import type { Answer, Body, PageAnswer, Query, organizations as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { allOrganizationIds, insertOrganizationAdmin, organizationsOf } from '../store.ts';
import { requireZone } from '../write.ts';
import { attachIn } from './accounts.ts';
import {
  auditEverywhere,
  changeOrganization,
  publishCompany,
  publishOrganization,
  publishPermissions,
  requireOrganization,
} from './in-organization.ts';
import { presentOrganization } from './present.ts';
import {
  accountsOf,
  administratorsOf,
  createOrganizationRow,
  organizationsByIds,
  removeOrganizationRow,
  updateOrganizationRow,
} from './store.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;
type Organization = Promise<Answer<typeof contract.getOrganization>>;

/** The organizations a person owns, administers or belongs to; in admin mode all. */
export async function listOrganizations(
  ctx: Ctx,
  query: Query<typeof contract.listOrganizations>,
): Promise<PageAnswer<Row<typeof contract.listOrganizations>>> {
  const db = ctx.db.unscoped;
  const companyIds = ctx.actor.memberships
    .filter((m) => m.role !== 'deactivated')
    .map((m) => m.companyId);
  const ids = ctx.actor.adminMode
    ? await allOrganizationIds(db)
    : // A key is of one company: it learns nothing of its person's other organizations.
      (await organizationsOf(db, ctx.actor.kind === 'key' ? 0 : ctx.actor.userId, companyIds)).map(
        (o) => o.id,
      );
  const search = query.search && fold(query.search);
  const closed = ctx.actor.adminMode ? undefined : ctx.actor.keptOut?.organizationId;
  const found = (await organizationsByIds(db, ids)).filter(
    (o) => o.id !== closed && (!search || fold(o.name).includes(search)),
  );
  const from = (query.page - 1) * query.perPage;
  const rows = [];
  for (const o of found.slice(from, from + query.perPage))
    rows.push(await presentOrganization(ctx, db, o));
  return { rows, total: found.length };
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-|-$/g, '') || 'organization';

/**
 * Creates an organization owned by the person, with companies they own (fails as `attachIn` does).
 * `organization.slug_taken` for a slug they chose.
 */
export async function createOrganization(
  ctx: Ctx,
  body: Body<typeof contract.createOrganization>,
  http: Http,
): Organization {
  const timezone = body.timezone ? requireZone(body.timezone) : 'UTC';
  const data = await ctx.db.systemTransaction(async (tx) => {
    const base = body.slug ?? slugOf(body.name);
    const values = {
      name: body.name,
      owner_id: ctx.actor.userId,
      timezone,
      created_at: ctx.now,
    };
    let row = await createOrganizationRow(tx, { ...values, slug: base });
    if (!row && body.slug) fail('organization.slug_taken');
    for (let n = 2; !row; n++)
      row = await createOrganizationRow(tx, { ...values, slug: `${base}-${n}` });
    await insertOrganizationAdmin(tx, { organization_id: row.id, user_id: ctx.actor.userId });
    for (const companyId of new Set(body.companyIds))
      await attachIn({ ...ctx, organizationId: row.id }, http, tx, companyId);
    await publishOrganization(tx, row.id, [ctx.actor.userId]);
    await publishPermissions(tx, [ctx.actor.userId]);
    return presentOrganization(ctx, tx, row);
  });
  return { data };
}

/** The organization of the request. */
export async function getOrganization(ctx: Ctx): Organization {
  const db = ctx.db.unscoped;
  return { data: await presentOrganization(ctx, db, await requireOrganization(db, ctx)) };
}

/** Changes name, slug and time zone. `organization.slug_taken` when another one has the slug. */
export async function updateOrganization(
  ctx: Ctx,
  body: Body<typeof contract.updateOrganization>,
): Organization {
  const patch = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.slug === undefined ? {} : { slug: body.slug }),
    ...(body.timezone === undefined ? {} : { timezone: requireZone(body.timezone) }),
  };
  try {
    await changeOrganization(ctx, async (tx, o) => {
      await updateOrganizationRow(tx, o.id, { ...patch, updated_at: ctx.now });
      const names = Object.keys(patch) as (keyof typeof patch)[];
      await auditEverywhere(ctx, tx, 'organization.updated', `organization:${o.id}`, {
        before: Object.fromEntries(names.map((key) => [key, o[key]])),
        after: patch,
      });
    });
  } catch (error) {
    if ((error as { code?: string }).code === '23505') fail('organization.slug_taken');
    throw error;
  }
  return getOrganization(ctx);
}

/** Deletes an organization without companies; `organization.not_empty` otherwise. */
export async function deleteOrganization(ctx: Ctx): Promise<void> {
  await changeOrganization(ctx, async (tx, o) => {
    if ((await accountsOf(tx, o.id)).length) fail('organization.not_empty');
    const people = await administratorsOf(tx, o.id);
    await removeOrganizationRow(tx, o.id);
    await publishOrganization(tx, o.id, people);
    await publishPermissions(tx, people);
  });
}

/** Whether AI may fill custom fields in the organization's companies. */
export async function getAiEavFeatureStatus(
  ctx: Ctx,
): Promise<Answer<typeof contract.getAiEavFeatureStatus>> {
  return {
    data: { enabled: (await requireOrganization(ctx.db.unscoped, ctx)).ai_eav_enabled },
  };
}

/** Sets whether AI may fill custom fields in the organization's companies. */
export async function updateAiEavFeatureStatus(
  ctx: Ctx,
  { enabled }: Body<typeof contract.updateAiEavFeatureStatus>,
): Promise<Answer<typeof contract.updateAiEavFeatureStatus>> {
  await changeOrganization(ctx, async (tx, o) => {
    await updateOrganizationRow(tx, o.id, { ai_eav_enabled: enabled, updated_at: ctx.now });
    await auditEverywhere(ctx, tx, 'organization.updated', `organization:${o.id}`, {
      before: { ai_eav_enabled: o.ai_eav_enabled },
      after: { ai_eav_enabled: enabled },
    });
    for (const { id } of await accountsOf(tx, o.id)) await publishCompany(tx, id);
  });
  return { data: { enabled } };
}
