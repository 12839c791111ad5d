import { formatPhoneNumber, t } from '#ui';

/**
 * A block target as shown on screen: a phone number, all withheld numbers, or a prefix (ending in
 * an asterisk).
 */
export const displayTarget = (target: string): string =>
  target === 'anonymous'
    ? t('Withheld numbers')
    : target.endsWith('*')
      ? t('Numbers starting with {prefix}', { prefix: target.slice(0, -1) })
      : formatPhoneNumber(target);
