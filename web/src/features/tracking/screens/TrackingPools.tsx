import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconPhoneCalling } from '@tabler/icons-react';
import { tracking } from '#contract';
import { DataList, Page, t, useCompanyId, usePermission } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { poolStatusName } from '../pools/labels.ts';
import { NewPool } from '../pools/NewPool.tsx';
import { poolColumns } from '../pools/pool-columns.tsx';
import { TrackingTabs } from '../TrackingTabs.tsx';

const defaultFilters = { search: '', status: '', page: 1, sort: 'name', dir: 'asc' };

/** Pools of numbers that visitors of a website see, and how busy each is. */
export default function TrackingPools() {
  const companyId = useCompanyId() ?? 0;
  const pools = useListScreen(tracking.listPools, {
    key: 'pools',
    perPage: 25,
    filters: defaultFilters,
    input: ({ page, sort, dir, search, status }, perPage) => ({
      params: { companyId },
      query: { page, perPage, sort, dir, search: search || null, status: status || null },
    }),
    silent: true,
  });
  const { filters, set } = pools;
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
          <ListFilters list={pools} label={t('Search pools')}>
            <FilterSelect
              label={t('Status')}
              any={t('Any status')}
              value={filters.status}
              options={tracking.poolStatuses.map((status) => [status, poolStatusName(status)])}
              onChange={(status) => set({ status })}
            />
          </ListFilters>
        </>
      }
    >
      <DataList
        label={t('Tracking pools')}
        {...pools.list}
        rowKey={(pool) => pool.id}
        rowLabel={(pool) => pool.name}
        href={(pool) => `/tracking/pools/${pool.id}`}
        columns={poolColumns()}
        empty={
          <ListEmpty
            list={pools}
            icon={IconPhoneCalling}
            noMatch={t('No pools match')}
            title={t('No tracking pools yet')}
            action={add}
          >
            {t('Choose some numbers and the website they’re shown on.')}
          </ListEmpty>
        }
      />
      {isAdding && <NewPool close={() => setAdding(false)} />}
    </Page>
  );
}
