import { IconArrowBackUp } from '@tabler/icons-react';
import { t } from '#ui';
import css from './ThreadLine.module.css';

/** What an automatic answer was: shown under the bubble. */
export const Automatic = ({ kind }: { kind: 'stop' | 'start' | 'help' }) => (
  <p className={css.automatic}><IconArrowBackUp size={13} aria-hidden />{kind === 'stop' ? t('Opt-out, confirmed automatically') : kind === 'start' ? t('Opt-in, confirmed automatically') : t('Help, answered automatically')}</p>
);
