import { Alert, Button, MultiSelect, Select, Stack, Textarea } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { oauthIntegrations, slack as contract } from '#contract';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import {
  bindFieldErrors,
  Modal,
  NumberInput,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useUnsavedGuard,
} from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { eventLabel } from '../labels.ts';
import { channelOf, eventsOf, withChannel, type Channel, type Workspace } from './config.ts';

interface Props {
  workspace: Workspace;
  /** Undefined: a channel is added. */
  channelId?: string;
  close: () => void;
}

/** Adds a channel, which gets a test message, or changes what is posted there. */
export function ChannelDialog(props: Props) {
  const { channelId, workspace, close } = props;
  const name = channelId && channelOf(workspace, channelId)?.name;
  return (
    <Modal
      opened
      onClose={close}
      title={name ? t('Edit #{name}', { name }) : t('Add a channel')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Form {...props} />
    </Modal>
  );
}

interface Values {
  channelId: string | null;
  events: string[];
  minDuration: number | string;
  template: string;
}

function valuesOf({ workspace, channelId }: Props): Values {
  const channel = channelId ? channelOf(workspace, channelId) : undefined;
  return {
    channelId: channelId ?? null,
    events: channel ? eventsOf(channel) : ['call.missed', 'voicemail', 'message.received'],
    minDuration: channel?.rules?.[0]?.min_duration ?? 0,
    template: channel?.template ?? '',
  };
}

function useSave(props: Props, names: ReadonlyMap<string, string>) {
  const { workspace, channelId, close } = props;
  const companyId = useCompanyId() ?? 0;
  const form = useForm<Values>({
    initialValues: valuesOf(props),
    validate: { channelId: (value) => (value ? null : t('Choose a channel.')) },
  });
  useUnsavedGuard(form.isDirty());
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
      rules: values.events.map((event) => ({
        ...before?.rules?.find((rule) => rule.event === event),
        event: event as DeliveryEvent,
        min_duration: Number(values.minDuration) || 0,
      })),
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

function Form(props: Props) {
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
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        {!channelId && (
          <Select
            label={t('Channel')}
            required
            searchable
            data={channels.map(({ id, name, is_private: isPrivate }) => ({
              value: id,
              label: isPrivate ? t('#{name} (private)', { name }) : `#${name}`,
            }))}
            nothingFoundMessage={t('No channel found')}
            {...form.getInputProps('channelId')}
          />
        )}
        <WhatIsPosted form={form} />
        {!channelId && <Alert color="blue">{t('A test message is posted when you save.')}</Alert>}
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

const WhatIsPosted = ({ form }: { form: UseFormReturnType<Values> }) => (
  <>
    <MultiSelect
      label={t('Post when')}
      data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
      {...form.getInputProps('events')}
    />
    <NumberInput
      label={t('Shortest call')}
      suffix={t(' seconds')}
      min={0}
      max={86_400}
      allowDecimal={false}
      {...form.getInputProps('minDuration')}
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
