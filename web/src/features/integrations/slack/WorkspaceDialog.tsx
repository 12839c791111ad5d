import { Group, Select, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { oauthIntegrations, slack as contract } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { EditDialog } from '../EditDialog.tsx';
import { configOf, type Workspace } from './config.ts';

interface Props {
  workspace: Workspace;
  close: () => void;
}

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

/** What holds for all channels of a workspace. */
export function WorkspaceDialog({ workspace, close }: Props) {
  const companyId = useCompanyId() ?? 0;
  const config = configOf(workspace);
  const form = useForm({ initialValues: valuesOf(workspace) });
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
    <EditDialog
      title={t('Settings of {name}', { name: workspace.account.name })}
      {...{ form, save, close }}
      isSaving={isPending}
    >
      <Fields form={form} />
    </EditDialog>
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
