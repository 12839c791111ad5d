import { atLeastOne, text, variable } from './variable.ts';

/** What the sandbox texts codes of Caddy from. */
export const sandboxNumber = '+18335550142';

/** Of the app for individuals. */
export const caddyVariables = {
  CADDY_NUMBER: variable(
    text.regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +12125550142').optional(),
    '',
    'Number of the default carrier that texts codes and invitations to people in Caddy; without it they sign in by email only. The sandbox has one of its own',
    { example: '+12125550142' },
  ),
  CADDY_CODES_PER_HOUR: variable(
    atLeastOne,
    '400',
    'Codes per hour for signing up in Caddy, to all people together',
  ),
};
