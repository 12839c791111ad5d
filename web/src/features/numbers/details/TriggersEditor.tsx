import { useState } from 'react';
import { Alert, Button, Group, Switch } from '@mantine/core';
import { IconMessageBolt } from '@tabler/icons-react';
import { routing, triggers, type Body } from '#contract';
import {
  EmptyState,
  lazyComponent,
  showUndoToast,
  StatusBadge,
  t,
  useApiMutation,
  usePermission,
} from '#ui';
import type { EditableNumber } from './number-form.ts';
import { matchModeNames, type Trigger } from './trigger-labels.ts';
import css from './TriggersEditor.module.css';

const TriggerForm = lazyComponent(async () => (await import('./TriggerForm.tsx')).TriggerForm);

/** Changes and removes keywords; a removed one can be brought back. */
function useTriggers(numberId: number) {
  const { mutate, isPending } = useApiMutation(triggers.updateTriggers, {
    invalidates: [routing.getNumber],
  });
  const save = (change: Partial<Body<typeof triggers.updateTriggers>>) =>
    mutate({ params: { id: numberId }, body: { remove: [], upsert: [], ...change } });
  const toggle = (one: Trigger) => save({ upsert: [{ id: one.id, active: !one.active }] });
  const remove = async (one: Trigger): Promise<void> => {
    if (!(await save({ remove: [one.id] }))) return;
    // The API assigns a new ID when the removed keyword is created again.
    const { id: _, answered_count: __, created_at: ___, reply_media, ...settings } = one;
    showUndoToast(
      t('{keyword} was removed', { keyword: one.keyword }),
      () =>
        void save({
          upsert: [{ ...settings, reply_media: reply_media.map((file) => file.file_id) }],
        }),
    );
  };
  return { toggle, remove, isPending };
}

/** Keywords of a number with their automatic replies. */
export function TriggersEditor({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const [editing, setEditing] = useState<Trigger | 'new' | null>(null);
  const { toggle, remove, isPending } = useTriggers(number.id);
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
        <NoTriggers add={add} />
      ) : (
        <>
          <ul className={css.rules} aria-label={t('Keywords')}>
            {rules.map((one) => (
              <TriggerRow
                key={one.id}
                trigger={one}
                mayEdit={mayEdit}
                isPending={isPending}
                onToggle={() => void toggle(one)}
                onEdit={() => setEditing(one)}
                onRemove={() => void remove(one)}
              />
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

const NoTriggers = ({ add }: { add: React.ReactNode }) => (
  <EmptyState
    icon={<IconMessageBolt size={28} stroke={1.5} />}
    title={t('No keywords yet')}
    action={add}
  >
    {t(
      'When someone texts a word such as JOIN, this number replies right away. STOP, START and HELP are always answered automatically.',
    )}
  </EmptyState>
);

interface TriggerActionsProps {
  trigger: Trigger;
  isPending: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function TriggerRow({ mayEdit, trigger, ...actions }: TriggerActionsProps & { mayEdit: boolean }) {
  return (
    <li className={css.rule}>
      <div className={css.what}>
        <span className={css.word}>{trigger.keyword}</span>
        <StatusBadge tone={trigger.active ? 'success' : 'neutral'}>
          {trigger.active ? t('On') : t('Off')}
        </StatusBadge>
        <small>
          {t(matchModeNames[trigger.match_mode])} ·{' '}
          {t('{n, plural, one {replied # time} other {replied # times}}', {
            n: trigger.answered_count,
          })}
        </small>
        <p>{trigger.reply_text || t('No reply is sent.')}</p>
      </div>
      {mayEdit && <TriggerActions trigger={trigger} {...actions} />}
    </li>
  );
}

function TriggerActions({ trigger, isPending, onToggle, onEdit, onRemove }: TriggerActionsProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Switch
        checked={trigger.active}
        disabled={isPending}
        aria-label={t('Reply to {keyword}', { keyword: trigger.keyword })}
        onChange={onToggle}
      />
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('Edit {keyword}', { keyword: trigger.keyword })}
        onClick={onEdit}
      >
        {t('Edit')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        color="red"
        disabled={isPending}
        aria-label={t('Remove {keyword}', { keyword: trigger.keyword })}
        onClick={onRemove}
      >
        {t('Remove')}
      </Button>
    </Group>
  );
}
