import { Button, Group } from '@mantine/core';
import { organizations, type Answer } from '#contract';
import {
  confirm,
  DataList,
  EmptyState,
  t,
  useApiMutation,
  useApiQuery,
  useFilters,
  usePageSize,
  useUser,
} from '#ui';
import { AccountStatus } from '../organization/AccountStatus.tsx';
import { OrganizationPage, type Organization } from '../organization/OrganizationPage.tsx';

type Account = Answer<typeof organizations.listOrganizationCompanies>['data'][number];
type Effects = Answer<typeof organizations.updateAccountStatus>['data']['effects'];

/** The organization's companies: added, taken out, parked, deactivated and reactivated. */
export default function OrganizationAccounts() {
  return (
    <OrganizationPage
      title={t('Accounts')}
      layout="fill"
      description={t('Companies of this organization, and whether they can send and sign in.')}
    >
      {(organization) => <Accounts organization={organization} />}
    </OrganizationPage>
  );
}

function Accounts({ organization }: { organization: Organization }) {
  const { filters, set } = useFilters({ page: 1 });
  const { perPage, onPerPage } = usePageSize('organization', 25, () => set({ page: 1 }));
  const params = { id: organization.id };
  const { response, error, loading, refetch } = useApiQuery(
    organizations.listOrganizationCompanies,
    { params, query: { page: filters.page, perPage } },
  );
  return (
    <>
      <AddCompany organization={organization} />
      <DataList
        label={t('Accounts')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(c) => c.id}
        rowLabel={(c) => c.name}
        columns={[
          { key: 'name', title: t('Company'), cell: (c) => c.name },
          { key: 'status', title: t('Status'), cell: (c) => <AccountStatus status={c.status} /> },
          {
            key: 'actions',
            title: t('Actions'),
            cell: (c) => <AccountActions organization={organization} account={c} />,
          },
        ]}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          <EmptyState title={t('No companies yet')}>
            {t('Companies you add to the organization appear here.')}
          </EmptyState>
        }
      />
    </>
  );
}

/** The companies that the person owns or administers and that are in no organization. */
function AddCompany({ organization }: { organization: Organization }) {
  const user = useUser();
  const { mutate } = useApiMutation(organizations.attachOrganizationCompany, {
    success: t('Organization updated'),
  });
  const free = (user?.companies ?? []).filter(
    (c) => c.organization_id === null && (c.role === 'owner' || c.role === 'administrator'),
  );
  if (!free.length) return null;
  return (
    <Group gap="xs">
      {free.slice(0, 10).map((c) => (
        <Button
          key={c.id}
          variant="default"
          size="xs"
          onClick={() =>
            void mutate({ params: { id: organization.id }, body: { companyId: c.id } })
          }
        >
          {t('Add {company}', { company: c.name })}
        </Button>
      ))}
    </Group>
  );
}

const verbs = {
  0: () => t('Reactivate'),
  1: () => t('Park'),
  2: () => t('Deactivate'),
} as const;

function AccountActions({
  organization,
  account,
}: {
  organization: Organization;
  account: Account;
}) {
  const status = useApiMutation(organizations.updateAccountStatus);
  const apply = useApiMutation(organizations.updateAccountStatus, {
    success: t('Organization updated'),
  });
  const detach = useApiMutation(organizations.detachOrganizationCompany, {
    success: t('Organization updated'),
  });
  const change = async (to: 0 | 1 | 2): Promise<void> => {
    const input = { companyId: account.id, status: to };
    const params = { id: organization.id };
    const shown = await status.mutate({ params, body: { ...input, dry_run: true } });
    if (!shown) return;
    const isSure = await confirm({
      title: t('{verb} {company}?', { verb: verbs[to](), company: account.name }),
      body: effectsText(to, shown.data.effects),
      confirmLabel: verbs[to](),
      danger: to !== 0,
    });
    if (isSure) await apply.mutate({ params, body: input });
  };
  const takeOut = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Take {company} out?', { company: account.name }),
      body: t('Organization administrators lose access. Roles in the company itself stay.'),
      confirmLabel: t('Take out'),
      danger: true,
    });
    if (isSure) await detach.mutate({ params: { id: organization.id, companyId: account.id } });
  };
  const targets = ([0, 1, 2] as const).filter((to) => to !== account.status);
  return (
    <Group gap={4} wrap="nowrap">
      {targets.map((to) => (
        <Button key={to} variant="subtle" size="compact-sm" onClick={() => void change(to)}>
          {verbs[to]()}
        </Button>
      ))}
      {account.status === 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => void takeOut()}>
          {t('Take out')}
        </Button>
      )}
    </Group>
  );
}

/** What a change of status does, in sentences. */
function effectsText(to: 0 | 1 | 2, effects: Effects): string {
  const facts = {
    numbers: effects.numbers,
    users: effects.users,
    campaigns: effects.campaigns.length,
    ports: effects.ports,
    texts: effects.scheduled_texts,
  };
  if (to === 0)
    return t(
      'Calls and texts work again, and {users, plural, one {# person gets} other {# people get}} access back. Paused campaigns wait until they are resumed.',
      facts,
    );
  if (to === 1)
    return t(
      'No texts, faxes or calls are sent. Callers of {numbers, plural, one {# number} other {# numbers}} hear a message or reach voicemail, and incoming texts are still received. Campaigns that pause: {campaigns}. Scheduled texts that fail: {texts}. Ports that continue: {ports}. Billing continues.',
      facts,
    );
  return t(
    '{users, plural, one {# person loses} other {# people lose}} access at once. Only organization administrators get in. Callers of {numbers, plural, one {# number} other {# numbers}} hear that it isn’t in service. Campaigns that pause: {campaigns}. Scheduled texts that fail: {texts}. Ports that continue: {ports}. Billing continues.',
    facts,
  );
}
