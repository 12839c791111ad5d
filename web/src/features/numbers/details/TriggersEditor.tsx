import { useState } from 'react';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconMessageBolt } from '@tabler/icons-react';
import { companies, routing, triggers, type Body } from '#contract';
import {
  bindFieldErrors,
  EmptyState,
  Modal,
  NumberInput,
  showUndoToast,
  StatusBadge,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';
import { useSorting } from '../../contacts/index.ts';
import type { EditableNumber } from './number-form.ts';
import css from './TriggersEditor.module.css';

type Trigger = triggers.NumberTrigger;
const modeName: Record<Trigger['match_mode'], string> = {
  exact: 'The whole text',
  first_word: 'The first word',
  contains: 'Anywhere in the text',
};

/** What a number answers by itself when somebody texts a keyword. */
export function TriggersEditor({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const [editing, setEditing] = useState<Trigger | 'new' | null>(null);
  const { mutate, isPending } = useApiMutation(triggers.updateTriggers, {
    invalidates: [routing.getNumber],
  });
  const save = (body: object) =>
    mutate({
      params: { id: number.id },
      body: { remove: [], upsert: [], ...body } as Body<typeof triggers.updateTriggers>,
    });
  const turn = (one: Trigger) => void save({ upsert: [{ id: one.id, active: !one.active }] });
  const remove = async (one: Trigger): Promise<void> => {
    if (!(await save({ remove: [one.id] }))) return;
    const { id: _, answered_count: __, created_at: ___, reply_media, ...refetch } = one;
    showUndoToast(
      t('{keyword} was removed', { keyword: one.keyword }),
      () =>
        void save({
          upsert: [{ ...refetch, reply_media: reply_media.map((file) => file.file_id) }],
        }),
    );
  };
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add keyword')}</Button>;
  const rules = number.triggers;
  return (
    <>
      {!number.sms_enabled && (
        <Alert color="orange" mb="md">
          {t('Texting is off for this number, so keywords aren’t answered.')}
        </Alert>
      )}
      {rules.length === 0 ? (
        <EmptyState
          icon={<IconMessageBolt size={28} stroke={1.5} />}
          title={t('No keywords yet')}
          action={add}
        >
          {t(
            'When someone texts a word such as JOIN, this number replies right away. STOP, START and HELP are always answered automatically.',
          )}
        </EmptyState>
      ) : (
        <>
          <ul className={css.rules} aria-label={t('Keywords')}>
            {rules.map((one) => (
              <li key={one.id} className={css.rule}>
                <div className={css.what}>
                  <span className={css.word}>{one.keyword}</span>
                  <StatusBadge tone={one.active ? 'success' : 'neutral'}>
                    {one.active ? t('On') : t('Off')}
                  </StatusBadge>
                  <small>
                    {t(modeName[one.match_mode])} ·{' '}
                    {t('{n, plural, one {replied # time} other {replied # times}}', {
                      n: one.answered_count,
                    })}
                  </small>
                  <p>{one.reply_text || t('No reply is sent.')}</p>
                </div>
                {mayEdit && (
                  <Group gap="xs" wrap="nowrap">
                    <Switch
                      checked={one.active}
                      disabled={isPending}
                      aria-label={t('Reply to {keyword}', { keyword: one.keyword })}
                      onChange={() => turn(one)}
                    />
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={t('Edit {keyword}', { keyword: one.keyword })}
                      onClick={() => setEditing(one)}
                    >
                      {t('Edit')}
                    </Button>
                    <Button
                      size="compact-sm"
                      variant="default"
                      color="red"
                      disabled={isPending}
                      aria-label={t('Remove {keyword}', { keyword: one.keyword })}
                      onClick={() => void remove(one)}
                    >
                      {t('Remove')}
                    </Button>
                  </Group>
                )}
              </li>
            ))}
          </ul>
          {add}
        </>
      )}
      {editing && (
        <TriggerForm
          numberId={number.id}
          trigger={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
        />
      )}
    </>
  );
}

const localOf = (at: string | null): string => {
  if (at === null) return '';
  const d = new Date(at);
  return new Date(d.getTime() - d.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};
const valuesOf = (one: Trigger | null) => ({
  keyword: one?.keyword ?? '',
  match_mode: (one?.match_mode ?? 'exact') as Trigger['match_mode'],
  reply_text: one?.reply_text ?? '',
  set_optin: one?.set_optin ?? false,
  marketing: one?.marketing ?? false,
  cooldown_minutes: (one?.cooldown_minutes ?? 60) as number | string,
  group_ids: one?.group_ids.map(String) ?? [],
  label_ids: one?.label_ids.map(String) ?? [],
  notify_user_ids: one?.notify_user_ids.map(String) ?? [],
  notify_email: one?.notify_email ?? [],
  start_at: localOf(one?.start_at ?? null),
  end_at: localOf(one?.end_at ?? null),
});

function TriggerForm({
  numberId,
  trigger,
  close,
}: {
  numberId: number;
  trigger: Trigger | null;
  close: () => void;
}) {
  const people = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true, staleTime: 60_000 },
  );
  const sorting = useSorting();
  const form = useForm({
    initialValues: valuesOf(trigger),
    validate: {
      keyword: (v) =>
        !/^[\p{L}\p{N}]{1,30}$/u.test(v.trim())
          ? t('Use letters and digits, no spaces.')
          : triggers.isReserved(v)
            ? t('This word is reserved by carriers. Choose another.')
            : null,
    },
  });
  // The server names a field within the list it was sent: `upsert.0.keyword`.
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
  const send = (v: ReturnType<typeof valuesOf>): void => {
    const moment = (local: string): string | null => (local ? new Date(local).toISOString() : null);
    void mutate({
      params: { id: numberId },
      body: {
        remove: [],
        upsert: [
          {
            ...(trigger && { id: trigger.id }),
            keyword: v.keyword.trim(),
            match_mode: v.match_mode,
            ...(!trigger && { active: true }),
            reply_text: v.reply_text.trim() || null,
            set_optin: v.set_optin,
            marketing: v.marketing,
            cooldown_minutes: Number(v.cooldown_minutes),
            group_ids: v.group_ids.map(Number),
            label_ids: v.label_ids.map(Number),
            notify_user_ids: v.notify_user_ids.map(Number),
            notify_email: v.notify_email,
            start_at: moment(v.start_at),
            end_at: moment(v.end_at),
          },
        ],
      } as Body<typeof triggers.updateTriggers>,
    });
  };
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
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Keyword')}
              placeholder="JOIN"
              maxLength={30}
              data-autofocus
              {...form.getInputProps('keyword')}
            />
            <Select
              label={t('Status')}
              allowDeselect={false}
              data={triggers.matchModes.map((mode) => ({ value: mode, label: t(modeName[mode]) }))}
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
