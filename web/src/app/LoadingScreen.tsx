import { Loader } from '@mantine/core';
import { t } from '#ui';

/** The moment before the frame stands. Says nothing unless it takes long. */
export const LoadingScreen = () => (
  <div
    role="status"
    aria-label={t('Loading')}
    style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}
  >
    <Loader size="sm" />
  </div>
);
