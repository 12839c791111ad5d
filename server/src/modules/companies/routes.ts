import { companies as contract } from '#contract';
import { defineRoutes, mergeRoutes, withoutTransaction } from '../../platform/routes.ts';
import { authorizeChannel } from '../../platform/realtime-channels.ts';
import { fail } from '../../platform/errors.ts';
import { resetUserFactors } from './reset-user-factors.ts';
import { endCompanySessions, endUserSessions } from './users/end-sessions.ts';
import { updateCompanyUser } from './update-company-user.ts';
import {
  listDemoPeople,
  getCompany,
  getCompanyUser,
  getUser,
  listCompaniesSlim,
  listCompanyUsers,
  listRoles,
  lookupCompany,
} from './read.ts';
import { createCompany, deleteCompany, updateCompany } from './write.ts';
import { checkSignup, signup, signUpExternally } from './signup.ts';
import { routes as userRoutes } from './users/routes.ts';
import { routes as invitationRoutes } from './invitations/routes.ts';
import { routes as adminModeRoutes } from './admin-mode/routes.ts';
import { routes as organizationRoutes } from './organizations/routes.ts';
import { routes as platformRoutes } from './platform/routes.ts';
import { routes as ssoRoutes } from './sso/routes.ts';
import { routes as dataGroupRoutes } from './data-groups/routes.ts';
import { routes as teamRoutes } from './teams/routes.ts';

export const routes = mergeRoutes(
  userRoutes,
  invitationRoutes,
  organizationRoutes,
  dataGroupRoutes,
  teamRoutes,
  ssoRoutes,
  adminModeRoutes,
  platformRoutes,
  defineRoutes(contract, {
    getUser: withoutTransaction((ctx, { query }) => getUser(ctx, query)),
    listRoles: withoutTransaction((ctx, { query }) => listRoles(ctx, query)),
    checkSignup: withoutTransaction((ctx) => checkSignup(ctx)),
    signUpExternally: withoutTransaction((ctx, { body }, http) =>
      signUpExternally(ctx, body, http),
    ),
    signup: withoutTransaction((ctx, { body }, http) => signup(ctx, body, http)),
    listCompaniesSlim: withoutTransaction((ctx, { query }) => listCompaniesSlim(ctx, query)),
    lookupCompany: withoutTransaction((ctx, { query }) => lookupCompany(ctx, query)),
    getCompany: (ctx) => getCompany(ctx),
    updateCompany: (ctx, { body }) => updateCompany(ctx, body),
    createCompany: withoutTransaction((ctx, { body }) => createCompany(ctx, body)),
    deleteCompany: withoutTransaction((ctx) => deleteCompany(ctx)),
    listCompanyUsers: withoutTransaction((ctx, { query }) => listCompanyUsers(ctx, query)),
    getCompanyUser: (ctx, { params }) => getCompanyUser(ctx, params.userId),
    updateCompanyUser: withoutTransaction((ctx, { params, body }) =>
      updateCompanyUser(ctx, params.userId, body),
    ),
    resetUserFactors: withoutTransaction((ctx, { params }) => resetUserFactors(ctx, params.userId)),
    endUserSessions: withoutTransaction((ctx, { params }) => endUserSessions(ctx, params.userId)),
    endCompanySessions: withoutTransaction((ctx) => endCompanySessions(ctx)),
    demoPeople: withoutTransaction((ctx) => listDemoPeople(ctx)),
    authorizeChannel: withoutTransaction(async (ctx, { body }) => {
      if (!authorizeChannel(ctx.actor, body.channel_name)) fail('role.forbidden');
      return { auth: 'ok', channel: body.channel_name };
    }),
  }),
);
