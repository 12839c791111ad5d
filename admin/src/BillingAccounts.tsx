import { useState } from 'react';
import { IconReceipt } from '@tabler/icons-react';
import { billingAccounts as contract, type Answer } from '#contract';
import {
  DataList,
  EmptyState,
  FilterBar,
  formatMoney,
  Page,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  type Column,
} from '#ui';
import { AccountDetails } from './BillingAccount.tsx';

type Row = Answer<typeof contract.listBillingAccounts>['data'][number];
const defaultFilters = { search: '', page: 1 };

/** The accounts of all companies, and what an operator does with one of them. */
export function BillingAccounts() {
  const [companyId, setCompanyId] = useState<number | null>(null);
  return companyId === null ? (
    <AccountList open={setCompanyId} />
  ) : (
    <AccountDetails companyId={companyId} close={() => setCompanyId(null)} />
  );
}

function AccountList({ open }: { open: (companyId: number) => void }) {
  const { filters, set, clear } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('admin-billing', 25, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(
    contract.listBillingAccounts,
    { query: { page: filters.page, perPage, search: filters.search || null } },
    { silent: true },
  );
  return (
    <Page
      title={t('Billing')}
      filters={
        <FilterBar isFiltered={Boolean(filters.search)} onClear={clear}>
          <SearchField
            label={t('Search companies')}
            value={filters.search}
            onChange={(search) => set({ search, page: 1 })}
          />
        </FilterBar>
      }
    >
      <DataList
        label={t('Accounts')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={({ company }) => company.id}
        rowLabel={({ company }) => company.name}
        columns={columns}
        onOpen={({ company }) => open(company.id)}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          <EmptyState icon={<IconReceipt size={28} stroke={1.5} />} title={t('No accounts')}>
            {t('Companies and what they owe appear here.')}
          </EmptyState>
        }
      />
    </Page>
  );
}

const columns: Column<Row>[] = [
  { key: 'name', title: t('Company'), width: 'minmax(140px, 1fr)', cell: (r) => r.company.name },
  {
    key: 'plan',
    title: t('Plan'),
    width: '160px',
    wideOnly: true,
    cell: (r) => r.plan ?? t('None'),
  },
  {
    key: 'state',
    title: t('State'),
    width: '150px',
    cell: (r) => (r.suspended ? t('Suspended') : r.state),
  },
  {
    key: 'balance',
    title: t('Owes'),
    width: '110px',
    align: 'end',
    cell: (r) => formatMoney(r.balance_cents),
  },
];
