import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconDots,
  IconMessage,
  IconPhone,
  IconPhoneOutgoing,
  IconTrash,
} from '@tabler/icons-react';
import { calls } from '#contract';
import { confirm, navigate, t, useApiMutation, usePermission } from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import { openDialler } from '../phone/phone.ts';
import type { CallParty } from './CallFacts.tsx';
import css from '../screens/CallRecord.module.css';

interface CallActionsProps {
  call: calls.Call;
  party: CallParty;
  /** Ids of the neighboring calls; null at either end of the list. */
  newer: number | null;
  older: number | null;
}

/** Next and previous call, the conversation, calling back, and deleting the recording. */
export function CallActions({ call, party, newer, older }: CallActionsProps) {
  const mayCall = usePermission('calling.use');
  const mayDelete = usePermission('calls.deleteRecording');
  const voicemailUrl = call.voicemail?.url ?? null;
  const hasAudio = call.recording.url !== null || voicemailUrl !== null;
  return (
    <div className={css.actions}>
      <ActionIcon
        size={36}
        variant="default"
        disabled={!newer}
        aria-label={t('Newer call (K)')}
        onClick={() => newer && navigate(`/calls/${newer}`)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <ActionIcon
        size={36}
        variant="default"
        disabled={!older}
        aria-label={t('Older call (J)')}
        onClick={() => older && navigate(`/calls/${older}`)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
      {call.conversation_id && (
        <Button
          variant="default"
          component="a"
          href={`/inbox/${call.conversation_id}`}
          leftSection={<IconMessage size={16} aria-hidden />}
        >
          {t('Conversation')}
        </Button>
      )}
      {mayCall && party.isNumber && <CallBackButton call={call} party={party} />}
      {mayDelete && hasAudio && <RecordingMenu callId={call.id} />}
    </div>
  );
}

function CallBackButton({ call, party }: { call: calls.Call; party: CallParty }) {
  const Icon = call.outbound ? IconPhoneOutgoing : IconPhone;
  return (
    <Button
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() =>
        openDialler(party.number, call.number.id, partyFor(party.number, `call:${call.id}`))
      }
    >
      {call.outbound ? t('Call again') : t('Call back')}
    </Button>
  );
}

function RecordingMenu({ callId }: { callId: number }) {
  const { mutate } = useApiMutation(calls.deleteRecording, {
    success: t('Recording deleted'),
    invalidates: [calls.getCall],
  });
  const deleteRecording = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('Delete recording?'),
      body: t('The recording and its transcript are permanently deleted. The call record stays.'),
      confirmLabel: t('Delete recording'),
      danger: true,
    });
    if (isConfirmed) await mutate({ params: { id: callId } });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={t('More')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void deleteRecording()}
        >
          {t('Delete recording')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
