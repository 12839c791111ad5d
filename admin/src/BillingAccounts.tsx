import { Select } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { billingAccounts as contract, type Answer } from '#contract';
import { plans, subscriptionStates } from '#contract/billing/rules';
import {
  DataList,
  EmptyState,
  FilterBar,
  formatMoney,
  Page,
  SearchField,
  t,
  Time,
  useApiQuery,
  useFilters,
  usePageSize,
  type Column,
} from '#ui';
import { priceOf, stateLooks } from '#ui/billing/labels.ts';
import { AccountDetails, StateBadge } from './BillingAccount.tsx';

type Row = Answer<typeof contract.listBillingAccounts>['data'][number];
const defaultFilters = { search: '', state: '', company: 0, page: 1 };
type Filters = ReturnType<typeof useFilters<typeof defaultFilters>>;

/** The accounts of all companies, and what an operator does with one of them. */
export function BillingAccounts() {
  const all = useFilters(defaultFilters);
  return all.filters.company > 0 ? (
    <AccountDetails
      companyId={all.filters.company}
      close={() => all.set({ company: 0, page: all.filters.page })}
    />
  ) : (
    <AccountList {...all} />
  );
}

function AccountList({ filters, set, clear }: Filters) {
  const { perPage, onPerPage } = usePageSize('admin-billing', 25, () => set({ page: 1 }));
  const { response, error, loading, refetch } = useApiQuery(
    contract.listBillingAccounts,
    {
      query: {
        ...{ page: filters.page, perPage, search: filters.search || null },
        state: subscriptionStates.find((state) => state === filters.state),
      },
    },
    { silent: true },
  );
  return (
    <Page
      title={t('Billing')}
      filters={<AccountFilters filters={filters} set={set} clear={clear} />}
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
        onOpen={({ company }) => set({ company: company.id })}
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

const AccountFilters = ({ filters, set, clear }: Pick<Filters, 'filters' | 'set' | 'clear'>) => (
  <FilterBar isFiltered={Boolean(filters.search || filters.state)} onClear={clear}>
    <SearchField
      label={t('Search companies')}
      value={filters.search}
      onChange={(search) => set({ search, page: 1 })}
    />
    <Select
      aria-label={t('State')}
      placeholder={t('Any state')}
      w={160}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the state') }}
      value={filters.state || null}
      data={subscriptionStates.map((value) => ({
        value,
        label: stateLooks(value, false).label,
      }))}
      onChange={(state) => set({ state: state ?? '', page: 1 })}
    />
  </FilterBar>
);

const columns: Column<Row>[] = [
  { key: 'name', title: t('Company'), width: 'minmax(140px, 1fr)', cell: (r) => r.company.name },
  {
    key: 'plan',
    title: t('Plan'),
    width: '220px',
    wideOnly: true,
    cell: (r) => (r.plan ? `${plans[r.plan].name}, ${priceOf(plans[r.plan])}` : t('None')),
  },
  {
    key: 'state',
    title: t('State'),
    width: '130px',
    cell: ({ state, suspended }) => <StateBadge state={state} suspended={suspended} />,
  },
  {
    key: 'since',
    title: t('Past due since'),
    width: '130px',
    wideOnly: true,
    cell: (r) => r.past_due_since && <Time at={r.past_due_since} as="date" />,
  },
  {
    key: 'balance',
    title: t('Owes'),
    width: '110px',
    align: 'end',
    cell: (r) => formatMoney(r.balance_cents),
  },
];
