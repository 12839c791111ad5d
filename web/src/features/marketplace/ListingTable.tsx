import type { ReactNode } from 'react';
import { DataList, t } from '#ui';
import { pagedList } from '#ui/list/paged-list.ts';
import { marketColumns, ownColumns } from './listing-columns.tsx';
import type { ListingsState } from './use-listings.ts';

/** The numbers of the shown marketplace view. */
export function ListingTable({ listings, empty }: { listings: ListingsState; empty: ReactNode }) {
  const { own, mine, market, pageSize } = listings;
  return own ? (
    <DataList
      label={t('Your marketplace numbers')}
      {...pagedList(mine, listings, pageSize)}
      rowKey={(r) => r.id}
      rowLabel={(r) => r.vanity_text ?? r.formatted}
      href={(r) => `/marketplace/${r.id}`}
      columns={ownColumns()}
      emphasized={(r) => r.status === 'under_offer'}
      empty={empty}
    />
  ) : (
    <DataList
      label={t('Available numbers')}
      {...pagedList(market, listings, pageSize)}
      rowKey={(r) => r.id}
      rowLabel={(r) => r.vanity_text ?? r.formatted}
      href={(r) => `/marketplace/${r.id}`}
      columns={marketColumns()}
      empty={empty}
    />
  );
}
