import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { companies, routing, triggers } from '#contract';
import { bindFieldErrors, Modal, NumberInput, t, useApiMutation, useApiQuery } from '#ui';
import { useSorting } from '../../contacts/index.ts';
import { matchModeNames, type Trigger } from './trigger-labels.ts';

/** An ISO time as `datetime-local` inputs show it; empty for null. */
const toLocalTime = (at: string | null): string => {
  if (at === null) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const fromLocalTime = (local: string): string | null =>
  local ? new Date(local).toISOString() : null;

interface TriggerValues {
  keyword: string;
  match_mode: Trigger['match_mode'];
  reply_text: string;
  set_optin: boolean;
  marketing: boolean;
  cooldown_minutes: number | string;
  group_ids: string[];
  label_ids: string[];
  notify_user_ids: string[];
  notify_email: string[];
  start_at: string;
  end_at: string;
}
type TriggerFormState = UseFormReturnType<TriggerValues>;
const toValues = (one: Trigger | null): TriggerValues => ({
  keyword: one?.keyword ?? '',
  match_mode: one?.match_mode ?? 'exact',
  reply_text: one?.reply_text ?? '',
  set_optin: one?.set_optin ?? false,
  marketing: one?.marketing ?? false,
  cooldown_minutes: one?.cooldown_minutes ?? 60,
  group_ids: one?.group_ids.map(String) ?? [],
  label_ids: one?.label_ids.map(String) ?? [],
  notify_user_ids: one?.notify_user_ids.map(String) ?? [],
  notify_email: one?.notify_email ?? [],
  start_at: toLocalTime(one?.start_at ?? null),
  end_at: toLocalTime(one?.end_at ?? null),
});

/** The keyword as the API accepts it. Without `trigger` it is created and active. */
const toRequest = (values: TriggerValues, trigger: Trigger | null) => ({
  ...(trigger ? { id: trigger.id } : { active: true }),
  keyword: values.keyword.trim(),
  match_mode: values.match_mode,
  reply_text: values.reply_text.trim() || null,
  set_optin: values.set_optin,
  marketing: values.marketing,
  cooldown_minutes: Number(values.cooldown_minutes),
  group_ids: values.group_ids.map(Number),
  label_ids: values.label_ids.map(Number),
  notify_user_ids: values.notify_user_ids.map(Number),
  notify_email: values.notify_email,
  start_at: fromLocalTime(values.start_at),
  end_at: fromLocalTime(values.end_at),
});

function keywordError(keyword: string): string | null {
  if (!/^[\p{L}\p{N}]{1,30}$/u.test(keyword.trim())) return t('Use letters and digits, no spaces.');
  if (triggers.isReserved(keyword)) return t('This word is reserved by carriers. Choose another.');
  return null;
}

interface TriggerFormProps {
  numberId: number;
  /** The keyword to change; null creates one. */
  trigger: Trigger | null;
  close: () => void;
}

/** Adds or changes a keyword of a number: its reply, what it does to the contact, and who is notified. */
export function TriggerForm({ numberId, trigger, close }: TriggerFormProps) {
  const form = useForm<TriggerValues>({
    initialValues: toValues(trigger),
    validate: { keyword: keywordError },
  });
  // The API names a field by its index in the request, such as `upsert.0.keyword`.
  const names = Object.fromEntries(
    Object.keys(form.values).flatMap((field) => [
      [`upsert.0.${field}`, field],
      [`upsert.0.${field}.0`, field],
    ]),
  );
  const { mutate, isPending } = useApiMutation(triggers.updateTriggers, {
    onFieldErrors: bindFieldErrors(form, names),
    invalidates: [routing.getNumber],
    success: trigger ? t('Keyword updated') : t('Keyword added'),
    onSuccess: close,
  });
  const send = (values: TriggerValues): void =>
    void mutate({
      params: { id: numberId },
      body: { remove: [], upsert: [toRequest(values, trigger)] },
    });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={trigger ? trigger.keyword : t('Add keyword')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack gap="sm">
          <ReplyFields form={form} />
          <ContactFields form={form} />
          <NotificationFields form={form} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button
              type="submit"
              loading={isPending}
              disabled={trigger !== null && !form.isDirty()}
            >
              {trigger ? t('Save') : t('Add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The keyword, how it is matched, and the reply. */
function ReplyFields({ form }: { form: TriggerFormState }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label={t('Keyword')}
          placeholder="JOIN"
          maxLength={30}
          data-autofocus
          {...form.getInputProps('keyword')}
        />
        <Select
          label={t('Match')}
          allowDeselect={false}
          data={triggers.matchModes.map((mode) => ({
            value: mode,
            label: t(matchModeNames[mode]),
          }))}
          {...form.getInputProps('match_mode')}
        />
      </SimpleGrid>
      <Textarea
        label={t('Answer')}
        description={t('Leave empty to send nothing and only notify people.')}
        autosize
        minRows={3}
        maxLength={1600}
        {...form.getInputProps('reply_text')}
      />
      <NumberInput
        label={t('Reply to the same phone again after')}
        suffix={t(' minutes')}
        min={0}
        max={43_200}
        maw={260}
        {...form.getInputProps('cooldown_minutes')}
      />
    </>
  );
}

/** What a matching text changes on its sender's contact. */
function ContactFields({ form }: { form: TriggerFormState }) {
  const sorting = useSorting();
  return (
    <>
      <Checkbox
        label={t('Save the text as proof of opt-in')}
        {...form.getInputProps('set_optin', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('This is marketing')}
        description={t('Between 9 PM and 8 AM their time, the reply waits until morning.')}
        {...form.getInputProps('marketing', { type: 'checkbox' })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <MultiSelect
          label={t('Add them to groups')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('No groups') }}
          data={sorting.plainOptions}
          {...form.getInputProps('group_ids')}
        />
        <MultiSelect
          label={t('Label them')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('No labels') }}
          data={sorting.labelOptions}
          {...form.getInputProps('label_ids')}
        />
      </SimpleGrid>
    </>
  );
}

/** Who is notified of a match, and from when until when the keyword is active. */
function NotificationFields({ form }: { form: TriggerFormState }) {
  const people = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true, staleTime: 60_000 },
  );
  return (
    <>
      <MultiSelect
        label={t('Notify these people')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Clear') }}
        data={(people.response?.data ?? []).map((p) => ({
          value: String(p.id),
          label: `${p.first_name} ${p.last_name}`.trim() || p.email,
        }))}
        {...form.getInputProps('notify_user_ids')}
      />
      <TagsInput
        label={t('Send an email to')}
        placeholder={form.values.notify_email.length ? '' : 'desk@example.com'}
        maxTags={20}
        {...form.getInputProps('notify_email')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          type="datetime-local"
          label={t('From')}
          description={t('Leave empty to start right away')}
          {...form.getInputProps('start_at')}
        />
        <TextInput
          type="datetime-local"
          label={t('Until')}
          description={t('Leave empty to never end')}
          {...form.getInputProps('end_at')}
        />
      </SimpleGrid>
    </>
  );
}
