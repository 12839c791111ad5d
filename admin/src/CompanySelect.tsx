import { useState } from 'react';
import { Select } from '@mantine/core';
import { companies, platform } from '#contract';
import { t, useApiQuery } from '#ui';

interface CompanySelectProps {
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Finds a company by its name; the server searches, because there may be many. */
export function CompanySelect({ value, onChange }: CompanySelectProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const { response } = useApiQuery(
    companies.listCompaniesSlim,
    {
      query: {
        perPage: 50,
        excludeDeactivated: 1,
        search: search === chosen?.label ? null : search || null,
      },
    },
    { silent: true, staleTime: 60_000 },
  );
  const given = useApiQuery(
    platform.listPlatformCompanies,
    { query: { search: value, perPage: 100 } },
    { enabled: value !== null && chosen === null, silent: true },
  ).response?.data.find(({ id }) => String(id) === value);
  if (given && !chosen) setChosen({ value: String(given.id), label: given.name });
  const found = (response?.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const isListed = !chosen || found.some((one) => one.value === chosen.value);
  const data = isListed ? found : [chosen, ...found];
  return (
    <Select
      label={t('Company')}
      placeholder={t('Find a company')}
      searchable
      data={data}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={t('No companies found')}
      value={value}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(next) => {
        setChosen(data.find((one) => one.value === next) ?? null);
        onChange(next);
      }}
    />
  );
}
