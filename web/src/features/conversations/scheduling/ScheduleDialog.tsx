import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { conversations } from '#contract';
import { formFields, Modal, t, userZone, useApiMutation } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { schedulePresets, formatWhen } from './schedule-times.ts';
import { newClientKey, showItem } from '../composer/sending.ts';
import { WhenFields, type When } from './WhenFields.tsx';

/** Chooses when a message is sent. */
export function ScheduleDialog({
  conversation,
  text,
  files,
  onClose,
  onDone,
}: {
  conversation: Conversation;
  text: string;
  files: readonly File[];
  onClose: () => void;
  onDone: () => void;
}) {
  const zone = userZone();
  const [when, setWhen] = useState<When>(() => ({
    at:
      schedulePresets(new Date(), zone).find((p) => p.label === t('Tomorrow morning'))?.at ?? null,
    problem: null,
    cancelIfReply: true,
  }));
  const { mutate, isPending } = useApiMutation(conversations.scheduleMessage, {
    onSuccess: (response) => {
      showItem(response.data);
      onDone();
    },
    success: () => (when.at ? t('Scheduled for {when}', { when: formatWhen(when.at) }) : null),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Send later')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (when.at && !when.problem)
            void mutate({
              body: formFields({
                conversationId: conversation.id,
                message: text,
                clientKey: newClientKey(),
                shouldBeSentAt: when.at.toISOString(),
                cancelIfReply: when.cancelIfReply,
                ...(files.length && { media: files }),
              }),
            });
        }}
      >
        <Text c="dimmed" lineClamp={3}>
          {text || t('{n, plural, one {# attachment} other {# attachments}}', { n: files.length })}
        </Text>
        <WhenFields zone={zone} value={when} onChange={setWhen} />
        <Button
          type="submit"
          fullWidth
          mt="md"
          loading={isPending}
          disabled={!when.at || Boolean(when.problem)}
        >
          {when.at && !when.problem
            ? t('Schedule for {when}', { when: formatWhen(when.at) })
            : t('Schedule')}
        </Button>
      </form>
    </Modal>
  );
}
