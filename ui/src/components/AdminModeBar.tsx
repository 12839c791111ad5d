import { Anchor } from '@mantine/core';
import { adminMode } from '#contract';
import { useApiQuery } from '../use-api.ts';
import { useApiMutation } from '../use-api-mutation.ts';
import { t } from '../i18n.ts';
import css from './Banners.module.css';
import { Time } from './Time.tsx';

/** For platform staff: the admin mode they are in, its second step and the way out. */
export function AdminModeBar() {
  const { response } = useApiQuery(adminMode.getAdminMode, {}, { silent: true });
  const options = { invalidates: [adminMode.getAdminMode] };
  const writes = useApiMutation(adminMode.allowAdminWrites, options);
  const leaving = useApiMutation(adminMode.leaveAdminMode, {
    onSuccess: () => window.location.assign('/admin-mode'),
  });
  if (!response) return null;
  const entry = response.data;
  return (
    <aside className={css.banner} data-admin aria-label={t('Admin mode')}>
      {entry ? (
        <>
          <span>
            {entry.may_write
              ? t('Admin mode, with changes: {reason}', { reason: entry.reason })
              : t('Admin mode, reading only: {reason}', { reason: entry.reason })}{' '}
            · {t('until')} <Time at={entry.ends_at} />
          </span>
          <span className={css.links}>
            {!entry.may_write && (
              <Anchor component="button" type="button" fz="xs" onClick={() => void writes.mutate()}>
                {t('Allow changes')}
              </Anchor>
            )}
            <Anchor component="button" type="button" fz="xs" onClick={() => void leaving.mutate()}>
              {t('Leave admin mode')}
            </Anchor>
          </span>
        </>
      ) : (
        <>
          <span>{t('You’re not in admin mode.')}</span>
          <span className={css.links}>
            <a href="/admin-mode">{t('Enter admin mode')}</a>
          </span>
        </>
      )}
    </aside>
  );
}
