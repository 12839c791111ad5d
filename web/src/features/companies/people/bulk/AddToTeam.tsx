import { useState } from 'react';
import { Anchor, Button, Select, Stack, Text } from '@mantine/core';
import { teams } from '#contract';
import { Modal, t, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { useChangeMembers } from '../../teams/use-change-members.ts';

/** Adds the selected people to one of the company's teams. */
export function AddToTeam({
  userIds,
  close,
  onDone,
}: {
  userIds: readonly number[];
  close: () => void;
  onDone: () => void;
}) {
  const { response } = useApiQuery(teams.listTeams, { params: { companyId: ':companyId' } });
  const [chosen, setChosen] = useState<string | null>(null);
  const team = response?.data.find(({ id }) => String(id) === chosen);
  const { change, isPending } = useChangeMembers(team ?? { id: 0, name: '' });
  const add = async (): Promise<void> => {
    if (await change({ add_user_ids: [...userIds] })) onDone();
  };
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      title={t('Add {n, plural, one {# person} other {# people}} to a team', {
        n: userIds.length,
      })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {response?.data.length === 0 ? (
          <Text fz="sm">
            {t('There are no teams yet.')}{' '}
            <Anchor href="/settings/teams" inherit>
              {t('Create a team')}
            </Anchor>
          </Text>
        ) : (
          <Select
            label={t('Team')}
            placeholder={t('Choose a team')}
            data={response?.data.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            value={chosen}
            onChange={setChosen}
            searchable
            data-autofocus
          />
        )}
        <DialogFooter onCancel={close}>
          <Button disabled={!team} loading={isPending} onClick={() => void add()}>
            {t('Add to team')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
