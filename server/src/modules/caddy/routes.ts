import { caddy as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import { deleteAccount } from './account/delete-account.ts';
import { getInactivity } from './account/inactivity.ts';
import { reportProblem, uploadSupportFile } from './account/report-problem.ts';
import { listReviews, review } from './account/review.ts';
import { invite, listInvitations } from './invitations/invite.ts';
import { addNumber } from './numbers/add-number.ts';
import {
  activateNumbers,
  listNumbers,
  removeNumber,
  renameNumber,
} from './numbers/manage-numbers.ts';
import { replaceNumber } from './numbers/replace-number.ts';
import { randomNumber, searchCatalog } from './numbers/search-catalog.ts';
import { listProviders, startProvider } from './sign-in/by-provider.ts';
import { login } from './sign-in/login.ts';
import { changePassword, resetPassword, sendResetCode } from './sign-in/passwords.ts';
import { register } from './sign-in/register.ts';
import { usageOf } from './usage.ts';
import { getProfile, updateProfile } from './update-profile.ts';

export const routes = defineRoutes(contract, {
  caddyRegister: withoutTransaction((ctx, { body }, http) => register(ctx, body, http)),
  caddyLogin: withoutTransaction((ctx, { body }, http) => login(ctx, body, http)),
  listCaddyProviders: withoutTransaction((ctx) => listProviders(ctx)),
  startCaddyProvider: withoutTransaction((ctx, { params }) => startProvider(ctx, params.provider)),
  changeCaddyPassword: withoutTransaction((ctx, { body }, http) => changePassword(ctx, http, body)),
  sendCaddyResetCode: withoutTransaction((ctx, { body }, http) => sendResetCode(ctx, http, body)),
  resetCaddyPassword: withoutTransaction((ctx, { body }, http) => resetPassword(ctx, http, body)),
  searchCaddyCatalog: withoutTransaction((ctx, { query }) => searchCatalog(ctx, query)),
  getRandomCaddyNumber: withoutTransaction((ctx, { query }) => randomNumber(ctx, query)),
  addCaddyNumber: withoutTransaction((ctx, { body }, http) => addNumber(ctx, http, body)),
  replaceCaddyNumber: withoutTransaction((ctx, { body }, http) => replaceNumber(ctx, http, body)),
  listCaddyNumbers: (ctx) => listNumbers(ctx),
  renameCaddyNumber: (ctx, { params, body }) => renameNumber(ctx, params.id, body),
  removeCaddyNumber: (ctx, { params }) => removeNumber(ctx, params.id),
  activateCaddyNumbers: (ctx, { body }) => activateNumbers(ctx, body.ids),
  getCaddyUsage: async (ctx) => ({ data: await usageOf(ctx) }),
  listCaddyInvitations: (ctx, { query }) => listInvitations(ctx, query),
  inviteToCaddy: withoutTransaction((ctx, { body }) => invite(ctx, body)),
  listCaddyReviews: (ctx) => listReviews(ctx),
  reviewCaddy: (ctx, { body }) => review(ctx, body),
  getCaddyInactivity: (ctx) => getInactivity(ctx),
  deleteCaddyAccount: withoutTransaction((ctx, { body }, http) => deleteAccount(ctx, http, body)),
  uploadCaddySupportFile: (ctx, _, http) => uploadSupportFile(ctx, http),
  reportCaddyCustomer: (ctx, { body }) => reportProblem(ctx, body),
  getCaddyProfile: (ctx) => getProfile(ctx),
  updateCaddyProfile: withoutTransaction((ctx, { body }, http) => updateProfile(ctx, http, body)),
});
