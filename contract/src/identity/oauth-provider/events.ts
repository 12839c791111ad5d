import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A person authorized a program, or that ended. On the person's channel. */
export const authorizationChanged = event<typeof payloads.authorizationChanged>({
  name: 'oauth.authorization_changed',
  channel: 'users',
  invalidates: ['listAuthorizations'],
});

/** The same for the company's administrators, who see what its people allowed. */
export const companyAuthorizationsChanged = event<typeof payloads.companyAuthorizationsChanged>({
  name: 'oauth.company_authorizations_changed',
  channel: 'companies',
  invalidates: ['listCompanyAuthorizations'],
});

export const oauthClientChanged = event<typeof payloads.oauthClientChanged>({
  name: 'oauth.client_changed',
  channel: 'companies',
  invalidates: ['listOAuthClients', 'listCompanyAuthorizations'],
});
