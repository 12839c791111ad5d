import {
  dataGroups as contract,
  type Answer,
  type Body,
  type PageAnswer,
  type Query,
} from '#contract';
import { mostDataGroups, mostEntities } from '#contract/companies/data-groups/rules';
import { formatPhone } from '#contract/phone';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { administratorsOf } from '../organizations/store.ts';
import { auditIn } from '../organizations/in-organization.ts';
import { organizationOfCompany } from '../store.ts';
import {
  addEntities,
  countEntities,
  countGroups,
  deleteGroupRow,
  entitiesOf,
  groupPage,
  groupRow,
  insertGroup,
  isNameTaken,
  patchGroup,
  removeEntities,
  unknownEntities,
  type DataGroupEntity,
  type DataGroupRow,
} from './store.ts';

// The system role: a data group spans the companies of an organization; dispatch has checked that
// the actor administers the organization of the request's company.

type DataGroup = Answer<typeof contract.getDataGroup>['data'];

/** The organization of the request's company. Fails with `tenant.no_organization`; 404 for another. */
async function organizationId(ctx: Ctx, asked?: number): Promise<number> {
  const organization =
    (await organizationOfCompany(ctx.db.unscoped, ctx.companyId)) ?? fail('tenant.no_organization');
  if (asked !== undefined && asked !== organization.id) notFound();
  return organization.id;
}

const labelOf = ({ type, label }: { type: string; label: string }): string => {
  if (type !== 'number') return label;
  const [number = '', ...words] = label.split(' ');
  return [words.join(' ').trim(), formatPhone(number)].filter(Boolean).join(', ');
};

async function present(tx: Tx, organization: number, rows: readonly DataGroupRow[]) {
  const entities = await entitiesOf(
    tx,
    organization,
    rows.map(({ id }) => id),
  );
  return rows.map((row): DataGroup => ({
    id: row.id,
    name: row.name,
    description: row.description,
    organizationId: row.organization_id,
    entities: entities
      .filter(({ group_id }) => group_id === row.id)
      .map(({ type, id, label }) => ({ type, id, label: labelOf({ type, label }) })),
    created_at: row.created_at.toISOString(),
  }));
}
const presentOne = async (tx: Tx, row: DataGroupRow): Promise<{ data: DataGroup }> => {
  const [data = notFound()] = await present(tx, row.organization_id, [row]);
  return { data };
};

/** One page of the organization's data groups, by name. */
export async function listDataGroups(
  ctx: Ctx,
  query: Query<typeof contract.listDataGroups>,
): Promise<PageAnswer<DataGroup>> {
  const organization = await organizationId(ctx, query.organizationId);
  const db = ctx.db.unscoped;
  const { rows, total } = await groupPage(db, organization, {
    search: query.search,
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: await present(db, organization, rows), total };
}

/** A data group of the organization; 404: there is none of this ID. */
export async function getDataGroup(ctx: Ctx, id: number): Promise<{ data: DataGroup }> {
  const organization = await organizationId(ctx);
  const db = ctx.db.unscoped;
  return presentOne(db, (await groupRow(db, organization, id)) ?? notFound());
}

/** Creates a data group. Fails with `data_group.exists` and `data_group.too_many`. */
export async function createDataGroup(
  ctx: Ctx,
  body: Body<typeof contract.createDataGroup>,
): Promise<{ data: DataGroup }> {
  const organization = await organizationId(ctx, body.organizationId);
  return ctx.db.systemTransaction(async (tx) => {
    if ((await countGroups(tx, organization)) >= mostDataGroups)
      fail('data_group.too_many', { most: mostDataGroups });
    await requireKnown(tx, organization, body.entities);
    const row =
      (await insertGroup(tx, {
        organization_id: organization,
        name: body.name,
        description: body.description,
        created_by: ctx.actor.userId || null,
        created_at: ctx.now,
      })) ?? fail('data_group.exists', { name: body.name });
    await addEntities(tx, organization, row.id, body.entities);
    await auditIn(ctx, tx, ctx.companyId, 'data_group.created', `data_group:${row.id}`, {
      after: { name: row.name, entities: body.entities.length },
    });
    await publish(tx, organization);
    return presentOne(tx, row);
  });
}

/** Runs a change of one data group, with its row locked; administrators' screens follow. */
async function change(
  ctx: Ctx,
  id: number,
  work: (tx: Tx, group: DataGroupRow) => Promise<DataGroupRow>,
): Promise<{ data: DataGroup }> {
  const organization = await organizationId(ctx);
  return ctx.db.systemTransaction(async (tx) => {
    const group = (await groupRow(tx, organization, id, true)) ?? notFound();
    const changed = await work(tx, group);
    await publish(tx, organization);
    return presentOne(tx, changed);
  });
}

/** Renames or describes a data group; with `entities`, replaces what it holds. */
export const updateDataGroup = (
  ctx: Ctx,
  id: number,
  { name, description, entities }: Body<typeof contract.updateDataGroup>,
): Promise<{ data: DataGroup }> =>
  change(ctx, id, async (tx, group) => {
    const organization = group.organization_id;
    if (name !== undefined && (await isNameTaken(tx, organization, name, id)))
      fail('data_group.exists', { name });
    if (entities) {
      await requireKnown(tx, organization, entities);
      await removeEntities(tx, organization, id, null);
      await addEntities(tx, organization, id, entities);
    }
    const changed = await patchGroup(tx, organization, id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      updated_at: ctx.now,
    });
    await auditIn(ctx, tx, ctx.companyId, 'data_group.updated', `data_group:${id}`, {
      before: { name: group.name, description: group.description },
      after: {
        name: changed.name,
        description: changed.description,
        ...(entities && { entities: entities.length }),
      },
    });
    return changed;
  });

/** Deletes a data group; 404: there is none of this ID. What it holds stays. */
export async function deleteDataGroup(ctx: Ctx, id: number): Promise<void> {
  const organization = await organizationId(ctx);
  await ctx.db.systemTransaction(async (tx) => {
    const group = (await groupRow(tx, organization, id, true)) ?? notFound();
    await deleteGroupRow(tx, organization, id);
    await auditIn(ctx, tx, ctx.companyId, 'data_group.deleted', `data_group:${id}`, {
      before: { name: group.name },
    });
    await publish(tx, organization);
  });
}

/** Adds entities, each once. Fails with `data_group.full`. */
export const attachToDataGroup = (
  ctx: Ctx,
  id: number,
  entities: readonly DataGroupEntity[],
): Promise<{ data: DataGroup }> =>
  change(ctx, id, async (tx, group) => {
    const organization = group.organization_id;
    await requireKnown(tx, organization, entities);
    await addEntities(tx, organization, id, entities);
    if ((await countEntities(tx, organization, id)) > mostEntities)
      fail('data_group.full', { most: mostEntities });
    await auditIn(ctx, tx, ctx.companyId, 'data_group.attached', `data_group:${id}`, {
      after: { name: group.name, entities },
    });
    return group;
  });

/** Takes entities out; those that aren't in it are ignored. */
export const detachFromDataGroup = (
  ctx: Ctx,
  id: number,
  entities: readonly DataGroupEntity[],
): Promise<{ data: DataGroup }> =>
  change(ctx, id, async (tx, group) => {
    await requireKnown(tx, group.organization_id, entities);
    await removeEntities(tx, group.organization_id, id, entities);
    await auditIn(ctx, tx, ctx.companyId, 'data_group.detached', `data_group:${id}`, {
      before: { name: group.name, entities },
    });
    return group;
  });

/** Refuses entities that aren't of the organization, naming the first. */
async function requireKnown(
  tx: Tx,
  organization: number,
  entities: readonly DataGroupEntity[],
): Promise<void> {
  const [unknown] = entities.length ? await unknownEntities(tx, organization, entities) : [];
  if (!unknown) return;
  const at = entities.findIndex(({ type, id }) => type === unknown.type && id === unknown.id);
  invalid({ [`entities.${at}.id`]: 'Your organization has no such item.' });
}

async function publish(tx: Tx, organization: number): Promise<void> {
  for (const userId of await administratorsOf(tx, organization))
    await publishIn(
      tx,
      contract.dataGroupChanged,
      { organizationId: organization, userId },
      { userId },
    );
}
