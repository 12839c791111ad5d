import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { IconDownload, IconStars } from '@tabler/icons-react';
import { EmptyState, lazyComponent, Page, t, useCompanyId, usePermission } from '#ui';
import { KpiStrip } from '../KpiStrip.tsx';
import { ListingFilters } from '../ListingFilters.tsx';
import { ListingTable } from '../ListingTable.tsx';
import { useListings, type ListingsState } from '../use-listings.ts';
import { NumbersTabs } from '../../numbers/index.ts';

const ListOwnDialog = lazyComponent(
  async () => (await import('../ListOwnDialog.tsx')).ListOwnDialog,
);

/**
 * The marketplace: vanity numbers that the company offers, and those of other companies that it can
 * lease.
 */
export default function Marketplace() {
  const listings = useListings();
  const { filters, set, own } = listings;
  const mayEdit = usePermission('marketplace.edit');
  const companyId = useCompanyId();
  const [adding, setAdding] = useState(false);
  const add = mayEdit && <Button onClick={() => setAdding(true)}>{t('List a number')}</Button>;
  return (
    <Page
      title={t('Marketplace')}
      layout="fill"
      description={t('Numbers that spell something, for lease or assignment of service.')}
      action={
        own && (
          <Group gap="xs">
            <Button
              component="a"
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              href={`/api/marketplace-numbers/report?companyId=${companyId}`}
              download
            >
              {t('CSV')}
            </Button>
            {add}
          </Group>
        )
      }
      filters={
        <>
          <NumbersTabs />
          <ListingFilters listings={listings} />
        </>
      }
    >
      {own && <KpiStrip status={filters.status} onPick={(status) => set({ status })} />}
      <ListingTable listings={listings} empty={<NoListings listings={listings} add={add} />} />
      {adding && <ListOwnDialog close={() => setAdding(false)} />}
    </Page>
  );
}

function NoListings({ listings, add }: { listings: ListingsState; add: React.ReactNode }) {
  const { own, isFiltered, clear } = listings;
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconStars size={28} stroke={1.5} />}
        title={t('No numbers match these filters')}
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
    <EmptyState
      icon={<IconStars size={28} stroke={1.5} />}
      title={own ? t('Nothing listed yet') : t('No numbers available')}
      action={own && add}
    >
      {own
        ? t('Numbers that spell a word can earn a lease. List one of yours.')
        : t('Numbers that companies list appear here.')}
    </EmptyState>
  );
}
