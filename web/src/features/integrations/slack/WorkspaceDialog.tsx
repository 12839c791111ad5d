import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { oauthIntegrations, slack as contract } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation, useCompanyId, useUnsavedGuard } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { configOf, type Workspace } from './config.ts';

interface Props {
  workspace: Workspace;
  close: () => void;
}

/** What holds for all channels of a workspace. */
export const WorkspaceDialog = ({ workspace, close }: Props) => (
  <Modal
    opened
    onClose={close}
    title={t('Settings of {name}', { name: workspace.account.name })}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    <Form workspace={workspace} close={close} />
  </Modal>
);

const valuesOf = (workspace: Workspace) => {
  const { mention, thread_by_conversation: isThreaded, quiet_hours: quiet } = configOf(workspace);
  return {
    mention: mention ?? ('none' as const),
    isThreaded: isThreaded ?? true,
    isQuiet: Boolean(quiet),
    from: quiet?.from ?? '20:00',
    to: quiet?.to ?? '07:00',
  };
};
type Values = ReturnType<typeof valuesOf>;

function Form({ workspace, close }: Props) {
  const companyId = useCompanyId() ?? 0;
  const config = configOf(workspace);
  const form = useForm({ initialValues: valuesOf(workspace) });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(contract.configureSlack, {
    invalidates: [oauthIntegrations.listOAuthIntegrations],
    onFieldErrors: bindFieldErrors(form, {
      'config.quiet_hours.from': 'from',
      'config.quiet_hours.to': 'to',
    }),
    success: t('Settings saved'),
  });
  const save = form.onSubmit(async ({ mention, isThreaded, isQuiet, from, to }) => {
    const saved = await mutate({
      params: { companyId, id: workspace.id },
      body: {
        config: {
          ...config,
          mention,
          thread_by_conversation: isThreaded,
          quiet_hours: isQuiet ? { from, to } : null,
        },
      },
    });
    if (!saved) return;
    form.resetDirty();
    close();
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Fields form={form} />
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

const Fields = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <Select
      label={t('Mention')}
      allowDeselect={false}
      data={[
        { value: 'none', label: t('No one') },
        { value: 'here', label: t('@here: people who are active') },
        { value: 'channel', label: t('@channel: everyone in the channel') },
      ]}
      {...form.getInputProps('mention')}
    />
    <Switch
      label={t('Keep the messages of one conversation in one thread')}
      {...form.getInputProps('isThreaded', { type: 'checkbox' })}
    />
    <Switch
      label={t('Quiet hours')}
      description={t('What happens then is posted when they end, in your company’s time zone.')}
      {...form.getInputProps('isQuiet', { type: 'checkbox' })}
    />
    {form.values.isQuiet && (
      <Group grow>
        <TextInput type="time" label={t('From')} {...form.getInputProps('from')} />
        <TextInput type="time" label={t('To')} {...form.getInputProps('to')} />
      </Group>
    )}
  </>
);
