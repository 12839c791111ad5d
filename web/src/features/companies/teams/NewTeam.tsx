import { Button, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { teams } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { usePeople } from './use-people.ts';

/** Asks for a new team's name and people. */
export function NewTeam({ close }: { close: () => void }) {
  const people = usePeople();
  const form = useForm({ initialValues: { name: '', user_ids: [] as string[] } });
  const { mutate, isPending } = useApiMutation(teams.createTeam, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Team created'),
    invalidates: [teams.listTeams],
    onSuccess: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      title={t('New team')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        noValidate
        onSubmit={form.onSubmit(({ name, user_ids }) => {
          void mutate({
            params: { companyId: ':companyId' },
            body: { name, user_ids: user_ids.map(Number) },
          });
        })}
      >
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            placeholder={t('Front desk')}
            required
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <MultiSelect
            label={t('People')}
            placeholder={form.values.user_ids.length ? '' : t('Choose people')}
            searchable
            hidePickedOptions
            data={people}
            {...form.getInputProps('user_ids')}
          />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {t('Create team')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
