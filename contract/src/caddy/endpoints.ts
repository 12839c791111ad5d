import { endpoint } from '../kit.ts';
import type * as operations from './operations/index.ts';

/** Of anyone who isn't signed in yet. */
const open = { permission: 'public', company: 'none', audience: 'caddy' } as const;
/** Of a Caddy account, about itself. */
const own = { permission: 'session', company: 'account', audience: 'caddy' } as const;

export const caddyRegister = endpoint<typeof operations.caddyRegister>({
  name: 'caddyRegister',
  method: 'POST',
  path: '/caddy/auth/register',
  ...open,
  skipsSessionCheck: true,
});

export const caddyLogin = endpoint<typeof operations.caddyLogin>({
  name: 'caddyLogin',
  method: 'POST',
  path: '/caddy/auth/login',
  ...open,
  skipsSessionCheck: true,
});

export const listCaddyProviders = endpoint<typeof operations.listCaddyProviders>({
  name: 'listCaddyProviders',
  method: 'GET',
  path: '/caddy/auth/providers',
  ...open,
  skipsSessionCheck: true,
});

export const startCaddyProvider = endpoint<typeof operations.startCaddyProvider>({
  name: 'startCaddyProvider',
  method: 'POST',
  path: '/caddy/auth/providers/{provider}',
  ...open,
  skipsSessionCheck: true,
});

export const changeCaddyPassword = endpoint<typeof operations.changeCaddyPassword>({
  name: 'changeCaddyPassword',
  method: 'PUT',
  path: '/caddy/auth/password',
  ...own,
});

export const sendCaddyResetCode = endpoint<typeof operations.sendCaddyResetCode>({
  name: 'sendCaddyResetCode',
  method: 'POST',
  path: '/caddy/auth/password/reset/code',
  ...open,
  skipsSessionCheck: true,
});

export const resetCaddyPassword = endpoint<typeof operations.resetCaddyPassword>({
  name: 'resetCaddyPassword',
  method: 'POST',
  path: '/caddy/auth/password/reset',
  ...open,
  skipsSessionCheck: true,
});

export const getCaddyProfile = endpoint<typeof operations.getCaddyProfile>({
  name: 'getCaddyProfile',
  method: 'GET',
  path: '/caddy/profile',
  ...own,
});

export const updateCaddyProfile = endpoint<typeof operations.updateCaddyProfile>({
  name: 'updateCaddyProfile',
  method: 'PUT',
  path: '/caddy/profile',
  ...own,
});

export const searchCaddyCatalog = endpoint<typeof operations.searchCaddyCatalog>({
  name: 'searchCaddyCatalog',
  method: 'GET',
  path: '/caddy/catalog',
  ...own,
});

export const getRandomCaddyNumber = endpoint<typeof operations.getRandomCaddyNumber>({
  name: 'getRandomCaddyNumber',
  method: 'GET',
  path: '/caddy/catalog/random',
  ...own,
});

export const addCaddyNumber = endpoint<typeof operations.addCaddyNumber>({
  name: 'addCaddyNumber',
  method: 'POST',
  path: '/caddy/catalog/add',
  ...own,
});

export const replaceCaddyNumber = endpoint<typeof operations.replaceCaddyNumber>({
  name: 'replaceCaddyNumber',
  method: 'POST',
  path: '/caddy/catalog/replace',
  ...own,
});

export const listCaddyNumbers = endpoint<typeof operations.listCaddyNumbers>({
  name: 'listCaddyNumbers',
  method: 'GET',
  path: '/caddy/numbers',
  ...own,
});

export const renameCaddyNumber = endpoint<typeof operations.renameCaddyNumber>({
  name: 'renameCaddyNumber',
  method: 'PUT',
  path: '/caddy/numbers/{id}',
  ...own,
});

export const removeCaddyNumber = endpoint<typeof operations.removeCaddyNumber>({
  name: 'removeCaddyNumber',
  method: 'DELETE',
  path: '/caddy/numbers/{id}',
  ...own,
});

export const activateCaddyNumbers = endpoint<typeof operations.activateCaddyNumbers>({
  name: 'activateCaddyNumbers',
  method: 'PUT',
  path: '/caddy/numbers/activate',
  ...own,
});

export const getCaddyUsage = endpoint<typeof operations.getCaddyUsage>({
  name: 'getCaddyUsage',
  method: 'GET',
  path: '/caddy/billing/usage',
  ...own,
});

export const listCaddyInvitations = endpoint<typeof operations.listCaddyInvitations>({
  name: 'listCaddyInvitations',
  method: 'GET',
  path: '/caddy/invitations',
  ...own,
});

export const inviteToCaddy = endpoint<typeof operations.inviteToCaddy>({
  name: 'inviteToCaddy',
  method: 'POST',
  path: '/caddy/invitations',
  ...own,
});

export const listCaddyReviews = endpoint<typeof operations.listCaddyReviews>({
  name: 'listCaddyReviews',
  method: 'GET',
  path: '/caddy/reviews',
  ...own,
});

export const reviewCaddy = endpoint<typeof operations.reviewCaddy>({
  name: 'reviewCaddy',
  method: 'POST',
  path: '/caddy/reviews',
  ...own,
});

export const getCaddyInactivity = endpoint<typeof operations.getCaddyInactivity>({
  name: 'getCaddyInactivity',
  method: 'GET',
  path: '/caddy/inactivity',
  ...own,
});

export const deleteCaddyAccount = endpoint<typeof operations.deleteCaddyAccount>({
  name: 'deleteCaddyAccount',
  method: 'DELETE',
  path: '/caddy/accounts',
  ...own,
});

export const uploadCaddySupportFile = endpoint<typeof operations.uploadCaddySupportFile>({
  name: 'uploadCaddySupportFile',
  method: 'POST',
  path: '/caddy/support/upload-file',
  ...own,
  multipart: true,
});

export const reportCaddyCustomer = endpoint<typeof operations.reportCaddyCustomer>({
  name: 'reportCaddyCustomer',
  method: 'POST',
  path: '/caddy/support/customer-report',
  ...own,
});
