import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconPhoneCalling } from '@tabler/icons-react';
import { tracking } from '#contract';
import {
  DataList,
  EmptyState,
  FilterBar,
  Page,
  SearchField,
  t,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePageSize,
  usePermission,
} from '#ui';
import { pagedList } from '../../../shared/paged-list.ts';
import { poolStatusName } from '../pools/labels.ts';
import { NewPool } from '../pools/NewPool.tsx';
import { poolColumns } from '../pools/pool-columns.tsx';
import { TrackingTabs } from '../TrackingTabs.tsx';

const defaultFilters = { search: '', status: '', page: 1, sort: 'name', dir: 'asc' };

/** Pools of numbers that visitors of a website see, and how busy each is. */
export default function TrackingPools() {
  const filtering = useFilters(defaultFilters);
  const { filters, set, clear, isFiltered } = filtering;
  const pageSize = usePageSize('pools', 25, () => set({ page: 1 }));
  const list = useApiQuery(
    tracking.listPools,
    {
      params: { companyId: useCompanyId() ?? 0 },
      query: {
        page: filters.page,
        perPage: pageSize.perPage,
        sort: filters.sort,
        dir: filters.dir,
        search: filters.search || null,
        status: filters.status || null,
      },
    },
    { silent: true },
  );
  const mayEdit = usePermission('dni.edit');
  const [isAdding, setAdding] = useState(false);
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('New pool')}</Button>;
  return (
    <Page
      title={t('Tracking pools')}
      layout="fill"
      description={t('Numbers that visitors of your website see, so that a call shows its source.')}
      action={add}
      filters={
        <>
          <TrackingTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              label={t('Search pools')}
              value={filters.search}
              onChange={(search) => set({ search, page: 1 })}
            />
            <StatusFilter value={filters.status} onChange={(status) => set({ status, page: 1 })} />
          </FilterBar>
        </>
      }
    >
      <DataList
        label={t('Tracking pools')}
        {...pagedList(list, filtering, pageSize)}
        rowKey={(pool) => pool.id}
        rowLabel={(pool) => pool.name}
        href={(pool) => `/tracking/pools/${pool.id}`}
        columns={poolColumns()}
        empty={<NoPools isFiltered={isFiltered} clear={clear} add={add} />}
      />
      {isAdding && <NewPool close={() => setAdding(false)} />}
    </Page>
  );
}

function StatusFilter({ value, onChange }: { value: string; onChange: (status: string) => void }) {
  return (
    <Select
      aria-label={t('Status')}
      placeholder={t('Any status')}
      w={150}
      clearable
      clearButtonProps={{ 'aria-label': t('Any status') }}
      data={tracking.poolStatuses.map((status) => ({
        value: status,
        label: poolStatusName(status),
      }))}
      value={value || null}
      onChange={(status) => onChange(status ?? '')}
    />
  );
}

function NoPools({
  isFiltered,
  clear,
  add,
}: {
  isFiltered: boolean;
  clear: () => void;
  add: React.ReactNode;
}) {
  const icon = <IconPhoneCalling size={28} stroke={1.5} />;
  if (isFiltered)
    return (
      <EmptyState
        icon={icon}
        title={t('No pools match')}
        action={
          <Button variant="default" onClick={clear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {t('Try another search or clear the filters.')}
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t('No tracking pools yet')} action={add}>
      {t('Choose some numbers and the website they’re shown on.')}
    </EmptyState>
  );
}
