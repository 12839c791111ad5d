import { lazy, Suspense, useState } from 'react';
import { calls } from '#contract';
import {
  ErrorState,
  navigate,
  Page,
  PageSkeleton,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useShortcuts,
  type Tone,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { CallSource } from '../attribution/CallSource.tsx';
import { CallActions } from '../record/CallActions.tsx';
import { CallAnnotations } from '../record/CallAnnotations.tsx';
import { CallAudio } from '../record/CallAudio.tsx';
import { CallFacts, callParty } from '../record/CallFacts.tsx';
import { CallReading } from '../record/CallReading.tsx';
import { CallNote } from '../record/CallNote.tsx';
import { CallHistory, CallLegs, CallPathLine } from '../record/CallPath.tsx';
import type { Playback } from '../record/use-playback.ts';
import { Transcript } from '../record/Transcript.tsx';
import css from './CallRecord.module.css';

const CallDeliveries = lazy(async () => ({
  default: (await import('../record/CallDeliveries.tsx')).CallDeliveries,
}));

type Call = calls.Call;
/** By outcome (A9.1). */
const tones: Record<number, Tone> = {
  0: 'info',
  1: 'success',
  2: 'warn',
  3: 'accent',
  4: 'danger',
};
const list = { href: '/activity/calls', label: t('Calls') };

/** One call: recording, transcript and note first, then how it was routed. J and K lead to its neighbors. */
export default function CallRecord() {
  const id = useIdParam();
  const input = { params: { id: id ?? 0 } };
  const { response, error, refetch } = useApiQuery(calls.getCall, input, { enabled: id !== null });
  const { response: neighbors } = useApiQuery(calls.neighboursOfCall, input, {
    enabled: id !== null,
    silent: true,
  });
  const { newer, older } = neighbors?.data ?? { newer: null, older: null };
  const open = (callId: number | null): void => {
    if (callId) navigate(`/calls/${callId}`);
  };
  useShortcuts([
    { keys: 'j', label: t('Older call'), group: t('Call'), run: () => open(older) },
    { keys: 'k', label: t('Newer call'), group: t('Call'), run: () => open(newer) },
  ]);
  if (error)
    return (
      <Page title={t('Call')} back={list}>
        <ErrorState error={error} retry={refetch} notFound={t('Call not found')} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  return (
    <RecordView
      key={response.data.id}
      call={response.data}
      refetch={refetch}
      newer={newer}
      older={older}
    />
  );
}

interface RecordViewProps {
  call: Call;
  refetch: () => void;
  newer: number | null;
  older: number | null;
}

function RecordView({ call, refetch, newer, older }: RecordViewProps) {
  const [playback, setPlayback] = useState<Playback | null>(null);
  const party = callParty(call);
  const isRunning = call.ended_at === null;
  return (
    <Page
      title={party.name}
      back={list}
      aside={<CallStatus call={call} />}
      description={
        <>
          {call.outbound ? t('Outgoing call') : t('Incoming call')} ·{' '}
          <Time at={call.started_at} as="instant" />
        </>
      }
      action={<CallActions call={call} party={party} newer={newer} older={older} />}
    >
      <div className={css.columns}>
        <div className={css.lead}>
          <CallAudio call={call} onExpired={refetch} onPlayback={setPlayback} />
          <CallReading call={call} playback={playback} />
          <Section title={t('Transcript')}>
            <Transcript
              words={call.transcription}
              playback={playback}
              phrases={call.phrases}
              running={isRunning}
              isVoicemail={call.outcome === 3}
            />
          </Section>
          {call.path.length > 0 && <CallPathLine call={call} />}
        </div>
        <aside className={css.side} aria-label={t('About this call')}>
          <Section title={t('Note')}>
            <CallNote call={call} />
          </Section>
          <CallSource call={call} />
          <CallFacts call={call} party={party} />
          <Section title={t('Outcome')}>
            <CallAnnotations call={call} />
          </Section>
          <Deliveries callId={call.id} />
        </aside>
        <div className={css.rest}>
          {call.legs.length > 0 && (
            <Section title={t('Phones')}>
              <CallLegs legs={call.legs} />
            </Section>
          )}
          <Section title={t('History')}>
            <CallHistory history={call.history} />
          </Section>
        </div>
      </div>
    </Page>
  );
}

const Deliveries = ({ callId }: { callId: number }) =>
  usePermission('integrations.view') && (
    <Suspense fallback={null}>
      <CallDeliveries callId={callId} />
    </Suspense>
  );

function CallStatus({ call }: { call: Call }) {
  if (call.ended_at === null) return <StatusBadge tone="info">{t('In progress')}</StatusBadge>;
  return (
    <StatusBadge tone={tones[call.outcome] ?? 'neutral'}>
      {t(calls.callStatusLabels[call.status as calls.CallStatus])}
    </StatusBadge>
  );
}
