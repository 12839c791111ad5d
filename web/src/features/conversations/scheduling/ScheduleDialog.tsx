import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { conversations } from '#contract';
import { formFields, Modal, t, userZone, useApiMutation } from '#ui';
import type { Conversation } from '../cache-updates.ts';
import { schedulePresets, formatWhen } from './schedule-times.ts';
import { newClientKey, showItem } from '../composer/sending.ts';
import { WhenFields, type When } from './WhenFields.tsx';

interface ScheduleProps {
  conversation: Conversation;
  text: string;
  files: readonly File[];
  onClose: () => void;
  onDone: () => void;
}

/** Chooses when a message is sent. */
export function ScheduleDialog(props: ScheduleProps) {
  const { text, files, onClose } = props;
  const { when, setWhen, schedule, isPending } = useSchedule(props);
  const canSchedule = when.at !== null && !when.problem;
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
          schedule();
        }}
      >
        <Text c="dimmed" lineClamp={3}>
          {text || t('{n, plural, one {# attachment} other {# attachments}}', { n: files.length })}
        </Text>
        <WhenFields zone={userZone()} value={when} onChange={setWhen} />
        <Button type="submit" fullWidth mt="md" loading={isPending} disabled={!canSchedule}>
          {when.at && canSchedule
            ? t('Schedule for {when}', { when: formatWhen(when.at) })
            : t('Schedule')}
        </Button>
      </form>
    </Modal>
  );
}

/** The time, tomorrow morning at first; `schedule` stores the message for it. */
function useSchedule({ conversation, text, files, onDone }: ScheduleProps) {
  const [when, setWhen] = useState<When>(() => {
    const presets = schedulePresets(new Date(), userZone());
    const at = presets.find((p) => p.label === t('Tomorrow morning'))?.at ?? null;
    return { at, problem: null, cancelIfReply: true };
  });
  const { mutate, isPending } = useApiMutation(conversations.scheduleMessage, {
    onSuccess: (response) => {
      showItem(response.data);
      onDone();
    },
    success: () => (when.at ? t('Scheduled for {when}', { when: formatWhen(when.at) }) : null),
  });
  const schedule = (): void => {
    if (!when.at || when.problem) return;
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
  };
  return { when, setWhen, schedule, isPending };
}
