import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const redirectToOAuthProvider = endpoint<typeof operations.redirectToOAuthProvider>({
  name: 'redirectToOAuthProvider',
  method: 'GET',
  path: '/companies/{companyId}/oauth-integrations/{provider}/redirect',
  permission: 'integrations.edit',
  company: 'path',
});

export const finishOAuthConnection = endpoint<typeof operations.finishOAuthConnection>({
  name: 'finishOAuthConnection',
  method: 'GET',
  path: '/oauth-integrations/{provider}/callback',
  // A person whose session has ended is sent back to the app as well.
  permission: 'public',
  company: 'none',
});
