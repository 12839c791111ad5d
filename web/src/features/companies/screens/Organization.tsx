import { Button } from '@mantine/core';
import { organizations, type Answer } from '#contract';
import { DataList, formatNumber, navigate, selectCompany, t, type Column } from '#ui';
import { ListFilters } from '#ui/list/ListParts.tsx';
import type { SortDirection } from '#contract/sort-direction';
import { useListScreen } from '#ui/list/list-screen.ts';
import { cache } from '../../../shared/query-client.ts';
import { AccountMenu } from '../organization/AccountMenu.tsx';
import { AccountStatus } from '../organization/AccountStatus.tsx';
import { AddCompany } from '../organization/AddCompany.tsx';
import {
  NothingFound,
  OrganizationPage,
  type Organization,
} from '../organization/OrganizationPage.tsx';

type Company = Answer<typeof organizations.listOrganizationCompanies>['data'][number];
const start = { search: '', page: 1, sort: 'name', dir: 'asc' as SortDirection };

/** The organization's companies: their figures, and what can be done with them. */
export default function OrganizationHome() {
  return (
    <OrganizationPage
      title={t('Companies')}
      layout="fill"
      description={t('Open, pause or deactivate a company.')}
      action={(organization) => (
        <>
          <Button
            component="a"
            variant="default"
            href={`/analytics/dashboard?organization=${organization.id}`}
          >
            {t('View dashboard')}
          </Button>
          <AddCompany organization={organization} />
        </>
      )}
    >
      {(organization) => <Companies organization={organization} />}
    </OrganizationPage>
  );
}

function Companies({ organization }: { organization: Organization }) {
  const companies = useListScreen(organizations.listOrganizationCompanies, {
    key: 'organization',
    perPage: 25,
    filters: start,
    input: ({ page, sort, dir, search }, perPage) => ({
      params: { id: organization.id },
      query: { page, perPage, sort: sort as 'name', dir, search: search || null },
    }),
  });
  const open = (id: number): void => {
    selectCompany(id);
    void cache.invalidateQueries();
    navigate('/');
  };
  return (
    <>
      <ListFilters list={companies} label={t('Find a company')} />
      <DataList
        label={t('Companies')}
        {...companies.list}
        rowKey={(c) => c.id}
        rowLabel={(c) => c.name}
        onOpen={(c) => open(c.id)}
        columns={columnsOf(organization)}
        empty={<NothingFound />}
      />
    </>
  );
}

const figures = [
  { key: 'numbers', title: () => t('Numbers') },
  { key: 'users', title: () => t('Users') },
  { key: 'calls', title: () => t('Calls, 30 days') },
  { key: 'texts', title: () => t('Texts, 30 days') },
  { key: 'unread', title: () => t('Unread') },
] as const;

const columnsOf = (organization: Organization): Column<Company>[] => [
  { key: 'name', title: t('Company'), cell: (c) => c.name, sortable: true },
  {
    key: 'status',
    title: t('Status'),
    width: '112px',
    cell: (c) => <AccountStatus status={c.status} />,
  },
  ...figures.map(({ key, title }) => ({
    key,
    title: title(),
    cell: (c: Record<typeof key, number>) => formatNumber(c[key]),
    sortable: true,
    wideOnly: true,
    align: 'end' as const,
  })),
  {
    key: 'do',
    title: '',
    width: '40px',
    align: 'end',
    cell: (c) => <AccountMenu organization={organization} account={c} />,
  },
];
