import { companies as contract } from '#contract';
import { answering, outside } from '../../platform/answer.ts';
import { mayListen } from '../../platform/realtime.ts';
import { refuse } from '../../platform/refuse.ts';
import { updateCompanyUser } from './update-company-user.ts';
import {
  demoPeople,
  getCompany,
  getCompanyUser,
  getUser,
  listCompaniesSlim,
  listCompanyUsers,
  listRoles,
  lookupCompany,
} from './read.ts';
import { checkSignup, createCompany, deleteCompany, signup, updateCompany } from './write.ts';

export const answers = answering(contract, {
  getUser: outside((ctx, { query }) => getUser(ctx, query)),
  listRoles: outside((ctx, { query }) => listRoles(ctx, query)),
  checkSignup: outside((ctx) => checkSignup(ctx)),
  signup: outside((ctx, { body }, http) => signup(ctx, body, http)),
  listCompaniesSlim: outside((ctx, { query }) => listCompaniesSlim(ctx, query)),
  lookupCompany: outside((ctx, { query }) => lookupCompany(ctx, query)),
  getCompany: (ctx) => getCompany(ctx),
  updateCompany: (ctx, { body }) => updateCompany(ctx, body),
  createCompany: outside((ctx, { body }) => createCompany(ctx, body)),
  deleteCompany: outside((ctx) => deleteCompany(ctx)),
  listCompanyUsers: outside((ctx, { query }) => listCompanyUsers(ctx, query)),
  getCompanyUser: (ctx, { params }) => getCompanyUser(ctx, params.userId),
  updateCompanyUser: (ctx, { params, body }) => updateCompanyUser(ctx, params.userId, body),
  demoPeople: outside((ctx) => demoPeople(ctx)),
  authorizeChannel: outside(async (ctx, { body }) => {
    if (!mayListen(ctx.actor, body.channel_name)) refuse('role.forbidden');
    return { auth: 'ok', channel: body.channel_name };
  }),
});
