/**
 * A phone in the browser: joins the media plane with a token, rings, answers, dials and talks by
 * WebRTC. Used by the agent's in-app phone and by the virtual handset. Plain TypeScript, no
 * framework: read `snapshot()` and `subscribe()` to its changes (both are bound, for React's
 * useSyncExternalStore).
 *
 *   const phone = new MediaClient({
 *     url,
 *     token: async () => (await api(…)).token,
 *     onRing: (line) => …,
 *   });
 *   await phone.join();
 *   phone.answer(line.leg) · phone.dial('+14155552368') · phone.keys(leg, '2')
 *   phone.mute(true) · phone.hangup(leg)
 *
 * Signaling is `POST {url}/join`, whose response streams events as one JSON object per line, and
 * `POST {url}/{session}/{verb}`. Offers always come from this side, with all candidates. Without a
 * microphone a synthetic voice is sent, so that calls can always be tried.
 */

import { OutboundAudio } from './outbound-audio.ts';
import { createOffer, PeerLinks } from './peer-links.ts';
import type { MediaClientOptions, PhoneSnapshot } from './phone-types.ts';
import { newLine, PhoneState } from './phone-state.ts';
import { MediaSession } from './media-session.ts';
import { PhoneError, type MediaEvent } from './signaling.ts';

export type { Line, PhoneSnapshot } from './phone-types.ts';
export { PhoneError } from './signaling.ts';

export class MediaClient {
  readonly #options: MediaClientOptions;
  readonly #links: PeerLinks;
  readonly #audio: OutboundAudio;
  readonly #answerOnRing = new Set<string>();
  readonly #state: PhoneState;
  readonly #session: MediaSession;
  /** Events of a leg that arrived before the response to our dial request with its ID. */
  #early: MediaEvent[] = [];
  #dialling = 0;

  constructor(options: MediaClientOptions) {
    this.#options = options;
    this.#state = new PhoneState(Boolean(options.synthetic), options.onState);
    this.#session = new MediaSession({
      url: options.url,
      token: options.token,
      onJoining: () => this.#state.change({ connection: 'joining' }),
      onEvent: (event) => this.#handle(event),
      onRefused: () => this.#state.change({ connection: 'refused' }),
    });
    this.#links = new PeerLinks(
      (leg, stream) => this.#options.onRemoteStream?.(leg, stream),
      (leg) => void this.hangup(leg).catch(() => undefined),
    );
    this.#audio = new OutboundAudio({
      toneHz: typeof options.synthetic === 'object' ? options.synthetic.toneHz : null,
      selected: () => this.#state.snapshot.microphone,
      onFallback: (because) => this.#state.change({ microphone: { kind: 'synthetic', because } }),
      // Continue with another microphone.
      onUnplugged: () => void this.setMicrophone(null).catch(() => undefined),
    });
  }

  snapshot = (): PhoneSnapshot => this.#state.snapshot;

  subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /**
   * Registers this phone and rejoins whenever the connection is lost. Resolves after the first
   * join; rejects when the token is refused.
   */
  join(): Promise<void> {
    return this.#session.join();
  }

  /** The network came back: the old connection may be dead, so join again. Calls continue. */
  rejoin = (): void => this.#session.rejoin();

  /** Ends all calls and unregisters. */
  leave(): void {
    this.#session.leave();
    this.#links.disconnectAll();
    this.#audio.release();
    this.#state.change({ connection: 'left', lines: [] });
  }

  /**
   * Dials a number. Resolves to the leg once the exchange accepted the call, which can still be
   * busy or declined.
   */
  async dial(to: string, shownAs = ''): Promise<string> {
    const { connection, sdp } = await this.#offer();
    this.#dialling++;
    try {
      const taken = await this.#session.send<{
        leg: string;
        from: string;
        to: string;
        sdp: string;
      }>('dial', { to, sdp, ...(shownAs && { shownAs }) });
      this.#state.change({
        lines: [...this.#state.snapshot.lines, newLine(taken, 'out', null)],
      });
      await this.#links.connect(taken.leg, connection, taken.sdp);
      for (const event of this.#early.splice(0)) this.#handle(event);
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
      const taken = await this.#session.send<{ sdp: string }>('answer', { leg, sdp });
      await this.#links.connect(leg, connection, taken.sdp);
      this.#state.changeLine(leg, { state: 'answered', answeredAt: Date.now() });
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
    if (this.#state.snapshot.lines.some((line) => line.leg === leg && line.state === 'ringing'))
      void this.answer(leg).catch(() => undefined);
    else this.#answerOnRing.add(leg);
  }

  async reject(leg: string): Promise<void> {
    await this.#session.send('reject', { leg });
  }

  /** Ends a call. It is removed at once; that the exchange had ended it already is no error. */
  async hangup(leg: string): Promise<void> {
    this.#end(leg, 'hangup');
    await this.#session.send('hangup', { leg }).catch((error: unknown) => {
      if (!(error instanceof PhoneError) || error.status !== 409) throw error;
    });
  }

  /** Sends DTMF keys: 0-9, *, #. */
  async keys(leg: string, digits: string): Promise<void> {
    await this.#session.send('keys', { leg, digits });
  }

  /** Speaks into the call with the exchange's synthetic voice. */
  async speak(leg: string, text: string): Promise<void> {
    await this.#session.send('speak', { leg, text });
  }

  mute(on: boolean): void {
    this.#links.mute(on);
    this.#state.change({ muted: on });
  }

  /** Changes the microphone, also during a call. Null: the system default; `'synthetic'`: none. */
  async setMicrophone(deviceId: string | null): Promise<void> {
    this.#audio.reset();
    this.#state.change({
      microphone:
        deviceId === 'synthetic'
          ? { kind: 'synthetic', because: 'chosen' }
          : { kind: 'device', deviceId },
    });
    if (this.#links.size > 0) await this.#links.replaceTrack(await this.#audio.track());
  }

  /**
   * Changes the speaker; '' is the system default. Ignored by browsers without speaker selection.
   */
  async setSpeaker(deviceId: string): Promise<void> {
    await this.#links.setSpeaker(deviceId);
  }

  #handle(event: MediaEvent): void {
    if (
      this.#dialling > 0 &&
      'leg' in event &&
      event.type !== 'ring' &&
      event.type !== 'heard' &&
      !this.#state.snapshot.lines.some((line) => line.leg === event.leg)
    ) {
      this.#early.push(event);
      return;
    }
    switch (event.type) {
      case 'joined': {
        // Calls that the exchange no longer knows ended while the connection was lost.
        for (const line of this.#state.snapshot.lines)
          if (!event.ringing.includes(line.leg)) this.#end(line.leg, 'failed');
        this.#state.change({ connection: 'ready' });
        return;
      }
      case 'ring':
        return this.#ring(event);
      case 'answered':
        return this.#state.changeLine(event.leg, { state: 'answered', answeredAt: Date.now() });
      case 'held':
        return this.#state.changeLine(event.leg, { held: event.on });
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

  #ring(event: MediaEvent & { type: 'ring' }): void {
    if (this.#state.snapshot.lines.some((line) => line.leg === event.leg)) return;
    const line = newLine(event, 'in', event.callerName);
    this.#state.change({ lines: [...this.#state.snapshot.lines, line] });
    if (this.#answerOnRing.delete(event.leg)) void this.answer(event.leg).catch(() => undefined);
    else this.#options.onRing?.(line);
  }

  #end(leg: string, because: string): void {
    this.#links.disconnect(leg);
    const line = this.#state.snapshot.lines.find((one) => one.leg === leg);
    if (!line) return;
    this.#state.change({ lines: this.#state.snapshot.lines.filter((one) => one.leg !== leg) });
    this.#options.onEnded?.(line, because);
    // Release the microphone after the last call.
    if (this.#links.size === 0) this.#audio.release();
  }

  async #offer(): Promise<{ connection: RTCPeerConnection; sdp: string }> {
    const track = await this.#audio.track();
    track.enabled = !this.#state.snapshot.muted;
    return createOffer(track);
  }
}
