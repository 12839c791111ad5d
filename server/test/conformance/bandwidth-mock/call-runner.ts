import { randomUUID } from 'node:crypto';
import { bridgeAudio } from '../audio-bridge.ts';
import { dialSip } from '../sip-trunk.ts';
import { readVerbs, type Verb } from '../xml-verbs.ts';
import { pause, second, type BandwidthAccount, type BandwidthCall, type Body } from './account.ts';

function parseBxml(xml: string): Verb[] {
  const verbs = readVerbs(xml, ['Bxml', 'Response']);
  if (!verbs) throw new Error(`not a document: ${xml.slice(0, 80)}`);
  return verbs;
}

export const isOver = (call: BandwidthCall): boolean => call.state === 'disconnected';

function pickUp(call: BandwidthCall): void {
  if (call.state !== 'initiated') return;
  call.state = 'answered';
  call.answerTime = new Date().toISOString();
}

/** Whether a verb answers a call that rings. */
const answersCall = ({ name, attributes }: Verb): boolean =>
  !['Ring', 'Redirect', 'Hangup'].includes(name) ||
  (name === 'Ring' && attributes['answerCall'] !== 'false');

/** Sleeps until the time is over, or a key, a new document or a hang-up ends it. */
const sleep = (call: BandwidthCall, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    call.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Runs the BXML of calls and plays their far ends. */
export class CallRunner {
  constructor(private readonly account: BandwidthAccount) {}

  /** Fetches the call's first document and runs it. */
  start(call: BandwidthCall, eventType: 'initiate' | 'answer'): void {
    this.account.inBackground(async () =>
      this.run(call, await this.#fetchDocument(call, null, call.answerUrl, eventType)),
    );
  }

  answer(call: BandwidthCall, keys = ''): void {
    if (isOver(call)) return;
    call.state = 'answered';
    call.answerTime = new Date().toISOString();
    call.keys = keys;
    this.start(call, 'answer');
  }

  /** Rings the far end of a call that was created. */
  async ring(call: BandwidthCall): Promise<void> {
    const { account } = this;
    await pause(5);
    if (isOver(call)) return;
    if (call.to.startsWith('sip:')) {
      if (account.faults.trunksLate) return;
      call.sip = dialSip(call.to, call.from, {
        ringing: () => {
          if (call.state === 'queued') call.state = 'initiated';
        },
        answered: () => this.answer(call),
        ended: (code) => this.end(call, causeOfSip(code)),
      });
      return;
    }
    call.state = 'initiated';
    if (account.busy.has(call.to)) this.end(call, 'busy');
  }

  /** Runs a document until it ends, is replaced (`run` changes) or the call is over. */
  async run(call: BandwidthCall, xml: string): Promise<void> {
    const current = ++call.run;
    const isRunning = () => call.run === current && !isOver(call) && !this.account.closed;
    this.#leaveRoom(call);
    let document = xml;
    for (let rounds = 0; rounds < 3000 && isRunning(); rounds++) {
      let next: string | null = null;
      for (const verb of parseBxml(document)) {
        if (!isRunning()) return;
        next = await this.#perform(call, verb, isRunning);
        if (next !== null) break;
      }
      if (!isRunning()) return;
      if (next === null) return this.end(call, 'hangup');
      document = next;
    }
  }

  async #fetchDocument(
    call: BandwidthCall,
    verb: Verb | null,
    url: string,
    eventType: string,
    more: Body = {},
  ): Promise<string> {
    const { account } = this;
    const { webhook } = account.options;
    // Webhooks of a verb without credentials come without them, and the product refuses those.
    const hasCredentials =
      verb?.attributes['username'] === webhook.username &&
      verb.attributes['password'] === webhook.password;
    if (verb && !hasCredentials)
      account.errors.push(`a verb names no credentials for ${eventType}`);
    const asked = { ...account.about(call, eventType), ...more };
    const copies = Array.from({ length: account.faults.twice ? 2 : 1 }, () =>
      account.post(url, asked),
    );
    const { body } = (await Promise.all(copies))[0]!;
    account.documents.push(body);
    return body;
  }

  /** Performs a verb. Returns the document that replaces this one; null: go on with the next verb. */
  async #perform(
    call: BandwidthCall,
    verb: Verb,
    isRunning: () => boolean,
  ): Promise<string | null> {
    const { name, attributes } = verb;
    if (answersCall(verb)) pickUp(call);
    switch (name) {
      case 'Ring':
      case 'Pause':
        await sleep(call, Number(attributes['duration'] ?? (name === 'Ring' ? 5 : 1)) * second);
        return null;
      case 'Redirect':
        return this.#fetchDocument(call, verb, attributes['redirectUrl']!, 'redirect');
      case 'SpeakSentence':
      case 'PlayAudio':
        return this.#play(call, verb);
      case 'SendDtmf':
        call.heard.push(`keys ${verb.text}`);
        return null;
      case 'StartRecording':
        return this.#startRecording(call, attributes['recordingAvailableUrl']!);
      case 'StopRecording':
        this.#finishRecording(call);
        return null;
      case 'Gather':
        return this.#gather(call, verb, isRunning);
      case 'Record':
        return this.#record(call, verb, isRunning);
      case 'Conference':
        return this.#joinConference(call, verb, isRunning);
      case 'Hangup':
        this.end(call, call.state === 'answered' ? 'hangup' : 'rejected');
        return '';
      default:
        this.account.errors.push(`this Bandwidth does not know <${name}>`);
        this.end(call, 'invalid-bxml');
        return '';
    }
  }

  async #play(call: BandwidthCall, { name, text }: Verb): Promise<null> {
    const isBeep = text.endsWith('/beep.wav');
    const file = text.replace(this.account.options.publicUrl, '').split('?')[0];
    if (name === 'SpeakSentence') call.heard.push(`say ${text}`);
    else call.heard.push(isBeep ? 'beep' : `play ${file}`);
    await sleep(call, isBeep ? 5 : 100);
    return null;
  }

  #startRecording(call: BandwidthCall, url: string): null {
    if (call.recording) this.account.errors.push('a recording was started while one runs');
    const id = `r-${randomUUID()}`;
    this.account.recordings.set(id, { id, callId: call.callId });
    call.recording = { id, url, began: Date.now() };
    return null;
  }

  async #gather(call: BandwidthCall, verb: Verb, isRunning: () => boolean): Promise<string | null> {
    const { attributes, children } = verb;
    for (const prompt of children)
      if (isRunning() && !call.keys) await this.#perform(call, prompt, isRunning);
    const maxDigits = Number(attributes['maxDigits'] ?? 50);
    const finishKey = attributes['terminatingDigits'] ?? '';
    await this.#awaitKeys(call, verb, isRunning, () => {
      const isFinished = finishKey !== '' && call.keys.includes(finishKey);
      return isFinished || call.keys.length >= maxDigits;
    });
    if (!isRunning()) return '';
    const pressed = call.keys.slice(0, maxDigits);
    call.keys = call.keys.slice(maxDigits);
    return this.#fetchDocument(call, verb, attributes['gatherUrl']!, 'gather', {
      digits: finishKey === '' ? pressed : pressed.split(finishKey)[0]!,
      ...(finishKey && pressed.includes(finishKey) ? { terminatingDigit: finishKey } : {}),
    });
  }

  /** Waits for the keys of a Gather: for the first one, and then for each further one. */
  async #awaitKeys(
    call: BandwidthCall,
    { attributes }: Verb,
    isRunning: () => boolean,
    isComplete: () => boolean,
  ): Promise<void> {
    const timeoutOf = (attribute: string) =>
      Number(attributes[attribute] ?? 5) * this.account.pace.keys;
    let until = Date.now() + timeoutOf('firstDigitTimeout');
    let pressed = call.keys.length;
    while (isRunning() && !isComplete() && Date.now() < until) {
      await sleep(call, Math.max(1, until - Date.now()));
      if (call.keys.length <= pressed) continue;
      pressed = call.keys.length;
      until = Date.now() + timeoutOf('interDigitTimeout');
    }
  }

  async #record(call: BandwidthCall, verb: Verb, isRunning: () => boolean): Promise<string> {
    const { attributes } = verb;
    call.message = { url: attributes['recordingAvailableUrl']!, began: Date.now() };
    while (isRunning() && !call.keys.includes('#')) await sleep(call, 120 * second);
    if (!isRunning()) return '';
    call.keys = '';
    this.#finishMessage(call);
    return this.#fetchDocument(call, verb, attributes['recordCompleteUrl']!, 'recordComplete');
  }

  async #joinConference(
    call: BandwidthCall,
    { text: name, attributes }: Verb,
    isRunning: () => boolean,
  ): Promise<string> {
    const { rooms, calls } = this.account;
    const room = rooms.get(name) ?? {
      callback: attributes['conferenceEventUrl']!,
      members: new Set<string>(),
      id: `conf-${randomUUID()}`,
    };
    rooms.set(name, room);
    room.members.add(call.callId);
    call.room = name;
    call.heard.push(`room ${name}`);
    bridgeAudio([...room.members].flatMap((id) => calls.get(id) ?? []));
    this.#reportConference(call, room, 'conferenceMemberJoin');
    while (isRunning()) await sleep(call, 600 * second);
    return '';
  }

  #leaveRoom(call: BandwidthCall): void {
    const { rooms, calls } = this.account;
    const room = call.room === null ? undefined : rooms.get(call.room);
    if (!room) return;
    room.members.delete(call.callId);
    bridgeAudio([call]);
    bridgeAudio([...room.members].flatMap((id) => calls.get(id) ?? []));
    if (!room.members.size) rooms.delete(call.room!);
    this.#reportConference(call, room, 'conferenceMemberExit');
    call.room = null;
  }

  #reportConference(
    call: BandwidthCall,
    room: { callback: string; id: string },
    eventType: string,
  ): void {
    this.account.notify(room.callback, {
      eventType,
      eventTime: new Date().toISOString(),
      conferenceId: room.id,
      name: call.room,
      callId: call.callId,
      from: call.from,
      to: call.to,
    });
  }

  #finishMessage(call: BandwidthCall): void {
    const { url, began } = call.message!;
    call.message = null;
    const measured = Math.max(1, Math.floor((Date.now() - began) / second));
    this.#reportRecording(call, `r-${randomUUID()}`, url, call.messageSeconds ?? measured, 1);
  }

  #finishRecording(call: BandwidthCall): void {
    if (!call.recording) return;
    this.#reportRecording(call, call.recording.id, call.recording.url, 7, 2);
    call.recording = null;
  }

  #reportRecording(
    call: BandwidthCall,
    id: string,
    url: string,
    seconds: number,
    channels: number,
  ): void {
    const { account } = this;
    account.recordings.set(id, { id, callId: call.callId });
    account.notify(url, {
      ...account.about(call, 'recordingAvailable'),
      recordingId: id,
      mediaUrl: `${account.callUrl(call)}/recordings/${id}/media`,
      duration: `PT${seconds}S`,
      channels,
      fileFormat: 'wav',
      status: 'complete',
    });
  }

  /** Ends a call on either side. */
  end(call: BandwidthCall, cause: string): void {
    if (isOver(call)) return;
    const { account } = this;
    this.#leaveRoom(call);
    call.state = 'disconnected';
    call.cause = cause;
    call.sip?.hangUp();
    call.run++;
    call.wake();
    if (call.message) this.#finishMessage(call);
    this.#finishRecording(call);
    if (call.disconnectUrl)
      account.notify(call.disconnectUrl, {
        ...account.about(call, 'disconnect'),
        endTime: new Date().toISOString(),
        cause,
      });
  }
}

/** The cause that Bandwidth gives to a SIP response code; 0: it was answered and has ended. */
function causeOfSip(code: number): string {
  if (code === 0) return 'hangup';
  if (code === 486 || code === 600) return 'busy';
  if (code === 480 || code === 408 || code === 487) return 'timeout';
  return code === 603 ? 'rejected' : 'error';
}
