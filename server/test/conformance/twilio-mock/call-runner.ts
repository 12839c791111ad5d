import { bridgeAudio } from '../audio-bridge.ts';
import { dialSip } from '../sip-trunk.ts';
import { readVerbs, type Verb } from '../xml-verbs.ts';
import {
  pause,
  second,
  sidOf,
  type Form,
  type SimulatedCall,
  type TwilioAccount,
} from './account.ts';

/** The verbs of a TwiML document. */
const parseTwiml = (xml: string): Verb[] => readVerbs(xml, ['Response']) ?? [];

export const isOver = (call: SimulatedCall): boolean =>
  ['completed', 'busy', 'no-answer', 'canceled', 'failed'].includes(call.status);

function pickUp(call: SimulatedCall): void {
  if (call.status === 'ringing') call.status = 'in-progress';
}

/** Sleeps until the time is over, or a key, a redirect or a hang-up ends it. */
const sleep = (call: SimulatedCall, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    call.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Runs the TwiML of calls and plays their far ends. */
export class CallRunner {
  constructor(private readonly account: TwilioAccount) {}

  /** Fetches the call's first document and runs it. */
  start(call: SimulatedCall): void {
    this.account.inBackground(async () => this.run(call, await this.fetchDocument(call, call.url)));
  }

  answer(call: SimulatedCall, keys = ''): void {
    if (isOver(call)) return;
    call.status = 'in-progress';
    call.keys = keys;
    this.account.report(call, 'in-progress');
    this.start(call);
  }

  /** Rings the far end of a call that was created. */
  async ring(call: SimulatedCall): Promise<void> {
    const { account } = this;
    await pause(5);
    if (isOver(call)) return;
    account.report(call, 'initiated');
    if (call.to.startsWith('sip:')) {
      if (!account.faults.trunksLate) this.#dialTrunk(call);
      return;
    }
    if (account.busy.has(call.to)) return this.end(call, 'busy', '486');
    call.status = 'ringing';
    account.report(call, 'ringing');
  }

  #dialTrunk(call: SimulatedCall): void {
    call.sip = dialSip(call.to, call.from, {
      ringing: () => {
        if (call.status !== 'queued') return;
        call.status = 'ringing';
        this.account.report(call, 'ringing');
      },
      answered: () => this.answer(call),
      ended: (code) => this.end(call, statusOfSip(code), code === 0 ? undefined : String(code)),
    });
  }

  /** Runs a document until it ends, is replaced (`run` changes) or the call is over. */
  async run(call: SimulatedCall, xml: string): Promise<void> {
    const current = ++call.run;
    const isRunning = () => call.run === current && !isOver(call) && !this.account.closed;
    this.#leaveRoom(call);
    let document = xml;
    for (let rounds = 0; rounds < 3000 && isRunning(); rounds++) {
      let next: string | null = null;
      for (const verb of parseTwiml(document)) {
        if (!isRunning()) return;
        next = await this.#perform(call, verb, isRunning);
        if (next !== null) break;
      }
      if (!isRunning()) return;
      if (next === null) return this.end(call, 'completed');
      document = next;
    }
  }

  async fetchDocument(call: SimulatedCall, url: string, form: Form = {}): Promise<string> {
    const { account } = this;
    const asked = { ...account.about(call), ...form };
    const copies = Array.from({ length: account.faults.twice ? 2 : 1 }, () =>
      account.post(url, asked),
    );
    const { body } = (await Promise.all(copies))[0]!;
    account.documents.push(body);
    return body;
  }

  /** Performs a verb. Returns the document that replaces this one; null: go on with the next verb. */
  async #perform(
    call: SimulatedCall,
    verb: Verb,
    isRunning: () => boolean,
  ): Promise<string | null> {
    const { attributes } = verb;
    switch (verb.name) {
      case 'Pause':
        await sleep(call, Number(attributes['length'] ?? 1) * second);
        return null;
      case 'Redirect':
        return this.fetchDocument(call, verb.text);
      case 'Say':
      case 'Play':
        return this.#play(call, verb, isRunning);
      case 'Gather':
        return this.#gather(call, verb, isRunning);
      case 'Record':
        return this.#record(call, verb, isRunning);
      case 'Dial':
        return this.#joinConference(call, verb, isRunning);
      case 'Hangup':
        this.end(call, 'completed');
        return '';
      case 'Reject':
        this.end(call, attributes['reason'] === 'busy' ? 'busy' : 'no-answer');
        return '';
      default:
        throw new Error(`this Twilio does not know <${verb.name}>`);
    }
  }

  async #play(
    call: SimulatedCall,
    { name, attributes, text }: Verb,
    isRunning: () => boolean,
  ): Promise<null> {
    const { digits } = attributes;
    const file = text.replace(this.account.options.publicUrl, '').split('?')[0];
    pickUp(call);
    call.heard.push(name === 'Say' ? `say ${text}` : digits ? `keys ${digits}` : `play ${file}`);
    if (attributes['loop'] === '0') while (isRunning()) await sleep(call, 60 * second);
    else await sleep(call, digits ? 5 : 100);
    return null;
  }

  async #gather(
    call: SimulatedCall,
    { attributes, children }: Verb,
    isRunning: () => boolean,
  ): Promise<string | null> {
    pickUp(call);
    for (const prompt of children)
      if (isRunning() && !call.keys) await this.#perform(call, prompt, isRunning);
    const until = Date.now() + Number(attributes['timeout'] ?? 5) * this.account.pace.keys;
    const maxDigits = Number(attributes['numDigits'] ?? 1);
    const finishKey = attributes['finishOnKey'] ?? '#';
    const isComplete = () =>
      call.keys.length >= maxDigits || (finishKey !== '' && call.keys.includes(finishKey));
    while (isRunning() && !isComplete() && Date.now() < until)
      await sleep(call, Math.max(1, until - Date.now()));
    if (!isRunning()) return '';
    const pressed = call.keys.slice(0, maxDigits);
    call.keys = call.keys.slice(maxDigits);
    const digits = finishKey === '' ? pressed : pressed.split(finishKey)[0]!;
    if (!pressed && attributes['actionOnEmptyResult'] !== 'true') return null;
    return this.fetchDocument(call, attributes['action']!, { Digits: digits });
  }

  async #record(
    call: SimulatedCall,
    { attributes }: Verb,
    isRunning: () => boolean,
  ): Promise<string> {
    pickUp(call);
    call.heard.push('beep');
    const action = attributes['action']!;
    const callback = attributes['recordingStatusCallback']!;
    call.message = { action, callback, began: Date.now() };
    while (isRunning() && !call.keys.includes('#')) await sleep(call, 120 * second);
    if (!isRunning()) return '';
    call.keys = '';
    return this.fetchDocument(call, action, this.#finishMessage(call));
  }

  async #joinConference(
    call: SimulatedCall,
    { children }: Verb,
    isRunning: () => boolean,
  ): Promise<string> {
    const conference = children.find((child) => child.name === 'Conference');
    if (!conference) throw new Error('this Twilio dials conferences only');
    const { text: name, attributes } = conference;
    const { rooms, calls } = this.account;
    pickUp(call);
    call.room = name;
    const room = rooms.get(name) ?? {
      callback: attributes['statusCallback']!,
      members: new Set<string>(),
      sid: sidOf('CF'),
    };
    rooms.set(name, room);
    room.members.add(call.sid);
    call.heard.push(`room ${name}`);
    bridgeAudio([...room.members].flatMap((sid) => calls.get(sid) ?? []));
    this.#reportConference(call, room, 'participant-join', '1');
    while (isRunning()) await sleep(call, 600 * second);
    return '';
  }

  #leaveRoom(call: SimulatedCall): void {
    const { rooms, calls } = this.account;
    const room = call.room === null ? undefined : rooms.get(call.room);
    if (!room) return;
    room.members.delete(call.sid);
    call.room = null;
    bridgeAudio([call]);
    bridgeAudio([...room.members].flatMap((sid) => calls.get(sid) ?? []));
    this.#reportConference(call, room, 'participant-leave', '2');
  }

  #reportConference(
    call: SimulatedCall,
    room: { callback: string; sid: string },
    event: string,
    sequence: string,
  ): void {
    this.account.notify(room.callback, {
      AccountSid: this.account.options.accountSid,
      ConferenceSid: room.sid,
      CallSid: call.sid,
      StatusCallbackEvent: event,
      SequenceNumber: sequence,
    });
  }

  /** Stores the caller's message and reports it. Returns what its action is posted. */
  #finishMessage(call: SimulatedCall): Form {
    const { account } = this;
    const { callback, began } = call.message!;
    call.message = null;
    const sid = sidOf('RE');
    account.recordings.set(sid, { sid, status: 'completed', callSid: call.sid });
    const measured = Math.max(1, Math.floor((Date.now() - began) / second));
    const form = {
      RecordingSid: sid,
      RecordingUrl: account.recordingUrl(sid),
      RecordingDuration: String(call.messageSeconds ?? measured),
    };
    account.notify(callback, {
      ...account.about(call),
      ...form,
      RecordingStatus: 'completed',
      RecordingChannels: '1',
      RecordingSource: 'RecordVerb',
    });
    return form;
  }

  /** Ends a call on either side. `sip`: the SIP response code that ended it. */
  end(call: SimulatedCall, status: string, sip?: string): void {
    if (isOver(call)) return;
    const { account } = this;
    const { message } = call;
    this.#leaveRoom(call);
    call.status = status;
    call.sip?.hangUp();
    call.run++;
    call.wake();
    if (message)
      account.inBackground(() =>
        account.post(message.action, { ...account.about(call), ...this.#finishMessage(call) }),
      );
    if (call.recording) this.#finishRecording(call, call.recording);
    account.report(call, status, { CallDuration: '1', ...(sip ? { SipResponseCode: sip } : {}) });
  }

  #finishRecording(
    call: SimulatedCall,
    { sid, callback }: NonNullable<SimulatedCall['recording']>,
  ): void {
    const { account } = this;
    account.recordings.get(sid)!.status = 'completed';
    account.notify(callback, {
      ...account.about(call),
      RecordingSid: sid,
      RecordingUrl: account.recordingUrl(sid),
      RecordingStatus: 'completed',
      RecordingDuration: '7',
      RecordingChannels: '2',
      RecordingSource: 'StartCallRecordingAPI',
    });
  }
}

/** The call status that Twilio gives to a SIP response code; 0: it was answered and has ended. */
function statusOfSip(code: number): string {
  if (code === 0) return 'completed';
  if (code === 486 || code === 600 || code === 603) return 'busy';
  return code === 480 || code === 408 || code === 487 ? 'no-answer' : 'failed';
}
