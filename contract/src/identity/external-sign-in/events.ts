import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** An owner has signed in past the single sign-on that their organization asks for. */
export const ssoEmergencyUsed = event<typeof payloads.ssoEmergencyUsed>({
  name: 'sso.emergency_used',
  channel: null,
});
