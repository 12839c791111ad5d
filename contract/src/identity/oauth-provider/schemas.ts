import { z } from 'zod';
import { id, instant } from '../../schemas.ts';
import { scopes } from '../scopes.ts';

export const scope = z.enum(scopes);

/** Whether a program may be sent back to this address: https, or this computer. */
const isRedirectUri = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.hash || url.username || url.password) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
};

export const redirectUri = z
  .string()
  .max(2000)
  .refine(isRedirectUri, 'Enter an https address, or http://localhost for this computer.');

/** A registered program. `client_id` is public; the secret is shown once. */
export const oauthClient = z.object({
  id,
  client_id: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  confidential: z.boolean(),
  shared: z.boolean(),
  created_at: instant,
});

/** What a person allowed a program. */
export const oauthAuthorization = z.object({
  id,
  application: z.string(),
  company_id: id,
  scopes: z.array(scope),
  created_at: instant,
  last_used_at: instant.nullable(),
});
