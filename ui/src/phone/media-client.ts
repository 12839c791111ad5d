/**
 * A telephone in the browser: joins the media plane with a token, rings, answers, dials and talks by WebRTC.
 * Used by the agent's in-app phone and by the virtual handset. Plain TypeScript, no framework: read `snapshot()`
 * and `subscribe()` to its changes (both are bound, made for React's useSyncExternalStore).
 *
 *   const phone = new MediaClient({ url, token: async () => (await api(…)).token, onRing: (line) => … });
 *   await phone.join();
 *   phone.answer(line.leg) · phone.dial('+14155552368') · phone.keys(leg, '2') · phone.mute(true) · phone.hangup(leg)
 *
 * Signalling is `POST {url}/join` (its answer streams events, one JSON object a line) and
 * `POST {url}/{session}/{verb}`. The offer always comes from here, complete with its candidates.
 * Without a microphone a synthetic voice speaks in its place, so that a call can always be tried.
 */

import { t } from '../i18n.ts';

export type LineState =
  /** An inbound call. */
  | 'ringing'
  /** An outbound call that was not answered yet. */
  | 'dialling'
  | 'answered';

/** One call of this phone; removed from `snapshot().lines` when it ends. */
export interface Line {
  leg: string;
  direction: 'in' | 'out';
  state: LineState;
  /** The number shown. */
  from: string;
  to: string;
  callerName: string | null;
  /** True while the other party holds this call (music plays). */
  held: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
  answeredAt: number | null;
}

export type Microphone =
  | { kind: 'device'; deviceId: string | null }
  | { kind: 'synthetic'; because: 'chosen' | 'none' | 'refused' };

export interface PhoneSnapshot {
  /** `joining` also while reconnecting after a lost connection. */
  connection: 'left' | 'joining' | 'ready' | 'refused';
  lines: readonly Line[];
  muted: boolean;
  microphone: Microphone;
}

export interface MediaClientOptions {
  /** Base of the media plane, e.g. `/media`. */
  url: string;
  /** Called before each join and rejoin; must return a fresh token. */
  token: () => Promise<string>;
  /** Uses no microphone. `toneHz`: the synthetic voice is a steady tone (tests). */
  synthetic?: boolean | { toneHz: number };
  onRing?: (line: Line) => void;
  /** `because`: hangup, answeredElsewhere, timeout, callerLeft, busy, declined, noAnswer, failed, rejected, … */
  onEnded?: (line: Line, because: string) => void;
  onState?: (snapshot: PhoneSnapshot) => void;
  /** Remote audio of one call (already playing), for level meters; null when it ends. */
  onRemoteStream?: (leg: string, stream: MediaStream | null) => void;
  /** The other party pressed keys. */
  onKeys?: (leg: string, digits: string) => void;
  /**
   * Handsets only: captions of what this phone hears. `kind`: say, play, ring, hold, bridge, beep,
   * keys.
   */
  onCaption?: (leg: string, kind: string, what: string) => void;
}

/** Events of the exchange. */
type MediaEvent =
  | { type: 'joined'; session: string; ringing: string[] }
  | { type: 'ring'; leg: string; from: string; to: string; callerName: string | null }
  | { type: 'answered'; leg: string }
  | { type: 'held'; leg: string; on: boolean }
  | { type: 'keys'; leg: string; digits: string }
  | { type: 'heard'; leg: string; kind: string; what: string }
  | { type: 'ended'; leg: string; because: string }
  | { type: 'ping' };

/** An error of the exchange, with its sentence. */
export class PhoneError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * The exchange sends something every ten seconds; a connection silent for more than two of those
 * intervals is closed.
 */
const silenceTimeoutMs = 25_000;

interface PeerLink {
  connection: RTCPeerConnection;
  speaker: HTMLAudioElement;
  sender: RTCRtpSender | null;
}

export class MediaClient {
  readonly #options: MediaClientOptions;
  readonly #listeners = new Set<() => void>();
  readonly #wires = new Map<string, PeerLink>();
  readonly #answerOnRing = new Set<string>();
  #snapshot: PhoneSnapshot;
  #session: string | null = null;
  #running: AbortController | null = null;
  #stream: AbortController | null = null;
  #voice: Promise<MediaStreamTrack> | null = null;
  #closeVoice: (() => void) | null = null;
  #speakerId = '';
  /** Events of a leg that arrived before the response to our dial request with its ID. */
  #early: MediaEvent[] = [];
  #dialling = 0;

  constructor(options: MediaClientOptions) {
    this.#options = options;
    this.#snapshot = {
      connection: 'left',
      lines: [],
      muted: false,
      microphone: options.synthetic
        ? { kind: 'synthetic', because: 'chosen' }
        : { kind: 'device', deviceId: null },
    };
  }

  snapshot = (): PhoneSnapshot => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Available microphones and speakers. Names are empty until microphone access was granted once.
   */
  static async devices(): Promise<{ microphones: MediaDeviceInfo[]; speakers: MediaDeviceInfo[] }> {
    const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    return {
      microphones: all.filter((d) => d.kind === 'audioinput'),
      speakers: all.filter((d) => d.kind === 'audiooutput'),
    };
  }

  /**
   * Registers this phone and rejoins whenever the connection is lost. Resolves after the first
   * join; rejects when the token is refused.
   */
  async join(): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    await new Promise<void>((resolve, reject) => {
      void this.#stayJoined(running, resolve, reject);
    });
  }

  /** The network came back: the old connection may be dead, so join again. Calls continue. */
  rejoin = (): void => this.#stream?.abort();

  /** Ends all calls and unregisters. */
  leave(): void {
    this.#running?.abort();
    this.#running = null;
    this.#session = null;
    for (const leg of this.#wires.keys()) this.#unplug(leg);
    this.#closeVoice?.();
    this.#change({ connection: 'left', lines: [] });
  }

  /**
   * Dials a number. Resolves to the leg once the exchange accepted the call, which can still be
   * busy or declined.
   */
  async dial(to: string): Promise<string> {
    const { connection, sdp } = await this.#offer();
    this.#dialling++;
    try {
      const taken = await this.#say<{ leg: string; from: string; to: string; sdp: string }>(
        'dial',
        { to, sdp },
      );
      this.#change({
        lines: [
          ...this.#snapshot.lines,
          {
            leg: taken.leg,
            direction: 'out',
            state: 'dialling',
            from: taken.from,
            to: taken.to,
            callerName: null,
            held: false,
            startedAt: Date.now(),
            answeredAt: null,
          },
        ],
      });
      await this.#plug(taken.leg, connection, taken.sdp);
      for (const event of this.#early.splice(0)) this.#hear(event);
      return taken.leg;
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      this.#dialling--;
    }
  }

  /**
   * Answers a ringing call. Throws PhoneError (409) when another device answered or the caller hung
   * up.
   */
  async answer(leg: string): Promise<void> {
    const { connection, sdp } = await this.#offer();
    try {
      const taken = await this.#say<{ sdp: string }>('answer', { leg, sdp });
      await this.#plug(leg, connection, taken.sdp);
      this.#line(leg, { state: 'answered', answeredAt: Date.now() });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /**
   * Answers this leg automatically when it rings: a call placed from the app rings the device that
   * placed it.
   */
  autoAnswer(leg: string): void {
    if (this.#snapshot.lines.some((line) => line.leg === leg && line.state === 'ringing'))
      void this.answer(leg).catch(() => undefined);
    else this.#answerOnRing.add(leg);
  }

  async reject(leg: string): Promise<void> {
    await this.#say('reject', { leg });
  }

  /** Ends a call. It is removed at once; that the exchange had ended it already is no error. */
  async hangup(leg: string): Promise<void> {
    this.#end(leg, 'hangup');
    await this.#say('hangup', { leg }).catch((error: unknown) => {
      if (!(error instanceof PhoneError) || error.status !== 409) throw error;
    });
  }

  /** Sends DTMF keys: 0-9, *, #. */
  async keys(leg: string, digits: string): Promise<void> {
    await this.#say('keys', { leg, digits });
  }

  /** Speaks into the call with the exchange's synthetic voice. */
  async speak(leg: string, text: string): Promise<void> {
    await this.#say('speak', { leg, text });
  }

  mute(on: boolean): void {
    for (const link of this.#wires.values())
      if (link.sender?.track) link.sender.track.enabled = !on;
    this.#change({ muted: on });
  }

  /** Changes the microphone, also during a call. Null: the system default; `'synthetic'`: none. */
  async setMicrophone(deviceId: string | null): Promise<void> {
    this.#closeVoice?.();
    this.#voice = null;
    this.#change({
      microphone:
        deviceId === 'synthetic'
          ? { kind: 'synthetic', because: 'chosen' }
          : { kind: 'device', deviceId },
    });
    if (this.#wires.size === 0) return;
    const track = await this.#microphone();
    for (const link of this.#wires.values()) await link.sender?.replaceTrack(track);
  }

  /**
   * Changes the speaker; '' is the system default. Ignored by browsers without speaker selection.
   */
  async setSpeaker(deviceId: string): Promise<void> {
    this.#speakerId = deviceId;
    for (const link of this.#wires.values()) await setSpeakerDevice(link.speaker, deviceId);
  }

  async #stayJoined(
    running: AbortController,
    joined: () => void,
    refused: (reason: unknown) => void,
  ): Promise<void> {
    let waitMs = 250;
    while (!running.signal.aborted) {
      this.#change({ connection: 'joining' });
      // A lost network does not end the stream.
      const stream = new AbortController();
      this.#stream = stream;
      const stop = (): void => stream.abort();
      running.signal.addEventListener('abort', stop);
      let silence = setTimeout(stop, silenceTimeoutMs);
      try {
        const token = await this.#options.token();
        const response = await fetch(`${this.#options.url}/join`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token, resume: this.#session }),
          signal: stream.signal,
        });
        if (!response.ok || !response.body)
          throw new PhoneError(response.status, await errorText(response));
        for await (const event of readJsonLines(response.body)) {
          clearTimeout(silence);
          silence = setTimeout(stop, silenceTimeoutMs);
          if (event.type === 'joined') {
            waitMs = 250;
            joined();
          }
          this.#hear(event);
        }
      } catch (error) {
        if (running.signal.aborted) break;
        // A refused token would be refused again: stop, so that the page signs in again.
        if (error instanceof PhoneError && (error.status === 401 || error.status === 403)) {
          this.#running = null;
          this.#change({ connection: 'refused' });
          refused(error);
          return;
        }
      } finally {
        clearTimeout(silence);
        running.signal.removeEventListener('abort', stop);
      }
      if (running.signal.aborted) break;
      this.#change({ connection: 'joining' });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 2, 5000);
    }
    // Left before the first join: no error.
    joined();
  }

  #hear(event: MediaEvent): void {
    if (
      this.#dialling > 0 &&
      'leg' in event &&
      event.type !== 'ring' &&
      event.type !== 'heard' &&
      !this.#snapshot.lines.some((line) => line.leg === event.leg)
    ) {
      this.#early.push(event);
      return;
    }
    switch (event.type) {
      case 'joined': {
        this.#session = event.session;
        // Calls that the exchange no longer knows ended while the connection was lost.
        for (const line of this.#snapshot.lines)
          if (!event.ringing.includes(line.leg)) this.#end(line.leg, 'failed');
        this.#change({ connection: 'ready' });
        return;
      }
      case 'ring': {
        if (this.#snapshot.lines.some((line) => line.leg === event.leg)) return;
        const line: Line = {
          leg: event.leg,
          direction: 'in',
          state: 'ringing',
          from: event.from,
          to: event.to,
          callerName: event.callerName,
          held: false,
          startedAt: Date.now(),
          answeredAt: null,
        };
        this.#change({ lines: [...this.#snapshot.lines, line] });
        if (this.#answerOnRing.delete(event.leg))
          void this.answer(event.leg).catch(() => undefined);
        else this.#options.onRing?.(line);
        return;
      }
      case 'answered':
        return this.#line(event.leg, { state: 'answered', answeredAt: Date.now() });
      case 'held':
        return this.#line(event.leg, { held: event.on });
      case 'keys':
        return this.#options.onKeys?.(event.leg, event.digits);
      case 'heard':
        return this.#options.onCaption?.(event.leg, event.kind, event.what);
      case 'ended':
        return this.#end(event.leg, event.because);
      case 'ping':
        return;
    }
  }

  #end(leg: string, because: string): void {
    this.#unplug(leg);
    const line = this.#snapshot.lines.find((one) => one.leg === leg);
    if (!line) return;
    this.#change({ lines: this.#snapshot.lines.filter((one) => one.leg !== leg) });
    this.#options.onEnded?.(line, because);
    // Release the microphone after the last call.
    if (this.#wires.size === 0) this.#closeVoice?.();
  }

  #line(leg: string, change: Partial<Line>): void {
    this.#change({
      lines: this.#snapshot.lines.map((line) => (line.leg === leg ? { ...line, ...change } : line)),
    });
  }

  #change(change: Partial<PhoneSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#options.onState?.(this.#snapshot);
    for (const listener of this.#listeners) listener();
  }

  async #say<Answer>(verb: string, body: object): Promise<Answer> {
    if (!this.#session) throw new PhoneError(0, 'The phone is not connected.');
    const response = await fetch(`${this.#options.url}/${this.#session}/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new PhoneError(response.status, await errorText(response));
    return (await response.json()) as Answer;
  }

  async #offer(): Promise<{ connection: RTCPeerConnection; sdp: string }> {
    const connection = new RTCPeerConnection({ iceServers: [] });
    const track = await this.#microphone();
    track.enabled = !this.#snapshot.muted;
    connection.addTransceiver(track, { direction: 'sendrecv' });
    await connection.setLocalDescription(await connection.createOffer());
    await iceGathered(connection);
    return { connection, sdp: connection.localDescription?.sdp ?? '' };
  }

  async #plug(leg: string, connection: RTCPeerConnection, sdp: string): Promise<void> {
    const speaker = new Audio();
    speaker.autoplay = true;
    const sender = connection.getSenders()[0] ?? null;
    this.#wires.set(leg, { connection, speaker, sender });
    connection.addEventListener('track', ({ track, streams }) => {
      const stream = streams[0] ?? new MediaStream([track]);
      speaker.srcObject = stream;
      void setSpeakerDevice(speaker, this.#speakerId);
      void speaker.play().catch(() => undefined);
      this.#options.onRemoteStream?.(leg, stream);
    });
    connection.addEventListener('connectionstatechange', () => {
      if (connection.connectionState === 'failed') void this.hangup(leg).catch(() => undefined);
    });
    await connection.setRemoteDescription({ type: 'answer', sdp });
  }

  #unplug(leg: string): void {
    const link = this.#wires.get(leg);
    if (!link) return;
    this.#wires.delete(leg);
    link.connection.close();
    link.speaker.srcObject = null;
    this.#options.onRemoteStream?.(leg, null);
  }

  /** The outbound audio track: the selected microphone, or a synthetic voice without one. */
  #microphone(): Promise<MediaStreamTrack> {
    this.#voice ??= this.#openMicrophone();
    return this.#voice;
  }

  async #openMicrophone(): Promise<MediaStreamTrack> {
    const chosen = this.#snapshot.microphone;
    if (chosen.kind === 'device') {
      try {
        const track = await microphoneTrack(chosen.deviceId);
        this.#keepVoice(() => track.stop());
        // Unplugged during a call: continue with another microphone.
        track.addEventListener('ended', () => void this.setMicrophone(null).catch(() => undefined));
        return track;
      } catch (error) {
        const refused = error instanceof DOMException && error.name === 'NotAllowedError';
        this.#change({ microphone: { kind: 'synthetic', because: refused ? 'refused' : 'none' } });
      }
    }
    const synthetic = syntheticVoice(
      typeof this.#options.synthetic === 'object' ? this.#options.synthetic.toneHz : null,
    );
    this.#keepVoice(synthetic.close);
    return synthetic.track;
  }

  #keepVoice(close: () => void): void {
    this.#closeVoice = () => {
      this.#closeVoice = null;
      this.#voice = null;
      close();
    };
  }
}

/** The selected microphone, or the system default when it is gone. */
async function microphoneTrack(deviceId: string | null): Promise<MediaStreamTrack> {
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

/** Synthetic voice: a buzzing vowel in four syllables per second, or one steady tone. */
function syntheticVoice(toneHz: number | null): { track: MediaStreamTrack; close: () => void } {
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

/** Waits for all ICE candidates, at most a second, as there are only local ones. */
function iceGathered(connection: RTCPeerConnection): Promise<void> {
  if (connection.iceGatheringState === 'complete') return Promise.resolve();
  return new Promise((resolve) => {
    const enough = setTimeout(resolve, 1000);
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState !== 'complete') return;
      clearTimeout(enough);
      resolve();
    });
  });
}

async function* readJsonLines(body: ReadableStream<Uint8Array>): AsyncGenerator<MediaEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) if (part !== '') yield JSON.parse(part) as MediaEvent;
  }
}

async function errorText(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { message?: string } | null;
  return body?.message ?? `The phone was answered ${response.status}.`;
}

async function setSpeakerDevice(speaker: HTMLAudioElement, deviceId: string): Promise<void> {
  const choosable = speaker as HTMLAudioElement & { setSinkId?: (id: string) => Promise<void> };
  if (deviceId !== '') await choosable.setSinkId?.(deviceId).catch(() => undefined);
}
