import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'caddy.exists': { status: 409, text: 'You already have an account. Sign in instead.' },
  'caddy.taken': {
    status: 409,
    text: 'Another account uses this already. Enter a different one.',
  },
  'caddy.unknown': { status: 401, text: 'We don’t know this account yet. Sign up first.' },
  'caddy.provider_off': {
    status: 409,
    text: 'Signing in this way isn’t set up here. Use your email address or phone number.',
  },
  'caddy.provider_away': {
    status: 409,
    text: '{provider} can’t be reached right now. Try again later, or use your email address or phone number.',
  },
  'caddy.token_refused': {
    status: 422,
    text: '{provider} didn’t confirm who you are, or it took too long. Start again.',
  },
  'caddy.unverified': {
    status: 422,
    text: '{provider} gave us no verified email address of yours. Sign up with your email address or phone number.',
  },
  'caddy.no_texts': {
    status: 409,
    text: 'This server can’t text codes. Use an email address, or ask its operator to set CADDY_NUMBER.',
  },
  'caddy.code_wrong': { status: 422, text: 'That code isn’t right. Tries left: {tries}.' },
  'caddy.code_over': { status: 422, text: 'That code no longer works. Ask for a new one.' },
  'caddy.password_wrong': {
    status: 422,
    text: 'That doesn’t match an account. Check what you entered, or sign in with a code.',
  },
  'caddy.last_way': {
    status: 422,
    text: 'Keep an email address or a phone number, or you couldn’t sign in again.',
  },
  'caddy.limit': {
    status: 403,
    text: 'Your plan has {n} numbers. Upgrade, or stop one first.',
  },
  'caddy.plus': { status: 403, text: 'This number comes with a paid plan. Choose another one.' },
  'caddy.none_free': {
    status: 404,
    text: 'No number is free there right now. Try another area code.',
  },
  'caddy.replaced_lately': {
    status: 403,
    text: 'You can exchange a number {n} times in 30 days. Try again on {date}.',
  },
  'caddy.no_number': { status: 409, text: 'Add a number first.' },
  'caddy.invitations_used': {
    status: 429,
    text: 'You sent {n} invitations today. Send more tomorrow.',
  },
  'caddy.invited_lately': {
    status: 409,
    text: 'This phone was invited in the last 30 days. Invite someone else.',
  },
  'caddy.invitee_opted_out': {
    status: 409,
    text: 'This phone asked for no texts, so it can’t be invited. Invite someone else.',
  },
  'caddy.reviewed': { status: 409, text: 'You already rated this version. Thank you.' },
  'caddy.file_missing': { status: 422, text: 'Choose a file to upload.' },
} as const satisfies ErrorTexts;
