import { IconSelector } from '@tabler/icons-react';
import { companies } from '#contract';
import { Hidden, PersonAvatar, t, useApiQuery, useCompanyId, useUser } from '#ui';
import css from './CompanySwitcher.module.css';
import { lazyMenu } from './lazy-menu.tsx';

const Menu = lazyMenu(async () => (await import('./CompanyMenu.tsx')).CompanyMenu, css.button);

/** The selected company, at the top of the rail. */
export function CompanySwitcher() {
  const user = useUser();
  const companyId = useCompanyId();
  const own = user?.companies.find((c) => c.id === companyId);
  const { response } = useApiQuery(
    companies.listCompaniesSlim,
    { query: { perPage: 100, excludeDeactivated: 1 } },
    { staleTime: 60_000, enabled: !own },
  );
  const current = own ?? response?.data.find((c) => c.id === companyId);
  return (
    <Menu>
      <PersonAvatar name={current?.name ?? ''} kind="business" size={28} />
      <span className={css.name}>{current?.name ?? (user ? t('Choose a company') : '')}</span>
      <Hidden>{t('Switch company')}</Hidden>
      <IconSelector size={16} aria-hidden />
    </Menu>
  );
}
