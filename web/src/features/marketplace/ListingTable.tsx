import type { ReactNode } from 'react';
import { DataList, type Sort, t } from '#ui';
import { marketColumns, ownColumns } from './listing-columns.tsx';
import type { ListingsState } from './use-listings.ts';

/** The numbers of the shown marketplace view. */
export function ListingTable({ listings, empty }: { listings: ListingsState; empty: ReactNode }) {
  const { filters, set, own, mine, market, perPage, onPerPage } = listings;
  const tools = {
    sort: { field: filters.sort, dir: filters.dir },
    onSort: (sort: Sort) => set({ sort: sort.field, dir: sort.dir }),
  };
  return own ? (
    <DataList
      label={t('Your marketplace numbers')}
      rows={mine.response?.data}
      loading={mine.loading}
      error={mine.error}
      refetch={mine.refetch}
      rowKey={(r) => r.id}
      rowLabel={(r) => r.vanity_text ?? r.formatted}
      href={(r) => `/marketplace/${r.id}`}
      columns={ownColumns()}
      emphasized={(r) => r.status === 'under_offer'}
      {...tools}
      paging={{
        page: filters.page,
        perPage,
        onPerPage,
        meta: mine.response?.meta,
        onPage: (page) => set({ page }),
      }}
      empty={empty}
    />
  ) : (
    <DataList
      label={t('Available numbers')}
      rows={market.response?.data}
      loading={market.loading}
      error={market.error}
      refetch={market.refetch}
      rowKey={(r) => r.id}
      rowLabel={(r) => r.vanity_text ?? r.formatted}
      href={(r) => `/marketplace/${r.id}`}
      columns={marketColumns()}
      {...tools}
      paging={{
        page: filters.page,
        perPage,
        onPerPage,
        meta: market.response?.meta,
        onPage: (page) => set({ page }),
      }}
      empty={empty}
    />
  );
}
