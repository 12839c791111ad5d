import { Loader } from '@mantine/core';
import { t } from '#ui';

/** Shown before the frame; empty unless loading takes long. */
export const LoadingScreen = () => (
  <div
    role="status"
    aria-label={t('Loading')}
    style={{ display: 'grid', placeItems: 'center', minHeight: '100dvh' }}
  >
    <Loader size="sm" />
  </div>
);
