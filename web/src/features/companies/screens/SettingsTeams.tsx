import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { companies, teams, type Answer } from '#contract';
import {
  api,
  confirm,
  DataList,
  EmptyState,
  lazyComponent,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  type Column,
} from '#ui';
import { RowMenu } from '../../../shared/RowMenu.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import type { Team } from '../teams/TeamDrawer.tsx';

const TeamDrawer = lazyComponent(async () => (await import('../teams/TeamDrawer.tsx')).TeamDrawer);
const TeamInUse = lazyComponent(async () => (await import('../teams/TeamInUse.tsx')).TeamInUse);
const NewTeam = lazyComponent(async () => (await import('../teams/NewTeam.tsx')).NewTeam);

/** The company's teams and who is in them. */
export default function SettingsTeams() {
  const { response, error, loading, refetch } = useApiQuery(
    teams.listTeams,
    { params: { companyId: ':companyId' } },
    { silent: true },
  );
  const { filters, set } = useFilters({ open: '' }, ['open']);
  const [isCreating, setCreating] = useState(false);
  const mayEdit = usePermission('users.edit');
  const { remove, inUse, dismiss } = useDeleteTeam();
  const opened = response?.data.find(({ id }) => String(id) === filters.open);
  const add = mayEdit && <Button onClick={() => setCreating(true)}>{t('New team')}</Button>;
  return (
    <SettingsFrame
      title={t('Teams')}
      layout="fill"
      description={t('People who answer together.')}
      action={add}
    >
      <DataList
        label={t('Teams')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        columns={columns(mayEdit ? (team) => void remove(team) : null)}
        onOpen={({ id }) => set({ open: String(id) })}
        empty={
          <EmptyState
            icon={<IconUsersGroup size={28} stroke={1.5} />}
            title={t('No teams yet')}
            action={add}
          >
            {t('Make one for the front desk, billing or sales.')}
          </EmptyState>
        }
      />
      {opened && <TeamDrawer team={opened} mayEdit={mayEdit} close={() => set({ open: '' })} />}
      {inUse && <TeamInUse name={inUse.name} numbers={inUse.numbers} close={dismiss} />}
      {isCreating && <NewTeam close={() => setCreating(false)} />}
    </SettingsFrame>
  );
}

const columns = (remove: ((team: Team) => void) | null): Column<Team>[] => [
  { key: 'name', title: t('Name'), width: 'minmax(140px, 1fr)', cell: ({ name }) => name },
  {
    key: 'people',
    title: t('People'),
    width: 'minmax(160px, 2.4fr)',
    cell: ({ members }) => members.map(({ name }) => name).join(', '),
  },
  ...(remove
    ? [
        {
          key: 'do',
          title: '',
          width: '40px',
          align: 'end' as const,
          cell: (team: Team) => (
            <RowMenu name={team.name}>
              <Menu.Item color="red" onClick={() => remove(team)}>
                {t('Delete')}
              </Menu.Item>
            </RowMenu>
          ),
        },
      ]
    : []),
];

/** Asks, then deletes a team. Its people stay. `inUse`: one that numbers ring, which is said instead. */
function useDeleteTeam() {
  const companyId = useCompanyId() ?? 0;
  const [inUse, setInUse] = useState<Answer<typeof teams.getTeam>['data'] | null>(null);
  const { mutate } = useApiMutation(teams.deleteTeam, {
    success: t('Team deleted'),
    invalidates: [teams.listTeams, companies.listCompanyUsers, companies.getCompanyUser],
  });
  const remove = async ({ id, name, members }: Team): Promise<void> => {
    const params = { companyId, teamId: id };
    const used = await api(teams.getTeam, { params }).catch(() => null);
    if (used && used.data.numbers.length > 0) {
      setInUse(used.data);
      return;
    }
    const isSure = await confirm({
      title: t('Delete “{name}”?', { name }),
      body:
        members.length === 0
          ? t('No one is in it.')
          : t('{n, plural, one {Its # person stays} other {Its # people stay}} in the company.', {
              n: members.length,
            }),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (isSure) await mutate({ params });
  };
  return { remove, inUse, dismiss: () => setInUse(null) };
}
