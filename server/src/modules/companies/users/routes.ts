import { sentences, users as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { changePassword } from '../../identity/index.ts';
import { getCompanyUser } from '../read.ts';
import { companyRow } from '../store.ts';
import { activateUser, deactivateUser, removeUser } from './change-access.ts';
import {
  acceptTransfer,
  confirmTransfer,
  cancelTransfer,
  getTransfer,
  startTransfer,
} from './transfer-ownership.ts';
import { updateManyUsers } from './update-many.ts';
import { updateProfile } from './update-profile.ts';

/** The organization, when it is named, must be the company's own. */
async function checkOrganization(ctx: TxCtx, organizationId: number | null | undefined) {
  if (!organizationId) return;
  const company = await companyRow(ctx.tx, ctx.companyId);
  if (company?.organization_id !== organizationId) notFound();
}

export const routes = defineRoutes(contract, {
  deleteCompanyUser: (ctx, { params }) => removeUser(ctx, params.userId),
  // Two transactions: people are read outside of the company's, so only after the commit.
  activateUser: withoutTransaction(async (ctx, { body }) => {
    await ctx.transaction(async (t) => {
      await checkOrganization(t, body.businessUnitId);
      await activateUser(t, body.userId);
    });
    return ctx.transaction((t) => getCompanyUser(t, body.userId));
  }),
  deactivateUser: withoutTransaction(async (ctx, { body }) => {
    await ctx.transaction(async (t) => {
      await checkOrganization(t, body.businessUnitId);
      await deactivateUser(t, body.userId);
    });
    return ctx.transaction((t) => getCompanyUser(t, body.userId));
  }),
  updateManyUsers: withoutTransaction((ctx, { body }) => updateManyUsers(ctx, body)),
  updateProfile: withoutTransaction((ctx, { params, body }, http) =>
    updateProfile(ctx, http, params.userId, body),
  ),
  updatePassword: withoutTransaction(async (ctx, { params, body }, http) => {
    if (params.userId !== ctx.actor.userId) notFound();
    const token = await changePassword(ctx, http, body);
    return {
      new_token: token.access_token,
      data: { message: sentences.passwordChangedLogin, token },
    };
  }),
  getOwnershipTransfer: (ctx) => getTransfer(ctx),
  startOwnershipTransfer: withoutTransaction((ctx, { body }, http) =>
    startTransfer(ctx, http, body),
  ),
  confirmOwnershipTransfer: (ctx) => confirmTransfer(ctx),
  cancelOwnershipTransfer: (ctx) => cancelTransfer(ctx),
  acceptOwnershipTransfer: (ctx) => acceptTransfer(ctx),
});
