import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** A session of this person ended; its sockets are closed. On the person's channel. */
export const sessionRevoked = event<typeof payloads.sessionRevoked>({
  name: 'session-revoked',
  channel: 'users',
  invalidates: ['listTokenSessions'],
});

export const permissionsChanged = event<typeof payloads.permissionsChanged>({
  name: 'permissions-changed',
  channel: 'users',
  invalidates: ['getUser'],
});
