import type { Answer, oauthProvider as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { fullName } from '../rules.ts';
import {
  authorizationsOfCompany,
  liveAuthorizations,
  lockAuthorization,
  revokeGrant,
} from './store-oauth.ts';

// The system role: people, sign-in codes and sessions belong to no company.

type Rows = Answer<typeof contract.listAuthorizations>['data'];

/** The programs that the signed-in person authorized. */
export async function listAuthorizations(
  ctx: Ctx,
): Promise<Answer<typeof contract.listAuthorizations>> {
  const rows = await ctx.readOnly(({ tx }) => liveAuthorizations(tx, ctx.actor.userId, ctx.now));
  return {
    data: rows.map((row) => ({
      id: row.id,
      application: row.client_name,
      company_id: row.company_id,
      scopes: row.scopes as Rows[number]['scopes'],
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
    })),
  };
}

/** Revokes an authorization: all its tokens stop working. `not_found` for another person's. */
export async function revokeAuthorization(ctx: Ctx, id: number): Promise<void> {
  const row =
    (await ctx.transaction(({ tx }) => lockAuthorization(tx, ctx.actor.userId, id))) ?? notFound();
  await ctx.db.systemTransaction((tx) => revokeGrant(tx, row.grant_hash, ctx.now));
  const member = ctx.actor.memberships.find((m) => m.companyId === row.company_id);
  await ctx
    .actingIn(row.company_id, member?.roles ?? ['deactivated'])
    .transaction((tx) => audit(tx, 'oauth.revoked', `application:${row.client_id}`));
}

/** What the company's people allowed programs there. */
export async function listCompanyAuthorizations(
  ctx: Ctx,
): Promise<Answer<typeof contract.listCompanyAuthorizations>> {
  const rows = await authorizationsOfCompany(ctx.db.unscoped, ctx.companyId, ctx.now);
  return {
    data: rows.map((row) => ({
      id: row.id,
      application: row.client_name,
      client_id: row.client_id,
      approved: Boolean(row.approved),
      company_id: row.company_id,
      person: { id: row.person_id, name: fullName(row), email: row.email },
      scopes: row.scopes as Rows[number]['scopes'],
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at?.toISOString() ?? null,
    })),
  };
}

/** Revokes what a person allowed a program in this company. `not_found` for another company's. */
export async function revokeCompanyAuthorization(ctx: Ctx, id: number): Promise<void> {
  const [row] = await authorizationsOfCompany(ctx.db.unscoped, ctx.companyId, ctx.now, id);
  if (!row) notFound();
  await ctx.db.systemTransaction((tx) => revokeGrant(tx, row.grant_hash, ctx.now));
  await ctx.transaction((tx) =>
    audit(tx, 'oauth.revoked', `application:${row.client_id}`, {
      before: { name: row.client_name, user: row.email },
    }),
  );
}
