import { useEffect, useRef, useState } from 'react';
import { Button, Group } from '@mantine/core';
import { IconMicrophone, IconPlayerStopFilled, IconRefresh } from '@tabler/icons-react';
import { formatDuration, t } from '#ui';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { toWav } from './sound.ts';
import css from './Greetings.module.css';

export interface RecordedSound {
  file: File;
  seconds: number;
  url: string;
}
/** Seconds; longer greetings are better uploaded. */
const maxSeconds = 300;

type RecorderState = 'idle' | 'recording' | 'working';

/**
 * Reports the loudness of a stream from 0 to 1 many times a second; returns a function that ends
 * it.
 */
function meterLevel(stream: MediaStream, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const ear = new AnalyserNode(context, { fftSize: 1024 });
  context.createMediaStreamSource(stream).connect(ear);
  const samples = new Float32Array(ear.fftSize);
  const timer = setInterval(() => {
    ear.getFloatTimeDomainData(samples);
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    onLevel(Math.min(1, peak * 1.4));
  }, 60);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

/** Records from the microphone. `level` from 0 to 1, `seconds` since the start. */
function useRecording(onRecorded: (take: RecordedSound | null) => void) {
  const [state, setState] = useState<RecorderState>('idle');
  const [problem, setProblem] = useState<string | null>(null);
  const [level, setLevel] = useState(0);
  const [seconds, setSeconds] = useState(0);
  const running = useRef<{ stop: () => void; leave: () => void } | null>(null);
  useEffect(() => () => running.current?.leave(), []);

  const start = async (): Promise<void> => {
    setProblem(null);
    onRecorded(null);
    const stream = await navigator.mediaDevices
      ?.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: true } })
      .catch(() => null);
    if (!stream)
      return setProblem(
        t('Couldn’t use the microphone. Allow it in your browser’s address bar and try again.'),
      );
    const recorder = new MediaRecorder(stream);
    const parts: Blob[] = [];
    const began = performance.now();
    const stopMeter = meterLevel(stream, (measured) => {
      setLevel(measured);
      setSeconds((performance.now() - began) / 1000);
      if (performance.now() - began > maxSeconds * 1000) running.current?.stop();
    });
    const leave = (): void => {
      stopMeter();
      stream.getTracks().forEach((track) => track.stop());
      running.current = null;
    };
    recorder.ondataavailable = (event) => parts.push(event.data);
    recorder.onstop = () => {
      leave();
      setState('working');
      toWav(new Blob(parts, { type: recorder.mimeType }), 'recorded')
        .then(
          (made) => onRecorded({ ...made, url: URL.createObjectURL(made.file) }),
          () => setProblem(t('Nothing was recorded. Try again.')),
        )
        .finally(() => setState('idle'));
    };
    running.current = {
      stop: () => recorder.stop(),
      leave: () => {
        recorder.onstop = null;
        if (recorder.state !== 'inactive') recorder.stop();
        leave();
      },
    };
    recorder.start();
    setState('recording');
  };
  return { state, problem, level, seconds, start, stop: () => running.current?.stop() };
}

function hintFor(state: RecorderState, hasRecording: boolean): string {
  if (state === 'recording') return t('Speak now. Stop when you are done.');
  return hasRecording
    ? t('Listen back. Record again until it’s right.')
    : t('Up to five minutes, using this computer’s microphone.');
}

const LevelMeter = ({ level }: { level: number }) => (
  <span
    className={css.level}
    role="meter"
    aria-label={t('Level')}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(level * 100)}
  >
    <i style={{ width: `${level * 100}%` }} data-loud={level > 0.95 || undefined} />
  </span>
);

/** Records in the browser, with a level meter and any number of takes. */
export function Recorder({
  take: recording,
  onTake: onRecorded,
}: {
  take: RecordedSound | null;
  onTake: (take: RecordedSound | null) => void;
}) {
  const { state, problem, level, seconds, start, stop } = useRecording(onRecorded);
  return (
    <div className={css.recorder}>
      <Group gap="sm">
        {state === 'recording' ? (
          <Button
            color="red"
            leftSection={<IconPlayerStopFilled size={16} aria-hidden />}
            onClick={stop}
          >
            {t('Stop')}
          </Button>
        ) : (
          <Button
            variant="default"
            loading={state === 'working'}
            leftSection={
              recording ? (
                <IconRefresh size={16} aria-hidden />
              ) : (
                <IconMicrophone size={16} aria-hidden />
              )
            }
            onClick={() => void start()}
          >
            {recording ? t('Record again') : t('Record')}
          </Button>
        )}
        {state === 'recording' && <LevelMeter level={level} />}
        {state === 'recording' && <span aria-live="off">{formatDuration(seconds)}</span>}
        {state === 'idle' && recording && (
          <AudioClip
            key={recording.url}
            url={recording.url}
            seconds={recording.seconds}
            label={t('Your recording')}
          />
        )}
      </Group>
      <p className={css.quiet} aria-live="polite">
        {problem ?? hintFor(state, recording !== null)}
      </p>
    </div>
  );
}
