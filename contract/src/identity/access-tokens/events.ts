import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** An API key of the company was created or revoked. */
export const personalAccessTokensChanged = event<typeof payloads.personalAccessTokensChanged>({
  name: 'personal-access-tokens-changed',
  channel: 'companies',
  invalidates: ['listPersonalAccessTokens'],
});
