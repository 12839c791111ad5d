import type { Leg } from './leg.ts';
import type { Recordings } from './recordings.ts';
import type { Sound, Sounds } from './sounds.ts';

/** Attempts at synthesizing a phone's text before it is dropped. */
const maxSpeechTries = 3;
/** Delay after joining a call, so that a recording started with the bridge has the first word. */
const speakDelayMs = 350;

/**
 * Speaks text in place of phones that have no microphone: scripted phones, and handsets on request.
 */
export class PhoneSpeech {
  constructor(
    private readonly sounds: Sounds,
    private readonly recordings: Recordings,
  ) {}

  /** Speaks for this phone now, or as soon as someone can hear it. */
  async speak(leg: Leg, text: string): Promise<void> {
    leg.pendingSpeech = leg.pendingSpeech === null ? text : `${leg.pendingSpeech} ${text}`;
    if (leg.partner || leg.room || this.recordings.isLeavingVoicemail(leg))
      await this.speakPending(leg);
  }

  /** Speaks the text that is waiting, if there is any. */
  async speakPending(leg: Leg): Promise<void> {
    const text = leg.pendingSpeech;
    if (text === null) return;
    leg.pendingSpeech = null;
    leg.preparingSpeech = true;
    const sound = await this.#synthesize(leg, text);
    leg.preparingSpeech = false;
    if (leg.state === 'answered') leg.speak(text, sound, performance.now());
  }

  async #synthesize(leg: Leg, text: string): Promise<Sound> {
    let sound = await this.sounds.speech(text);
    // On a busy machine speech synthesis sometimes gives up, and this text is spoken only once.
    for (let tries = 1; tries < maxSpeechTries && sound.frames.length === 0; tries++) {
      if (leg.state !== 'answered') break;
      sound = await this.sounds.speech(text);
    }
    return sound;
  }

  /** Speaks the text that is waiting shortly after the leg was joined to others. */
  speakAfterJoining(leg: Leg): void {
    if (leg.pendingSpeech === null) return;
    void this.sounds.speech(leg.pendingSpeech);
    setTimeout(() => {
      if (leg.partner || leg.room) void this.speakPending(leg);
    }, speakDelayMs).unref();
  }
}
