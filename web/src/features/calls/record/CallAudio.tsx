import type { calls } from '#contract';
import { Section, StatusBadge, t } from '#ui';
import { Player } from './Player.tsx';
import type { Playback } from './use-playback.ts';

interface CallAudioProps {
  call: calls.Call;
  /** Fetches the call again: the signed URL of its audio has expired. */
  onExpired: () => void;
  onPlayback: (playback: Playback) => void;
}

/** The recording and the voicemail of a call, or why there is none to play. */
export function CallAudio({ call, onExpired, onPlayback }: CallAudioProps) {
  const { recording, voicemail } = call;
  // A call that only left a voicemail has no recording to explain.
  const showsRecording = recording.state !== 'none' || !voicemail;
  return (
    <>
      {showsRecording && (
        <Section title={t('Recording')}>
          {recording.url ? (
            <Player
              sound={{ ...recording, url: recording.url }}
              label={t('Call recording')}
              expired={onExpired}
              onPlayback={onPlayback}
            />
          ) : (
            <RecordingState call={call} />
          )}
        </Section>
      )}
      {voicemail && (
        <Section title={t('Voicemail')}>
          {voicemail.url ? (
            <Player
              sound={{ ...voicemail, url: voicemail.url, speakers: [2] }}
              label={t('Voicemail')}
              expired={onExpired}
              onPlayback={onPlayback}
            />
          ) : (
            <StatusBadge>{t('The voicemail was deleted.')}</StatusBadge>
          )}
        </Section>
      )}
    </>
  );
}

function RecordingState({ call }: { call: calls.Call }) {
  if (call.recording.state === 'pending')
    return <StatusBadge tone="info">{t('The recording is being processed.')}</StatusBadge>;
  if (call.recording.state === 'deleted')
    return <StatusBadge>{t('The recording was deleted.')}</StatusBadge>;
  if (call.recording.state === 'redacted')
    return <StatusBadge>{t('The recording was redacted.')}</StatusBadge>;
  if (call.ended_at === null)
    return <StatusBadge>{t('The recording appears after the call ends.')}</StatusBadge>;
  return <StatusBadge>{t('This call was not recorded.')}</StatusBadge>;
}
