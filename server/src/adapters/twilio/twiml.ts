import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import type { Prompt } from '../../ports/voice.ts';
import { sdk } from './api.ts';
import type { Doing } from '../doing.ts';

/** Addresses a document points at, all absolute. */
export interface Places {
  /** What should this leg do now? */
  voice(leg: string): string;
  /** What it heard is over, or keys were pressed. */
  gather(leg: string, command: string): string;
  recording(leg: string, recordingId: string): string;
  /** What happened in a conference, or after it. */
  dial(leg: string): string;
  /** A file of the product's (`company:file`). */
  file(name: string): string;
  sound(name: string): string;
}
export interface AboutLeg {
  leg: string;
  inbound: boolean;
  /** The caller was picked up (by us): before that nothing may be heard. */
  answered: boolean;
  /** Twilio's id of the leg that alone hears this one. */
  coachRef?: string | null;
}
type Voice = InstanceType<typeof VoiceResponse>;
/** Where prompts can be said: at the top, or inside a Gather. */
type Speaks = Pick<Voice, 'say' | 'play'>;

/** Seconds between two looks of a caller who is still ringing; a redirect reaches only calls that were picked up. */
const ringingLookSeconds = 2;
/** Longest that Say takes, in characters. */
const mostSaid = 4000;

export function documentOf(doing: Doing, about: AboutLeg, places: Places): string {
  const twiml = new (sdk().twiml.VoiceResponse)();
  write(twiml, doing, about, places);
  return twiml.toString();
}

function write(twiml: Voice, doing: Doing, about: AboutLeg, places: Places): void {
  const again = () => void twiml.redirect({ method: 'POST' }, places.voice(about.leg));
  switch (doing.kind) {
    case 'wait':
      // A Pause that comes first does not pick up: the caller goes on hearing it ring.
      twiml.pause({ length: about.inbound && !about.answered ? ringingLookSeconds : 60 });
      return again();
    case 'play':
      say(twiml, doing.prompts, places);
      return void twiml.redirect({ method: 'POST' }, places.gather(about.leg, doing.command));
    case 'gather': {
      const gather = twiml.gather({
        action: places.gather(about.leg, doing.command),
        method: 'POST',
        input: ['dtmf'],
        numDigits: doing.maxDigits,
        timeout: Math.max(1, Math.round(doing.timeoutSeconds)),
        // Without this "#" would end it and never be told.
        finishOnKey: doing.finishOn,
        actionOnEmptyResult: true,
      });
      return say(gather, doing.prompts, places);
    }
    case 'music':
      return void twiml.play(
        { loop: 0 },
        doing.file
          ? places.file(doing.file)
          : places.sound(
              doing.musicId === null
                ? 'ringing'
                : `music-${[1, 2, 3].includes(doing.musicId) ? doing.musicId : 1}`,
            ),
      );
    case 'room': {
      const dial = twiml.dial({ action: places.dial(about.leg), method: 'POST' });
      dial.conference(
        {
          startConferenceOnEnter: true,
          endConferenceOnExit: false,
          beep: 'false',
          muted: doing.muted,
          waitUrl: '',
          ...(doing.coach && about.coachRef ? { coach: about.coachRef } : {}),
          statusCallback: places.dial(about.leg),
          statusCallbackMethod: 'POST',
          statusCallbackEvent: ['join', 'leave'],
          participantLabel: about.leg,
        },
        doing.room,
      );
      return;
    }
    case 'keys':
      twiml.play({ digits: doing.digits });
      return write(twiml, doing.then, about, places);
    case 'record':
      twiml.record({
        action: places.recording(about.leg, doing.recordingId),
        method: 'POST',
        recordingStatusCallback: places.recording(about.leg, doing.recordingId),
        recordingStatusCallbackMethod: 'POST',
        recordingStatusCallbackEvent: ['completed', 'absent'],
        maxLength: doing.maxSeconds,
        timeout: doing.silenceSeconds,
        finishOnKey: '#',
        playBeep: doing.beep,
        trim: 'do-not-trim',
      });
      // Only who said nothing at all comes past a Record.
      return void twiml.hangup();
    case 'hangup':
      return void twiml.hangup();
    case 'reject':
      return void twiml.reject({ reason: doing.because === 'busy' ? 'busy' : 'rejected' });
  }
}

function say(to: Speaks, prompts: readonly Prompt[], places: Places): void {
  for (const prompt of prompts) {
    if (prompt.kind === 'say')
      to.say({ language: (prompt.language ?? 'en-US') as 'en-US' }, prompt.text.slice(0, mostSaid));
    else if (prompt.kind === 'play') to.play({}, places.file(prompt.fileId));
    else to.play({}, places.sound('beep'));
  }
}

/** The answer to a text: none. Replies are sent like any other text, so that they are stored first. */
export const noReply = (): string => new (sdk().twiml.MessagingResponse)().toString();
