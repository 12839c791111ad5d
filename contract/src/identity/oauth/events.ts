import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A person authorized a program, or that ended. On the person's channel. */
export const authorizationChanged = event<typeof payloads.authorizationChanged>({
  name: 'oauth.authorization_changed',
  channel: 'users',
  invalidates: ['listAuthorizations', 'listCompanyAuthorizations'],
});

export const oauthClientChanged = event<typeof payloads.oauthClientChanged>({
  name: 'oauth.client_changed',
  channel: 'companies',
  invalidates: ['listOAuthClients', 'listCompanyAuthorizations'],
});
