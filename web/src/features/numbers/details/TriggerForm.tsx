import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { routing, triggers } from '#contract';
import { numberBounds } from '#contract/numbers/rules';
import { bindFieldErrors, Modal, NumberInput, t, useApiMutation } from '#ui';
import { useSorting } from '../../contacts/index.ts';
import { matchModeNames, type Trigger } from './trigger-labels.ts';
import { TriggerNotifications } from './TriggerNotifications.tsx';
import {
  toRequest,
  toValues,
  type TriggerFormState,
  type TriggerValues,
} from './trigger-values.ts';

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
          <TriggerNotifications form={form} />
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
        min={numberBounds.cooldown_minutes[0]}
        max={numberBounds.cooldown_minutes[1]}
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
