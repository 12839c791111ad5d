import { Select } from '@mantine/core';
import { tracking } from '#contract';
import { feedTypes } from '#contract/tracking/feed-rules';
import { FilterBar, t, useApiQuery, useCompanyId, type useFilters } from '#ui';
import { SourceFilter } from '../sources/SourceFilter.tsx';
import { feedTypeName } from './feed-columns.tsx';
import type { FeedFilters as Filters } from './merge-rows.ts';

/** Limits the feed to a kind, a pool, a source or a website. */
export function FeedFilters({
  filters,
  set,
  clear,
  isFiltered,
  pools,
}: Pick<
  ReturnType<typeof useFilters<{ [k in keyof Filters]: string }>>,
  'filters' | 'set' | 'clear' | 'isFiltered'
> & { pools: ReadonlyMap<number, string> }) {
  const { response } = useApiQuery(
    tracking.getScript,
    { params: { companyId: useCompanyId() ?? 0 } },
    { silent: true, staleTime: 60_000 },
  );
  const sites = response?.data.installed.domains.map(({ host }) => host) ?? [];
  const known = filters.site && !sites.includes(filters.site) ? [filters.site, ...sites] : sites;
  return (
    <FilterBar isFiltered={isFiltered} onClear={clear}>
      <Choice
        label={t('Kind')}
        any={t('Any kind')}
        data={feedTypes.map((value) => ({ value, label: feedTypeName(value) }))}
        value={filters.kind}
        onChange={(kind) => set({ kind })}
      />
      <Choice
        label={t('Tracking pool')}
        any={t('Any pool')}
        data={[...pools].map(([id, label]) => ({ value: String(id), label }))}
        value={filters.pool}
        onChange={(pool) => set({ pool })}
      />
      <SourceFilter value={filters.source} onChange={(source) => set({ source })} />
      <Choice
        label={t('Website')}
        any={t('Any website')}
        data={known.map((value) => ({ value, label: value }))}
        value={filters.site}
        onChange={(site) => set({ site })}
      />
    </FilterBar>
  );
}

function Choice({
  label,
  any,
  data,
  value,
  onChange,
}: {
  label: string;
  any: string;
  data: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      w={{ base: 'calc(50% - 4px)', sm: 168 }}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear {what}', { what: label }) }}
      nothingFoundMessage={t('No results')}
      data={data}
      value={value || null}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
