import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A person's factors or passkeys changed. On the person's channel. */
export const factorsChanged = event<typeof payloads.factorsChanged>({
  name: 'mfa.changed',
  channel: 'users',
  invalidates: ['listMfa', 'listPasskeys', 'listSignInMethods', 'getUser'],
});
