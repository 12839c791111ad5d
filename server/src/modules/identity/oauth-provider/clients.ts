import type { AuditAction } from '#contract/settings/audit/actions';
import type { Selectable } from 'kysely';
import type { Answer, Body } from '#contract';
import { oauthProvider as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { randomToken, seal } from '../../../platform/secrets.ts';
import type { Tables } from '../../../platform/tables.ts';
import { MOST_CLIENTS } from './rules.ts';
import {
  authorizationsOfClient,
  clientsOfCompany,
  deleteClient,
  insertClient,
  revokeGrant,
} from './store-oauth.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const present = (row: Selectable<Tables['oauth_client']>) => ({
  id: row.id,
  client_id: row.client_id,
  name: row.name,
  redirect_uris: row.redirect_uris,
  confidential: row.is_confidential,
  shared: row.is_shared,
  created_at: row.created_at.toISOString(),
});

/** The programs that the company registered. */
export async function listOAuthClients(
  ctx: Ctx,
): Promise<Answer<typeof contract.listOAuthClients>> {
  return { data: (await clientsOfCompany(ctx.db.unscoped, ctx.companyId)).map(present) };
}

/** Registers a program. Its secret is in this answer only; null: a public program has none. */
export async function createOAuthClient(
  ctx: Ctx,
  body: Body<typeof contract.createOAuthClient>,
): Promise<Answer<typeof contract.createOAuthClient>> {
  // Others would ask people of companies that don't know them.
  if (body.shared && ctx.role !== 'platform') fail('role.forbidden');
  const secret = body.confidential ? randomToken('tlcs') : null;
  const row = await ctx.db.systemTransaction(async (tx) => {
    if ((await clientsOfCompany(tx, ctx.companyId)).length >= MOST_CLIENTS)
      fail('oauth.too_many_clients', { most: MOST_CLIENTS });
    return insertClient(tx, {
      client_id: randomToken('tlc'),
      company_id: ctx.companyId,
      name: body.name,
      redirect_uris: body.redirect_uris,
      is_confidential: body.confidential,
      is_shared: body.shared ?? false,
      secret_sealed: secret && seal(ctx.settings.appSecrets, secret),
      created_by: ctx.actor.userId,
      created_at: ctx.now,
    });
  });
  await recordChange(ctx, 'oauth.client_created', row);
  return { data: { ...present(row), client_secret: secret } };
}

/** Deletes a program and revokes what people allowed it. */
export async function deleteOAuthClient(ctx: Ctx, id: number): Promise<void> {
  const row = await ctx.db.systemTransaction(async (tx) => {
    const deleted = (await deleteClient(tx, ctx.companyId, id)) ?? notFound();
    for (const { grant_hash } of await authorizationsOfClient(tx, deleted.client_id))
      await revokeGrant(tx, grant_hash, ctx.now);
    return deleted;
  });
  await recordChange(ctx, 'oauth.client_deleted', row);
}

const recordChange = (ctx: Ctx, action: AuditAction, row: Selectable<Tables['oauth_client']>) =>
  ctx.transaction(async (tx) => {
    const { name, redirect_uris } = row;
    await audit(tx, action, `application:${row.client_id}`, { after: { name, redirect_uris } });
    await tx.publish(contract.oauthClientChanged, { clientId: row.id });
  });
