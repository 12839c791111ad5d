import { useState } from 'react';
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
import {
  api,
  confirm,
  ErrorState,
  Facts,
  formatDuration,
  formatPhoneNumber,
  navigate,
  Page,
  PageSkeleton,
  PhoneNumber,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useShortcuts,
  useApiMutation,
  type Tone,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { screens } from '../../index.ts';
import { CallAnnotations } from '../record/CallAnnotations.tsx';
import { CallHistory, CallLegs, CallPath } from '../record/CallPath.tsx';
import { CallerIdentity, type Identity } from '../record/CallerIdentity.tsx';
import { openDialler } from '../phone/phone.ts';
import { Player, type Playback } from '../record/Player.tsx';
import { Transcript } from '../record/Transcript.tsx';
import css from './CallRecord.module.css';

type Call = calls.Call;
const tones: Record<number, Tone> = {
  0: 'info',
  1: 'success',
  2: 'warn',
  3: 'accent',
  4: 'danger',
};
const list = { href: '/activity/calls', label: t('Calls') };

/** One call: who, when, where it went, what was said, and what came of it. Next and previous by keyboard. */
export default function CallRecord() {
  const id = useIdParam();
  const { response, error, refetch } = useApiQuery(
    calls.getCall,
    { params: { id: id ?? 0 } },
    { enabled: id !== null },
  );
  const { response: beside } = useApiQuery(
    calls.neighboursOfCall,
    { params: { id: id ?? 0 } },
    { enabled: id !== null, silent: true },
  );
  const { newer, older } = beside?.data ?? { newer: null, older: null };
  const move = (to: number | null): void => {
    if (to) navigate(`/calls/${to}`);
  };
  useShortcuts([
    { keys: 'j', label: t('Older call'), group: t('Call'), run: () => move(older) },
    { keys: 'k', label: t('Newer call'), group: t('Call'), run: () => move(newer) },
  ]);
  if (error)
    return (
      <Page title={t('Call')} back={list}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  return (
    <RecordView
      key={response.data.id}
      call={response.data}
      again={refetch}
      newer={newer}
      older={older}
    />
  );
}

function RecordView({
  call,
  again: refetch,
  newer,
  older,
}: {
  call: Call;
  again: () => void;
  newer: number | null;
  older: number | null;
}) {
  const [playback, setPlayback] = useState<Playback | null>(null);
  const party = call.outbound ? call.to : call.from;
  const withheld = !party.startsWith('+');
  const who = call.contact?.name || (withheld ? t('Withheld number') : formatPhoneNumber(party));
  const running = call.ended_at === null;
  return (
    <Page
      title={who}
      back={list}
      aside={
        <StatusBadge tone={running ? 'info' : (tones[call.outcome] ?? 'neutral')}>
          {running ? t('In progress') : t(calls.callStatusLabels[call.status as calls.CallStatus])}
        </StatusBadge>
      }
      description={
        <>
          {call.outbound ? t('Outbound call') : t('Inbound call')} ·{' '}
          <Time at={call.started_at} as="instant" />
        </>
      }
      action={
        <CallActions call={call} party={party} withheld={withheld} newer={newer} older={older} />
      }
    >
      <div className={css.columns}>
        <div className={css.main}>
          {call.path.length > 0 && (
            <Section title={t('Call path')}>
              <CallPath path={call.path} outbound={call.outbound === 1} />
            </Section>
          )}
          {(call.recording.state !== 'none' || !call.voicemail) && (
            <Section title={t('Recording')}>
              {call.recording.url ? (
                <Player
                  sound={{ ...call.recording, url: call.recording.url }}
                  label={t('Call recording')}
                  expired={refetch}
                  onPlayback={setPlayback}
                />
              ) : (
                <RecordingState call={call} running={running} />
              )}
            </Section>
          )}
          {call.voicemail && (
            <Section title={t('Voicemail')}>
              {call.voicemail.url ? (
                <Player
                  sound={{ ...call.voicemail, url: call.voicemail.url, speakers: [2] }}
                  label={t('Voicemail')}
                  expired={refetch}
                  onPlayback={setPlayback}
                />
              ) : (
                <StatusBadge>{t('The voicemail was deleted.')}</StatusBadge>
              )}
            </Section>
          )}
          <Section title={t('Transcript')}>
            <Transcript words={call.transcription} playback={playback} running={running} />
          </Section>
          {call.legs.length > 0 && (
            <Section title={t('Phones')}>
              <CallLegs legs={call.legs} />
            </Section>
          )}
          <Section title={t('History')}>
            <CallHistory history={call.history} />
          </Section>
        </div>
        <aside className={css.side} aria-label={t('About this call')}>
          <Section title={t('About')}>
            <Facts
              rows={[
                [
                  call.outbound ? t('To') : t('From'),
                  withheld ? t('Withheld number') : <PhoneNumber key="p" value={party} copy />,
                ],
                [
                  t('Your number'),
                  <Link key="n" path="/numbers/$id" id={call.number.id}>
                    {call.number.label || formatPhoneNumber(call.number.number)}
                  </Link>,
                ],
                call.contact !== null && [
                  t('Contact'),
                  <Link key="c" path="/contacts/$id" id={call.contact.id}>
                    {call.contact.name || formatPhoneNumber(party)}
                  </Link>,
                ],
                call.caller_name !== null && [t('Caller name'), call.caller_name],
                call.extension_label !== null &&
                  call.extension_label !== '' && [t('Extension'), call.extension_label],
                call.answered_by !== null && [t('Answered by'), call.answered_by.label],
                [t('Rang'), formatDuration(call.ring_seconds)],
                [t('Talked'), formatDuration(call.talk_seconds)],
                [t('Total'), running ? t('in progress') : formatDuration(call.duration)],
                [t('First contact'), call.first_contact ? t('Yes') : t('No')],
              ]}
            />
            {!withheld && (
              <CallerIdentity
                known={call.enhanced_caller_id as Identity | null}
                ask={async () =>
                  (await api(calls.lookUpCaller, { params: { id: call.id } }, { silent: true }))
                    .data
                }
              />
            )}
          </Section>
          <Section title={t('Outcome')}>
            <CallAnnotations call={call} />
          </Section>
        </aside>
      </div>
    </Page>
  );
}

/** A link to a screen, plain words where that screen does not exist. */
const Link = ({
  path,
  id,
  children,
}: {
  path: string;
  id: number;
  children: React.ReactNode;
}): React.ReactNode =>
  screens.some((s) => s.path === path) ? (
    <a href={path.replace('$id', String(id))}>{children}</a>
  ) : (
    children
  );

function RecordingState({ call, running }: { call: Call; running: boolean }) {
  if (call.recording.state === 'pending')
    return <StatusBadge tone="info">{t('The recording is being processed.')}</StatusBadge>;
  if (call.recording.state === 'deleted')
    return <StatusBadge>{t('The recording was deleted.')}</StatusBadge>;
  if (call.recording.state === 'redacted')
    return <StatusBadge>{t('The recording was redacted.')}</StatusBadge>;
  return (
    <StatusBadge>
      {running ? t('The recording appears after the call ends.') : t('This call was not recorded.')}
    </StatusBadge>
  );
}

function CallActions({
  call,
  party,
  withheld,
  newer,
  older,
}: {
  call: Call;
  party: string;
  withheld: boolean;
  newer: number | null;
  older: number | null;
}) {
  const mayCall = usePermission('calling.use');
  const mayErase = usePermission('calls.deleteRecording');
  const recorded = call.recording.url !== null || (call.voicemail?.url ?? null) !== null;
  const { mutate: erase } = useApiMutation(calls.deleteRecording, {
    success: t('Recording deleted'),
    invalidates: [calls.getCall],
  });
  const sure = async (): Promise<void> => {
    if (
      await confirm({
        title: t('Delete recording?'),
        body: t('The recording and its transcript are permanently deleted. The call record stays.'),
        confirmLabel: t('Delete recording'),
        danger: true,
      })
    )
      void erase({ params: { id: call.id } });
  };
  return (
    <div className={css.moves}>
      <ActionIcon
        size={36}
        variant="default"
        disabled={!newer}
        component="button"
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
      {mayCall && !withheld && (
        <Button
          leftSection={
            call.outbound ? (
              <IconPhoneOutgoing size={16} aria-hidden />
            ) : (
              <IconPhone size={16} aria-hidden />
            )
          }
          onClick={() => openDialler(party, call.number.id)}
        >
          {call.outbound ? t('Call again') : t('Call back')}
        </Button>
      )}
      {mayErase && recorded && (
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
              onClick={() => void sure()}
            >
              {t('Delete recording')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
