import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { MediaClient, type Line } from '#ui/phone/media-client.ts';
import { startRinging } from '../calls/index.ts';
import {
  fetchCallState,
  fetchHandsetToken,
  type CallActivity,
  type CallState,
  type Caption,
} from './sandbox.ts';

const pollMs = 700;
const subscribeToNothing = () => () => {};
interface EndedCall {
  line: Line;
  because: string;
  captions: Caption[];
}

/** The phone's connection to the exchange; null until it is created. */
function useMediaClient(
  number: string,
  onRing: () => void,
  onEnded: (line: Line, because: string) => void,
): MediaClient | null {
  const [client, setClient] = useState<MediaClient | null>(null);
  useEffect(() => {
    const mine: MediaClient = new MediaClient({
      url: '/media',
      token: async () => (await fetchHandsetToken(number)).token,
      onRing,
      onEnded,
    });
    setClient(mine);
    mine.join().catch(() => {
      /* the card shows the connection's state */
    });
    return () => mine.leave();
    // oxlint-disable-next-line exhaustive-deps -- both only set state, which stays the same
  }, [number]);
  return client;
}

function useRingingTone(rings: boolean): void {
  useEffect(() => (rings ? startRinging() : undefined), [rings]);
}

/** Reports the exchange's state of a call every `pollMs`. Null: there is no call. */
function usePolledCall(leg: string | null, onState: (leg: string, state: CallState) => void): void {
  const report = useRef(onState);
  report.current = onState;
  useEffect(() => {
    if (!leg) return;
    let active = true;
    let timer: ReturnType<typeof setTimeout>;
    const poll = async (): Promise<void> => {
      const state = await fetchCallState(leg).catch(() => null);
      if (!active) return;
      if (state) report.current(leg, state);
      timer = setTimeout(() => void poll(), pollMs);
    };
    void poll();
    return () => {
      active = false;
      clearTimeout(timer);
    };
  }, [leg]);
}

/**
 * Says what the phone's owner says, once per call: to the person who answered, or after the beep.
 */
function useSpeech(client: MediaClient | null, says: string) {
  const spoken = useRef<string | null>(null);
  return (leg: string, { heard, state }: CallState): void => {
    const cue = heard.some((h) => h.kind === 'bridge' || h.kind === 'beep');
    if (!cue || state !== 'answered' || spoken.current === leg || !says.trim()) return;
    spoken.current = leg;
    void client?.speak(leg, says.trim()).catch(() => {});
  };
}

/**
 * The telephone of an outside phone: connected while its card is mounted, one call at a time. The
 * exchange reports what the caller heard. `says` is spoken once someone answers, or after the
 * voicemail's beep. `shows`: what calls show instead of the number.
 */
export function useHandsetLine(number: string, says: string, shows?: string | undefined) {
  const [ended, setEnded] = useState<EndedCall | null>(null);
  const [captions, setCaptions] = useState<Caption[]>([]);
  const [activity, setActivity] = useState<CallActivity>('calling');
  const [problem, setProblem] = useState<string | null>(null);
  const captionsRef = useRef<Caption[]>([]);
  captionsRef.current = captions;
  const begin = (): void => {
    setEnded(null);
    setCaptions([]);
    setProblem(null);
  };
  const client = useMediaClient(number, begin, (line, because) =>
    setEnded({ line, because, captions: captionsRef.current }),
  );
  const snapshot = useSyncExternalStore(
    client?.subscribe ?? subscribeToNothing,
    () => client?.snapshot() ?? null,
  );
  const line = snapshot?.lines.at(-1) ?? null;
  const leg = line?.leg ?? null;
  useRingingTone(line?.state === 'ringing');
  const speakOnCue = useSpeech(client, says);
  useEffect(() => setActivity('calling'), [leg, client]);
  usePolledCall(leg, (polled, state) => {
    setCaptions(state.heard);
    setActivity(state.doing);
    speakOnCue(polled, state);
  });

  const attempt = async (action: Promise<unknown> | undefined): Promise<void> => {
    setProblem(null);
    await action?.catch((error: Error) => setProblem(error.message));
  };
  const onLeg = (act: (leg: string) => Promise<unknown> | undefined): Promise<void> =>
    attempt(leg ? act(leg) : undefined);
  return {
    snapshot,
    line,
    doing: activity,
    heard: captions,
    ended,
    problem,
    dial: (to: string) => {
      begin();
      return attempt(client?.dial(to, shows));
    },
    answer: () => onLeg((mine) => client?.answer(mine)),
    decline: () => onLeg((mine) => client?.reject(mine)),
    hangUp: () => onLeg((mine) => client?.hangup(mine)),
    press: (key: string) => onLeg((mine) => client?.keys(mine, key)),
    speak: (text: string) => onLeg((mine) => client?.speak(mine, text)),
    mute: (on: boolean) => client?.mute(on),
    useMicrophone: (on: boolean) => void client?.setMicrophone(on ? null : 'synthetic'),
    forget: () => setEnded(null),
  };
}
export type HandsetLine = ReturnType<typeof useHandsetLine>;
