import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** The session of this person ended; its sockets close. Heard on the person's own channel. */
export const sessionRevoked = event<typeof payloads.sessionRevoked>({
  name: 'session-revoked',
  channel: 'users',
});

export const permissionsChanged = event<typeof payloads.permissionsChanged>({
  name: 'permissions-changed',
  channel: 'users',
  touches: ['getUser'],
});
