import { Alert, Checkbox, Select, Textarea } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { oauthIntegrations, slack as contract } from '#contract';
import { bindFieldErrors, t, useApiMutation, useApiQuery, useCompanyId } from '#ui';
import { EditDialog } from '../EditDialog.tsx';
import { NarrowFields, rulesOf, WhenFields, whenOf, type When } from '../WhenFields.tsx';
import { channelOf, withChannel, type Channel, type Workspace } from './config.ts';

interface Props {
  workspace: Workspace;
  /** Undefined: a channel is added. */
  channelId?: string;
  close: () => void;
}

interface Values extends When {
  channelId: string | null;
  template: string;
  alerts: boolean;
}

function valuesOf({ workspace, channelId }: Props): Values {
  const channel = channelId ? channelOf(workspace, channelId) : undefined;
  return {
    channelId: channelId ?? null,
    ...whenOf(channel && (channel.rules ?? []), ['call.missed', 'voicemail', 'message.received']),
    template: channel?.template ?? '',
    alerts: channel?.alerts ?? false,
  };
}

function useSave(props: Props, names: ReadonlyMap<string, string>) {
  const { workspace, channelId, close } = props;
  const companyId = useCompanyId() ?? 0;
  const form = useForm<Values>({
    initialValues: valuesOf(props),
    validate: { channelId: (value) => (value ? null : t('Choose a channel.')) },
  });
  const invalidates = [oauthIntegrations.listOAuthIntegrations];
  const { mutate, isPending } = useApiMutation(contract.configureSlack, {
    invalidates,
    onFieldErrors: bindFieldErrors(form, fieldNames),
    success: channelId ? t('Channel saved') : t('Channel added, with a test message'),
  });
  const { mutate: activate } = useApiMutation(oauthIntegrations.activateOAuthIntegration, {
    invalidates,
  });
  const save = form.onSubmit(async (values) => {
    if (!values.channelId) return;
    const before = channelOf(workspace, values.channelId);
    const channel: Channel = {
      id: values.channelId,
      name: before?.name ?? names.get(values.channelId) ?? values.channelId,
      template: values.template.trim() || null,
      alerts: values.alerts,
      rules: rulesOf(values, before?.rules, {}),
    };
    const params = { companyId, id: workspace.id };
    if (!(await mutate({ params, body: { config: withChannel(workspace, channel) } }))) return;
    // Whoever adds the first channel wants it used.
    if (workspace.status === 'connected') await activate({ params, body: {} });
    form.resetDirty();
    close();
  });
  return { form, save, isPending };
}

/** Slack's refusal of a channel stands at the field it was chosen in. */
const fieldNames: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`config.channels.${at}.id`, 'channelId']),
);

/** Adds a channel, which gets a test message, or changes what is posted there. */
export function ChannelDialog(props: Props) {
  const { workspace, channelId, close } = props;
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    contract.listSlackChannels,
    { params: { companyId, id: workspace.id } },
    { enabled: !channelId },
  );
  const channels = response?.data ?? [];
  const { form, save, isPending } = useSave(
    props,
    new Map(channels.map(({ id, name }) => [id, name])),
  );
  const name = channelId && channelOf(workspace, channelId)?.name;
  return (
    <EditDialog
      title={name ? t('Edit #{name}', { name }) : t('Add a channel')}
      {...{ form, save, close }}
      isSaving={isPending}
    >
      {!channelId && (
        <Select
          label={t('Channel')}
          required
          searchable
          data={channels.map(({ id, name: channel, is_private: isPrivate }) => ({
            value: id,
            label: isPrivate ? t('#{name} (private)', { name: channel }) : `#${channel}`,
          }))}
          nothingFoundMessage={t('No channel found')}
          {...form.getInputProps('channelId')}
        />
      )}
      <WhatIsPosted form={form} />
      {!channelId && <Alert color="blue">{t('A test message is posted when you save.')}</Alert>}
    </EditDialog>
  );
}

const WhatIsPosted = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <WhenFields label={t('Post when')} field={form.getInputProps} />
    <NarrowFields values={form.values} field={form.getInputProps} />
    <Checkbox
      label={t('Post new alerts too')}
      description={t('Those under Alerts, at most once a day for each.')}
      {...form.getInputProps('alerts', { type: 'checkbox' })}
    />
    <Textarea
      label={t('Message')}
      description={t('Leave it empty for the standard message. You can use {names}.', {
        names: '{who} {number} {source} {duration} {outcome} {text} {link}',
      })}
      autosize
      minRows={2}
      maxRows={6}
      {...form.getInputProps('template')}
    />
  </>
);
