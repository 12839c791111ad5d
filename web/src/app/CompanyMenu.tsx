import { cloneElement, useState } from 'react';
import { Combobox, ScrollArea, useCombobox } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { companies } from '#contract';
import { foldedIncludes } from '#contract/fold';
import {
  navigate,
  PersonAvatar,
  selectCompany,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  useUser,
} from '#ui';
import { cache } from '../shared/query-client.ts';
import type { LazyMenuProps } from './lazy-menu.tsx';
import css from './CompanySwitcher.module.css';

/**
 * The list of companies behind the switcher, filtered while typing. Switching opens the home page,
 * as the current screen belongs to the previous company.
 */
export function CompanyMenu({ opened, target }: LazyMenuProps) {
  const companyId = useCompanyId();
  const mayCreate = usePermission('company.create');
  const [search, setSearch] = useState('');
  const box = useCombobox({
    defaultOpened: opened,
    onDropdownClose: () => {
      box.resetSelectedOption();
      setSearch('');
    },
  });
  const all = useCompanies(box.dropdownOpened);
  const found = all.filter((c) => foldedIncludes(c.name, search));
  const choose = (id: number): void => {
    box.closeDropdown();
    if (id === companyId) return;
    selectCompany(id);
    void cache.invalidateQueries();
    navigate('/');
  };
  return (
    <Combobox
      store={box}
      onOptionSubmit={(value) =>
        value === '+' ? navigate('/select-company?new=1') : choose(Number(value))
      }
      width={264}
      position="bottom-start"
      shadow="md"
      withinPortal
    >
      <Combobox.Target targetType="button">
        {cloneElement(target, { onClick: () => box.toggleDropdown() })}
      </Combobox.Target>
      <Combobox.Dropdown>
        {all.length > 6 && (
          <Combobox.Search
            value={search}
            onChange={(e) => setSearch(e.currentTarget.value)}
            placeholder={t('Find a company')}
            aria-label={t('Find a company')}
          />
        )}
        <Combobox.Options aria-label={t('Companies')}>
          <ScrollArea.Autosize mah={320} type="auto">
            {found.map((c) => (
              <CompanyOption key={c.id} company={c} selected={c.id === companyId} />
            ))}
            {found.length === 0 && <Combobox.Empty>{t('No companies found')}</Combobox.Empty>}
          </ScrollArea.Autosize>
          {mayCreate && (
            <Combobox.Option value="+" className={css.create}>
              {t('New company')}
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The user's companies: those of the session, until the current ones are fetched. */
function useCompanies(isOpen: boolean) {
  const user = useUser();
  const { response } = useApiQuery(
    companies.listCompaniesSlim,
    { query: { perPage: 100, excludeDeactivated: 1 } },
    { staleTime: 60_000, enabled: isOpen },
  );
  return response?.data ?? user?.companies ?? [];
}

function CompanyOption({
  company,
  selected,
}: {
  company: { id: number; name: string };
  selected: boolean;
}) {
  return (
    <Combobox.Option value={String(company.id)} active={selected}>
      <span className={css.option}>
        <PersonAvatar name={company.name} kind="business" size={24} />
        <span className={css.name}>{company.name}</span>
        {selected && <IconCheck size={16} aria-label={t('Selected')} />}
      </span>
    </Combobox.Option>
  );
}
