import { useEffect, type RefObject } from 'react';
import { useMantineColorScheme } from '@mantine/core';
import WaveSurfer from 'wavesurfer.js';
import type { Recording } from './use-playback.ts';

const channelColors: Record<number, string> = { 0: '--tl-quiet', 1: '--tl-accent', 2: '--tl-info' };

/** Draws a recording's waveform into `container`, one lane per speaker, following `audio`. */
export function useWaveform(
  container: RefObject<HTMLDivElement | null>,
  audio: RefObject<HTMLAudioElement | null>,
  sound: Recording,
  address: string,
): void {
  const { colorScheme } = useMantineColorScheme();
  useEffect(() => {
    const media = audio.current;
    if (!container.current || !media || !sound.peaks.length) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string): string => style.getPropertyValue(name).trim() || '#64748b';
    const lanes = sound.peaks.map((_, i) => sound.speakers[i] ?? 0);
    const wave = WaveSurfer.create({
      container: container.current,
      media,
      peaks: sound.peaks.map((p) => [...p]),
      duration: sound.duration,
      height: 40,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      cursorWidth: 1,
      cursorColor: color('--tl-text'),
      normalize: false,
      dragToSeek: true,
      hideScrollbar: true,
      splitChannels: lanes.map((lane) => ({
        waveColor: color('--tl-quiet'),
        progressColor: color(channelColors[lane] ?? '--tl-accent'),
        height: 40,
      })),
    });
    return () => wave.destroy();
    // A new URL reloads the audio element, which the drawing follows.
    // oxlint-disable-next-line exhaustive-deps -- the elements and speakers belong to the recording at `address`
  }, [sound.peaks, sound.duration, colorScheme, address]);
}
