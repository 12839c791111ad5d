import { useEffect, useState } from 'react';
import { t, useLiveState, usePermission } from '#ui';
import css from './Shell.module.css';

/**
 * Shown when the live connection is lost. On narrow screens it includes the phone, whose status is
 * otherwise in the menu.
 */
export function ConnectionStatus({ narrow = false }: { narrow?: boolean }) {
  const mayCall = usePermission('calling.use');
  const state = useLiveState();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (state !== 'lost') return setLate(false);
    const timer = setTimeout(() => setLate(true), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const message = !narrow
    ? t('Reconnecting…')
    : mayCall
      ? t('Offline – calls won’t ring here')
      : t('You’re offline');
  return (
    <div role="status" className={narrow ? css.strip : css.connection}>
      {late && message}
    </div>
  );
}
