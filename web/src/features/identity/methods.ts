import { t } from '#ui';

/** A way to confirm a sign-in, as its choice. */
export function methodLabel(kind: string, masked: string | null): string {
  if (kind === 'passkey') return t('Passkey');
  if (kind === 'totp') return t('Authenticator app');
  if (kind === 'sms') return masked ? t('Text to {to}', { to: masked }) : t('Text message');
  if (kind === 'email') return masked ? t('Email to {to}', { to: masked }) : t('Email');
  return t('Recovery code');
}
