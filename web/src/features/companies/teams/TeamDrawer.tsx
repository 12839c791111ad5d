import { useState } from 'react';
import { ActionIcon, Button, Group, MultiSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { teams, type Answer } from '#contract';
import {
  bindFieldErrors,
  Drawer,
  PersonAvatar,
  Section,
  t,
  useApiMutation,
  useApiQuery,
} from '#ui';
import css from '../data-groups/data-groups.module.css';
import { RingingNumbers } from './TeamInUse.tsx';
import { useChangeMembers } from './use-change-members.ts';
import { usePeople } from './use-people.ts';

export type Team = Answer<typeof teams.listTeams>['data'][number];

/** A team: its name and people, and who can be added. `mayEdit` false: to read only. */
export function TeamDrawer({
  team,
  mayEdit,
  close,
}: {
  team: Team;
  mayEdit: boolean;
  close: () => void;
}) {
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="30rem"
      title={team.name}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="lg">
        {mayEdit && <TeamName key={team.name} team={team} />}
        <Section title={t('People')}>
          <Members team={team} mayEdit={mayEdit} />
          {mayEdit && <AddMembers team={team} />}
        </Section>
        <RungBy teamId={team.id} />
      </Stack>
    </Drawer>
  );
}

/** The numbers that ring the team; nothing when none does. */
function RungBy({ teamId }: { teamId: number }) {
  const { response } = useApiQuery(
    teams.getTeam,
    { params: { companyId: ':companyId', teamId } },
    { silent: true },
  );
  const numbers = response?.data.numbers ?? [];
  if (numbers.length === 0) return null;
  return (
    <Section title={t('Numbers that ring this team')}>
      <RingingNumbers numbers={numbers} />
    </Section>
  );
}

function TeamName({ team }: { team: Team }) {
  const form = useForm({ initialValues: { name: team.name } });
  const { mutate, isPending } = useApiMutation(teams.renameTeam, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Team renamed'),
    invalidates: [teams.listTeams],
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body) => {
        void mutate({ params: { companyId: ':companyId', teamId: team.id }, body });
      })}
    >
      <Group gap="xs" align="end" wrap="nowrap">
        <TextInput
          label={t('Name')}
          required
          maxLength={60}
          flex={1}
          {...form.getInputProps('name')}
        />
        <Button type="submit" variant="default" loading={isPending} disabled={!form.isDirty()}>
          {t('Rename')}
        </Button>
      </Group>
    </form>
  );
}

function Members({ team, mayEdit }: { team: Team; mayEdit: boolean }) {
  const { change } = useChangeMembers(team);
  if (team.members.length === 0) return <Text c="dimmed">{t('No one is in this team yet.')}</Text>;
  return (
    <ul className={css.items}>
      {team.members.map(({ id, name }) => (
        <li key={id} className={css.item}>
          <Group gap="xs" wrap="nowrap">
            <PersonAvatar name={name} size={24} />
            <span>{name}</span>
          </Group>
          {mayEdit && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('Remove {name}', { name })}
              onClick={() => void change({ remove_user_ids: [id] })}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  );
}

function AddMembers({ team }: { team: Team }) {
  const people = usePeople();
  const [chosen, setChosen] = useState<string[]>([]);
  const { change, isPending } = useChangeMembers(team);
  const add = async (): Promise<void> => {
    if (await change({ add_user_ids: chosen.map(Number) })) setChosen([]);
  };
  return (
    <Group gap="xs" mt="sm" align="end" wrap="nowrap">
      <MultiSelect
        label={t('Add people')}
        placeholder={chosen.length ? '' : t('Choose people')}
        nothingFoundMessage={t('No one else to add')}
        searchable
        hidePickedOptions
        flex={1}
        data={people.filter(({ value }) => !team.members.some((m) => String(m.id) === value))}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        variant="default"
        disabled={chosen.length === 0}
        loading={isPending}
        onClick={() => void add()}
      >
        {t('Add')}
      </Button>
    </Group>
  );
}
