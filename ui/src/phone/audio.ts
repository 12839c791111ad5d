import { t } from '../i18n.ts';

/**
 * The selected microphone, or the system default when it is gone. Throws when there is no
 * microphone or the user denies it.
 */
export async function microphoneTrack(deviceId: string | null): Promise<MediaStreamTrack> {
  const clean = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  const open = (chosen: MediaTrackConstraints): Promise<MediaStream> =>
    navigator.mediaDevices.getUserMedia({ audio: { ...clean, ...chosen } });
  const stream =
    deviceId === null
      ? await open({})
      : await open({ deviceId: { exact: deviceId } }).catch(() => open({}));
  const track = stream.getAudioTracks()[0];
  if (!track) throw new Error(t('No microphone found.'));
  return track;
}

/**
 * Synthetic voice: a buzzing vowel in four syllables per second, or one steady tone. Throws when
 * the browser has no Web Audio. A null `toneHz` gives the voice.
 */
export function syntheticVoice(toneHz: number | null): {
  track: MediaStreamTrack;
  close: () => void;
} {
  const context = new AudioContext();
  const out = context.createMediaStreamDestination();
  const voice = context.createOscillator();
  const loudness = context.createGain();
  if (toneHz === null) {
    voice.type = 'sawtooth';
    voice.frequency.value = 120;
    const vowel = new BiquadFilterNode(context, { type: 'bandpass', frequency: 700, Q: 1.2 });
    const syllables = new OscillatorNode(context, { type: 'sine', frequency: 4 });
    const swing = new GainNode(context, { gain: 0.15 });
    loudness.gain.value = 0.15;
    syllables.connect(swing).connect(loudness.gain);
    syllables.start();
    voice.connect(vowel).connect(loudness);
  } else {
    voice.frequency.value = toneHz;
    loudness.gain.value = 0.3;
    voice.connect(loudness);
  }
  loudness.connect(out);
  voice.start();
  void context.resume();
  const track = out.stream.getAudioTracks()[0];
  if (!track) throw new Error(t('This browser can’t play sound.'));
  return {
    track,
    close: () => {
      track.stop();
      void context.close();
    },
  };
}

/** Changes the output of an audio element; ignored by browsers without speaker selection. */
export async function setSpeakerDevice(speaker: HTMLAudioElement, deviceId: string): Promise<void> {
  const choosable = speaker as HTMLAudioElement & { setSinkId?: (id: string) => Promise<void> };
  if (deviceId !== '') await choosable.setSinkId?.(deviceId).catch(() => undefined);
}

/** Available microphones and speakers. Names are empty until microphone access was granted once. */
export async function listAudioDevices(): Promise<{
  microphones: MediaDeviceInfo[];
  speakers: MediaDeviceInfo[];
}> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return {
    microphones: all.filter((d) => d.kind === 'audioinput'),
    speakers: all.filter((d) => d.kind === 'audiooutput'),
  };
}
