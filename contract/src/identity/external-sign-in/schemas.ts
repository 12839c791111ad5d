import { z } from 'zod';

const text = z.string().max(4000).optional();

/** What a visit to a provider begins with. */
export const providerVisit = z.object({
  next: text.meta({ description: 'Page of the app to open afterwards: `/inbox`' }),
  on: text.meta({ description: 'Set by the server when it moves to the address of PUBLIC_URL' }),
});
/** What a provider sends the person back with. */
export const providerReturn = z.object({
  code: text.meta({ description: 'From the provider, when the person agreed' }),
  state: text.meta({ description: 'As in the address of the provider’s page' }),
  error: text.meta({ description: 'From the provider, when the person declined' }),
  error_description: text,
  iss: text.meta({ description: 'The provider’s issuer (RFC 9207)' }),
  scope: text,
  session_state: text,
});
