import { IconSelector } from '@tabler/icons-react';
import { companies } from '#contract';
import { Hidden, PersonAvatar, t, useAsk, useCompanyId, useUser } from '#ui';
import css from './CompanySwitcher.module.css';
import { lateMenu } from './late-menu.tsx';

const Menu = lateMenu(async () => (await import('./CompanyMenu.tsx')).CompanyMenu, css.button);

/** The selected company, on top of the rail. */
export function CompanySwitcher() {
  const user = useUser();
  const companyId = useCompanyId();
  const own = user?.companies.find((c) => c.id === companyId);
  const { answer } = useAsk(
    companies.listCompaniesSlim,
    { query: { perPage: 100, excludeDeactivated: 1 } },
    { freshMs: 60_000, when: !own },
  );
  const current = own ?? answer?.data.find((c) => c.id === companyId);
  return (
    <Menu>
      <PersonAvatar name={current?.name ?? ''} kind="business" size={28} />
      <span className={css.name}>
        {current?.name ?? (user ? t('Choose a company') : t('Trunkline'))}
      </span>
      <Hidden>{t('Switch company')}</Hidden>
      <IconSelector size={16} aria-hidden />
    </Menu>
  );
}
