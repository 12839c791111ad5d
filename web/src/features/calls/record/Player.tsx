import { useRef } from 'react';
import { t, useShortcuts } from '#ui';
import { formatClock, PlayerControls } from './PlayerControls.tsx';
import css from './Player.module.css';
import { usePlayback, useSignedUrl, type Playback, type Recording } from './use-playback.ts';
import { useWaveform } from './use-waveform.ts';

const channelNames: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };

/**
 * Audio player with a waveform, one lane per speaker. The server sends the waveform, so the file
 * itself is only streamed when played. `expired` is called when the signed URL no longer opens; a
 * new one arrives as `sound.url`.
 */
export function Player({
  sound,
  label,
  expired,
  onPlayback,
  startAt,
}: {
  sound: Recording;
  label: string;
  expired: () => void;
  onPlayback?: (p: Playback) => void;
  /** Starts playing at this second at once. */ startAt?: number;
}) {
  const waveform = useRef<HTMLDivElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const { address, onError } = useSignedUrl(sound.url, expired);
  useWaveform(waveform, audio, sound, address);
  const playback = usePlayback(() => audio.current, address, sound.duration, startAt, onPlayback);
  const { toggle } = playback;
  useShortcuts([{ keys: ' ', label: t('Play or pause'), group: t('Recording'), run: toggle }]);

  return (
    <div className={css.player} role="group" aria-label={label}>
      <audio
        ref={audio}
        src={address}
        preload="none"
        onTimeUpdate={(e) => playback.setTime(e.currentTarget.currentTime)}
        onPlay={() => playback.setPlaying(true)}
        onPause={() => playback.setPlaying(false)}
        onEnded={() => playback.setPlaying(false)}
        onError={onError}
      />
      <div className={css.lanes} aria-hidden>
        {sound.peaks.length > 0 && (
          <div className={css.names}>
            {sound.peaks.map((_, i) => (
              <span key={i}>{t(channelNames[sound.speakers[i] ?? 0] ?? 'Both')}</span>
            ))}
          </div>
        )}
        <div ref={waveform} className={css.wave} />
      </div>
      <PositionSlider time={playback.time} duration={sound.duration} onSeek={playback.seek} />
      <PlayerControls
        playing={playback.playing}
        time={playback.time}
        duration={sound.duration}
        downloadUrl={address}
        speed={playback.speed}
        onToggle={playback.toggle}
        onSeek={playback.seek}
        onSpeed={playback.setSpeed}
      />
    </div>
  );
}

function PositionSlider({
  time,
  duration,
  onSeek,
}: {
  time: number;
  duration: number;
  onSeek: (seconds: number) => void;
}) {
  return (
    <input
      className={css.position}
      type="range"
      min={0}
      max={duration || 1}
      step={0.1}
      value={time}
      onChange={(e) => onSeek(Number(e.currentTarget.value))}
      aria-label={t('Position')}
      aria-valuetext={t('{at} of {all}', {
        at: formatClock(time),
        all: formatClock(duration),
      })}
    />
  );
}
