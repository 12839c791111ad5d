import { IconReceipt } from '@tabler/icons-react';
import { billingAccounts as contract, type Answer } from '#contract';
import { plans, subscriptionStates } from '#contract/billing/rules';
import { DataList, formatMoney, Page, t, Time, type Column } from '#ui';
import { priceOf, stateLooks } from '#ui/billing/labels.ts';
import { FilterSelect } from '#ui/list/FilterSelect.tsx';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { useListScreen } from '#ui/list/list-screen.ts';
import { BillingTax } from './BillingTax.tsx';
import { AccountDetails, StateBadge } from './BillingAccount.tsx';

type Row = Answer<typeof contract.listBillingAccounts>['data'][number];
const defaultFilters = { search: '', state: '', company: 0, page: 1 };
/** The accounts of all companies, and what an operator does with one of them. */
export default function BillingAccounts() {
  const accounts = useListScreen(contract.listBillingAccounts, {
    key: 'admin-billing',
    perPage: 25,
    filters: defaultFilters,
    opens: ['company'],
    input: ({ page, search, state }, perPage) => ({
      query: {
        ...{ page, perPage, search: search || null },
        state: subscriptionStates.find((one) => one === state),
      },
    }),
    silent: true,
  });
  const { filters, set } = accounts;
  if (filters.company > 0)
    return <AccountDetails companyId={filters.company} close={() => set({ company: 0 })} />;
  return (
    <Page
      title={t('Billing')}
      action={<BillingTax />}
      filters={
        <ListFilters list={accounts} label={t('Search companies')}>
          <FilterSelect
            label={t('State')}
            any={t('Any state')}
            value={filters.state}
            options={subscriptionStates.map((one) => [one, stateLooks(one, false).label])}
            onChange={(state) => set({ state })}
          />
        </ListFilters>
      }
    >
      <DataList
        label={t('Accounts')}
        {...accounts.list}
        rowKey={({ company }) => company.id}
        rowLabel={({ company }) => company.name}
        columns={columns}
        onOpen={({ company }) => set({ company: company.id })}
        empty={
          <ListEmpty
            list={accounts}
            icon={IconReceipt}
            noMatch={t('No accounts match')}
            title={t('No accounts')}
          >
            {t('Companies and what they owe appear here.')}
          </ListEmpty>
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
