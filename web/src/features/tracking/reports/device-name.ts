import { t } from '#ui';

/** A kind of device in words. */
export const deviceName = (device: string): string =>
  device === 'mobile' ? t('Phone') : device === 'tablet' ? t('Tablet') : t('Computer');
