import { useState } from 'react';
import { Button, Textarea } from '@mantine/core';
import { IconClockHour4 } from '@tabler/icons-react';
import { conversations } from '#contract';
import { lazyComponent, Modal, t, usePermission, userZone, useApiMutation } from '#ui';
import type { ItemOf } from '../cache-updates.ts';
import { formatWhen } from '../scheduling/schedule-times.ts';
import { Attachments } from '#ui/messaging/Attachments.tsx';
import { showItem } from '../composer/sending.ts';
import { tooLong } from '../composer/segments.ts';
import css from './ScheduledCard.module.css';

const WhenFields = lazyComponent(
  async () => (await import('../scheduling/WhenFields.tsx')).WhenFields,
);

/** A scheduled message; it can be edited or canceled until it is being sent. */
export function ScheduledCard({ item }: { item: ItemOf<'scheduledmessage'> }) {
  const { details } = item;
  const [editing, setEditing] = useState(false);
  const maySend = usePermission('inbox.send');
  const params = { id: item.conversationId, itemId: item.id };
  const { mutate, isPending } = useApiMutation(conversations.changeScheduled, {
    invalidates: [conversations.listConversationItems],
    onSuccess: (response) => showItem(response.data),
  });
  return (
    <div className={css.card}>
      <p className={css.when}>
        <IconClockHour4 size={14} aria-hidden />
        <strong>{t('Scheduled for {when}', { when: formatWhen(details.sendAt) })}</strong>
      </p>
      {details.media.length > 0 && <Attachments media={details.media} again={() => {}} />}
      {details.content && <p className={css.body}>{details.content}</p>}
      {details.cancelIfReply && <p className={css.reply}>{t('Canceled if they reply first')}</p>}
      {maySend && (
        <div className={css.acts}>
          <Button size="compact-sm" variant="subtle" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            loading={isPending}
            onClick={() => void mutate({ params, body: { state: 'canceled' } })}
          >
            {t('Cancel message')}
          </Button>
        </div>
      )}
      <Modal
        opened={editing}
        onClose={() => setEditing(false)}
        title={t('Edit scheduled message')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {editing && (
          <ScheduleEditor
            item={item}
            telling={isPending}
            onSave={async (body) => {
              if (await mutate({ params, body })) setEditing(false);
            }}
          />
        )}
      </Modal>
    </div>
  );
}

function ScheduleEditor({
  item,
  telling: isPending,
  onSave,
}: {
  item: ItemOf<'scheduledmessage'>;
  telling: boolean;
  onSave: (body: { message: string; shouldBeSentAt: string; cancelIfReply: boolean }) => void;
}) {
  const [text, setText] = useState(item.details.content);
  const [when, setWhen] = useState<{
    at: Date | null;
    problem: string | null;
    cancelIfReply: boolean;
  }>({
    at: new Date(item.details.sendAt),
    problem: null,
    cancelIfReply: item.details.cancelIfReply,
  });
  const wrong = tooLong(text, item.details.media.length > 0);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        if (when.at && !when.problem && !wrong)
          onSave({
            message: text,
            shouldBeSentAt: when.at.toISOString(),
            cancelIfReply: when.cancelIfReply,
          });
      }}
    >
      <Textarea
        label={t('Message')}
        value={text}
        minRows={3}
        maxRows={10}
        error={wrong ? t(wrong) : undefined}
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <WhenFields zone={userZone()} value={when} onChange={setWhen} />
      <Button
        type="submit"
        mt="md"
        fullWidth
        loading={isPending}
        disabled={
          Boolean(wrong) ||
          Boolean(when.problem) ||
          (text.trim() === '' && item.details.media.length === 0)
        }
      >
        {t('Save')}
      </Button>
    </form>
  );
}
