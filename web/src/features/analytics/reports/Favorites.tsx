import { useState } from 'react';
import { Menu } from '@mantine/core';
import { favorites } from '#contract';
import { questionOfChoices } from '#contract/analytics/call-analytics/report-choices';
import { mailedPath } from '#contract/analytics/favorites/rules';
import {
  confirm,
  lazyComponent,
  Section,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { favoriteAddress, favoriteChoices } from './favorite-address.ts';
import css from './reports.module.css';
import { scheduleText } from './ScheduleFields.tsx';
import type { Favorite } from './favorite-form.ts';
import { SaveFavorite } from './SaveFavorite.tsx';
import { useCompanyDays } from './use-days.ts';
import { useReportExport } from './use-export.ts';
import { useScope } from './use-scope.ts';

const ShareReport = lazyComponent(async () => (await import('./sharing/ShareReport.tsx')).default);

const SharedLinks = lazyComponent(async () => (await import('./sharing/SharedLinks.tsx')).default);

/** Favorites, and links that open them without an account. */
export const Favorites = (props: Parameters<typeof FavoriteList>[0]) => (
  <>
    <FavoriteList {...props} />
    <SharedLinks />
  </>
);

/** The person’s favorites and those that teammates share. Nothing until there is one. */
function FavoriteList({ path, shown }: { path: string; shown: Record<string, string> }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    favorites.listFavoriteReports,
    { query: { company_id: companyId } },
    { silent: true },
  );
  const [edited, setEdited] = useState<Favorite | null>(null);
  const [shared, setShared] = useState<Favorite | null>(null);
  const list = response?.data ?? [];
  if (list.length === 0) return null;
  return (
    <Section title={t('Favorites')}>
      <ul className={css.favorites}>
        {list.map((favorite) => (
          <Row
            key={favorite.id}
            favorite={favorite}
            edit={() => setEdited(favorite)}
            share={() => setShared(favorite)}
          />
        ))}
      </ul>
      {shared && <ShareReport favorite={shared} close={() => setShared(null)} />}
      {edited && (
        <SaveFavorite
          key={edited.id}
          favorite={edited}
          path={path}
          shown={shown}
          close={() => setEdited(null)}
        />
      )}
    </Section>
  );
}

function Row({
  favorite,
  edit,
  share,
}: {
  favorite: Favorite;
  edit: () => void;
  share: () => void;
}) {
  const { id, name, mine, shared, user, value, schedule } = favorite;
  const cleansUp = usePermission('settings.edit');
  const mayExport = usePermission('exports.make');
  const href = favoriteAddress(value);
  const isReport = href?.split('?')[0] === mailedPath;
  const makesFiles = isReport && mayExport;
  const { mutate } = useApiMutation(favorites.deleteFavoriteReport, {
    invalidates: [favorites.listFavoriteReports],
    success: t('Search removed from favorites'),
  });
  const remove = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Remove {name}?', { name }),
      body: shared
        ? t('Teammates no longer see it, and links to it stop working.')
        : t('The report itself stays. The shortcut and links to it go.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (yes) await mutate({ params: { id } });
  };
  return (
    <li>
      {href === null ? name : <a href={href}>{name}</a>}
      <span className={css.quiet}>
        {[
          mine ? shared && t('Shared') : t('Shared by {name}', { name: user.name }),
          schedule && scheduleText(schedule),
        ]
          .filter(Boolean)
          .join(' · ')}{' '}
        {(mine || cleansUp || makesFiles) && (
          <RowMenu name={name}>
            {makesFiles && <DownloadPdf favorite={favorite} />}
            {(mine || cleansUp) && <Menu.Item onClick={edit}>{t('Edit')}</Menu.Item>}
            {mine && isReport && <Menu.Item onClick={share}>{t('Share by link')}</Menu.Item>}
            {(mine || cleansUp) && (
              <Menu.Item color="red" onClick={() => void remove()}>
                {t('Remove')}
              </Menu.Item>
            )}
          </RowMenu>
        )}
      </span>
    </li>
  );
}

/** A file of what the favorite opens now, with its name as the title. */
function DownloadPdf({ favorite: { name, value } }: { favorite: Favorite }) {
  const { choices, organization, isReady: isScopeReady } = useScope(favoriteChoices(value));
  const { companyId, tz, range, isReady } = useCompanyDays(choices, organization?.timezone);
  const query = { company_id: companyId, ...range, tz, ...questionOfChoices(choices) };
  const { exportReport } = useReportExport(query);
  return (
    <Menu.Item disabled={!isReady || !isScopeReady} onClick={() => void exportReport('pdf', name)}>
      {t('Download as PDF')}
    </Menu.Item>
  );
}
