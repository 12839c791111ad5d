import { useState } from 'react';
import { Button, Group } from '@mantine/core';
import { IconDownload, IconStars } from '@tabler/icons-react';
import { lazyComponent, Page, t, useCompanyId, usePermission } from '#ui';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { KpiStrip } from '../KpiStrip.tsx';
import { ListingFilters } from '../ListingFilters.tsx';
import { ListingTable } from '../ListingTable.tsx';
import { useListings } from '../use-listings.ts';
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
      <ListingTable
        listings={listings}
        empty={
          <ListEmpty
            list={listings}
            icon={IconStars}
            noMatch={t('No numbers match these filters')}
            title={own ? t('Nothing listed yet') : t('No numbers available')}
            action={own && add}
          >
            {own
              ? t('Numbers that spell a word can earn a lease. List one of yours.')
              : t('Numbers that companies list appear here.')}
          </ListEmpty>
        }
      />
      {adding && <ListOwnDialog close={() => setAdding(false)} />}
    </Page>
  );
}
