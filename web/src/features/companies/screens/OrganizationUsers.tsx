import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { organizations, roleList, type Answer } from '#contract';
import { confirm, DataList, StatusBadge, t, useApiMutation } from '#ui';
import { useListScreen } from '#ui/list/list-screen.ts';
import { ListEmpty, ListFilters } from '#ui/list/ListParts.tsx';
import { OrganizationPage, type Organization } from '../organization/OrganizationPage.tsx';

type Person = Answer<typeof organizations.listOrganizationUsers>['data'][number];
const nameOf = (p: Person): string => `${p.first_name} ${p.last_name}`.trim() || p.email;
const roleLabel = (role: string): string => t(roleList.find((r) => r.id === role)?.label ?? role);
const rolesOf = (p: Person): string =>
  p.accounts.map((a) => `${a.name}: ${roleLabel(a.role)}`).join(' · ');

/** The people of the organization's companies, and its administrators. */
export default function OrganizationUsers() {
  return (
    <OrganizationPage title={t('Organization users')} layout="fill">
      {(organization) => <People organization={organization} />}
    </OrganizationPage>
  );
}

function People({ organization }: { organization: Organization }) {
  const people = useListScreen(organizations.listOrganizationUsers, {
    key: 'organization-users',
    perPage: 25,
    filters: { search: '', page: 1 },
    input: ({ page, search }, perPage) => ({
      params: { id: organization.id },
      query: { page, perPage, search: search || null },
    }),
  });
  return (
    <>
      <ListFilters list={people} label={t('Find a person')} />
      <DataList
        label={t('Users')}
        {...people.list}
        rowKey={(p) => p.id}
        rowLabel={nameOf}
        columns={[
          { key: 'name', title: t('Name'), cell: nameOf },
          { key: 'email', title: t('Email'), wideOnly: true, cell: (p) => p.email },
          { key: 'accounts', title: t('Companies'), wideOnly: true, cell: rolesOf },
          {
            key: 'admin',
            title: t('Organization'),
            cell: (p) => <Administration organization={organization} person={p} />,
          },
        ]}
        empty={
          <ListEmpty
            list={people}
            icon={IconUsers}
            noMatch={t('No people found')}
            title={t('No people yet')}
          >
            {t('People in the organization’s companies appear here.')}
          </ListEmpty>
        }
      />
    </>
  );
}

function Administration({ organization, person }: { organization: Organization; person: Person }) {
  const add = useApiMutation(organizations.addOrganizationAdmin, {
    success: t('Organization updated'),
  });
  const remove = useApiMutation(organizations.removeOrganizationAdmin, {
    success: t('Organization updated'),
    failure: { title: t('Failed to remove Organization Admin') },
  });
  if (person.is_owner) return <StatusBadge tone="info">{t('Owner')}</StatusBadge>;
  const name = nameOf(person);
  const askToAdd = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Make {name} an administrator?', { name }),
      body: t('They can open and change every company of {organization}: {companies}', {
        organization: organization.name,
        companies: organization.accounts.map((account) => account.name).join(', ') || t('none yet'),
      }),
      confirmLabel: t('Make administrator'),
    });
    if (isSure) await add.mutate({ params: { id: organization.id }, body: { userId: person.id } });
  };
  if (!person.is_admin)
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => void askToAdd()}>
        {t('Make administrator')}
      </Button>
    );
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Remove {name} as an administrator?', { name }),
      body: person.accounts.length
        ? t('They leave the organization’s companies, except where they have a role: {roles}', {
            roles: rolesOf(person),
          })
        : t('They leave all of the organization’s companies.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (isSure) await remove.mutate({ params: { id: organization.id, userId: person.id } });
  };
  return (
    <Button variant="subtle" size="compact-sm" color="red" onClick={() => void ask()}>
      {t('Remove administrator')}
    </Button>
  );
}
