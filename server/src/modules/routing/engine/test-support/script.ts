/**
 * Runs a call written as a script through the engine, for tests:
 *
 *     caller calls            an event
 *     > ring Ann              a command the engine must give now; all of them, in order
 *     20 s pass               fires the timers due in that time
 *     = 8 No Answer           how the call ended
 *     history: 1, 5, 8        the status codes in order
 *
 * Legs are named by their destination's label; `caller` is the caller's leg.
 */
import { expect } from 'vitest';
import type { LegEndCause, Prompt, VoiceCommand, VoiceEvent } from '../../../../gateways/voice.ts';
import {
  begin,
  beginOutbound,
  compileFlow,
  step,
  type CallState,
  type EngineEvent,
  type Forward,
  type NumberConfig,
  type Route,
  type StepResult,
  type EngineInputs,
} from '../index.ts';
import { toDestination } from '../ringing/destinations.ts';
import { parseTransferLine } from './transfer-script.ts';
import { statusLabels } from '../labels.ts';

export const ourNumber = '+14155552368';
export const callerNumber = '+12125550100';
/** A Wednesday, 12:00 in New York. */
export const noon = Date.UTC(2026, 10, 18, 17, 0, 0);
export const people = { Ann: 1, Bob: 2, Cem: 3 } as const;

/** A destination for tests, by a name that scripts use. */
export function makeForward(label: string, more: Partial<Forward> = {}): Forward {
  const known = (people as Record<string, number>)[label];
  return { ...toDestination(more.userId ?? `+1212555011${known ?? 9}`), label, ...more };
}

/** A route for tests: rings Ann for 20 s, without voicemail. */
export function makeRoute(more: Partial<Route> = {}): Route {
  return {
    id: 1,
    extension: 1,
    label: '',
    type: 'standard',
    forwards: [makeForward('Ann')],
    hours: null,
    staggerSeconds: null,
    roundRobin: 'none',
    holdMusicId: null,
    callerIdPassThru: true,
    confirmKey: null,
    confirmWaitSeconds: 10,
    whisper: '',
    timeoutSeconds: 20,
    geoByState: false,
    geoByStateStaticFallback: true,
    emailAlertAddresses: [],
    voicemail: { enabled: false, greeting: null },
    afterHours: null,
    ...more,
  };
}

/** A number's configuration for tests: active, with one route. */
export function makeNumberConfig(more: Partial<NumberConfig> = {}): NumberConfig {
  return {
    company: { id: 1, name: 'Acme' },
    number: { id: 1, number: ourNumber, label: 'Main' },
    service: 'active',
    blocked: null,
    full: null,
    hops: 0,
    loops: [],
    routes: [makeRoute()],
    menuGreeting: null,
    menuFallback: null,
    voicemail: { enabled: false, greeting: null },
    record: false,
    recordingAnnouncement: 'none',
    people: [],
    ...more,
  };
}

const causes: Record<string, LegEndCause> = {
  'hangs up': 'hangup',
  'is busy': 'busy',
  declines: 'declined',
  'does not answer': 'noAnswer',
  'cannot be reached': 'failed',
};

/** The caller, and the engine's random numbers and round-robin memory. */
export type ScriptInputs = { draw?: number[]; from?: string; state?: string } & Pick<
  EngineInputs,
  'turns' | 'lastAnswered'
>;

export class ScriptedCall {
  state!: CallState;
  now = noon;
  private newCommands: VoiceCommand[] = [];
  private allCommands: VoiceCommand[] = [];
  private seq = 0;
  private last: EngineEvent | null = null;

  constructor(
    private readonly config: NumberConfig,
    private readonly more: ScriptInputs = {},
  ) {}

  applyResult(result: StepResult): void {
    this.state = result.state;
    this.newCommands.push(...result.commands);
    this.allCommands.push(...result.commands);
  }

  applyEvent(event: EngineEvent): void {
    this.last = event;
    this.applyResult(step(this.state, event, this.now));
    // The state must survive storage as JSON.
    expect(JSON.parse(JSON.stringify(this.state))).toEqual(this.state);
  }

  leg(name: string): string {
    if (name === 'caller' || name === 'agent')
      return this.state.legs.find((one) => one.role === name)?.id ?? this.state.firstLeg;
    const leg = this.state.legs.findLast((one) => one.target?.label === name);
    if (leg === undefined) throw new Error(`Nobody rang ${name}`);
    return leg.id;
  }

  private nameOf(leg: string): string {
    const found = this.state.legs.find((one) => one.id === leg);
    return found?.role === 'caller' || found?.role === 'agent'
      ? found.role
      : (found?.target?.label ?? leg);
  }

  private carrierEvent(fields: Record<string, unknown>): void {
    this.seq += 1;
    this.applyEvent({
      id: `e${this.seq}`,
      call: 'caller',
      seq: this.seq,
      at: this.now,
      ...fields,
    } as VoiceEvent);
  }

  private wait(seconds: number): void {
    const until = this.now + seconds * 1000;
    for (;;) {
      const due = this.state.timers
        .filter((timer) => timer.at <= until)
        .toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.now = Math.max(this.now, due.at);
      this.applyEvent({ type: 'timer', id: due.id });
    }
    this.now = until;
  }

  private promptEnds(leg: string, digits: string, reason: string): void {
    const prompt = this.allCommands.findLast(
      (one) =>
        (one.do === 'play' || one.do === 'gather' || one.do === 'whisper') && one.leg === leg,
    );
    const commandId = prompt?.id ?? 'none';
    this.carrierEvent({ type: 'promptEnded', leg, commandId, reason, digits });
  }

  line(line: string): void {
    let m: RegExpExecArray | null;
    const pass = parseTransferLine(line, (who) => this.leg(who));
    if (pass !== null) this.applyEvent(pass);
    else if ((m = /^(\d+) s pass$/.exec(line))) this.wait(Number(m[1]));
    else if (line === 'caller calls') {
      const { from = callerNumber, draw = [0], state, turns, lastAnswered } = this.more;
      this.applyResult(
        begin(
          compileFlow(this.config),
          { callId: 'call', leg: 'caller', from, to: ourNumber, state },
          { now: this.now, draw, turns, lastAnswered },
        ),
      );
    } else if (line === 'agent calls Zoe') {
      const outbound = {
        callId: 'call',
        userId: 1,
        userName: 'Ann',
        to: '+12125550199',
        toLabel: 'Zoe',
        callerId: ourNumber,
        timeoutSeconds: 30,
      };
      this.applyResult(
        beginOutbound(compileFlow(this.config), outbound, { now: this.now, draw: [0] }),
      );
    } else if (line === 'again') this.applyEvent(this.last ?? { type: 'timer', id: '' });
    else if ((m = /^(\w+) has heard it$/.exec(line)))
      this.promptEnds(this.leg(m[1] ?? ''), '', 'done');
    else if ((m = /^(\w+) presses nothing$/.exec(line)))
      this.promptEnds(this.leg(m[1] ?? ''), '', 'timeout');
    else if ((m = /^(\w+) presses (\S+)$/.exec(line)))
      this.promptEnds(this.leg(m[1] ?? ''), m[2] ?? '', 'digits');
    else if ((m = /^(\w+) answers$/.exec(line)))
      this.carrierEvent({ type: 'legAnswered', leg: this.leg(m[1] ?? '') });
    else if ((m = /^(\w+) rings$/.exec(line)))
      this.carrierEvent({ type: 'legRinging', leg: this.leg(m[1] ?? '') });
    else if ((m = /^(\w+) declines in the app$/.exec(line)))
      this.applyEvent({ type: 'decline', userId: people[m[1] as keyof typeof people] });
    else if ((m = /^the screen asks: (hold|record|hangup)( off)?$/.exec(line))) {
      this.applyEvent(
        m[1] === 'hangup'
          ? { type: 'hangup' }
          : { type: m[1] as 'hold' | 'record', on: m[2] === undefined },
      );
    } else if ((m = /^the screen sends (\S+)$/.exec(line)))
      this.applyEvent({ type: 'sendDigits', digits: m[1] ?? '' });
    else if ((m = /^a recording of (\d+) s is ready$/.exec(line))) {
      const recordingId = this.state.facts.recordings.at(-1)?.recordingId ?? 'none';
      this.carrierEvent({
        type: 'recordingReady',
        leg: this.state.firstLeg,
        recordingId,
        url: '',
        contentType: 'audio/ogg',
        durationMs: Number(m[1]) * 1000,
        channels: 1,
      });
    } else if ((m = /^= (\d+) (.+)$/.exec(line))) {
      expect(
        `${this.state.outcome?.status} ${statusLabels[this.state.outcome?.status ?? 1]}`,
        this.transcript(),
      ).toBe(`${m[1]} ${m[2]}`);
      expect(this.state.timers).toEqual([]);
    } else if (line === 'still going') expect(this.state.outcome).toBeNull();
    else if ((m = /^history: (.+)$/.exec(line)))
      expect(this.state.history.flatMap((one) => one.code ?? []).join(', ')).toBe(m[1]);
    else if ((m = /^answered by (.+)$/.exec(line)))
      expect(this.state.facts.answeredBy?.label).toBe(m[1]);
    else if ((m = /^because (.+)$/.exec(line))) expect(this.transcript()).toContain(m[1]);
    else {
      const [, who = '', what = ''] = /^(\w+) (.+)$/.exec(line) ?? [];
      const cause = causes[what];
      if (cause === undefined) throw new Error(`A call script does not know: ${line}`);
      this.carrierEvent({ type: 'legEnded', leg: this.leg(who), cause });
    }
  }

  transcript(): string {
    return this.state.path.map((one) => `${one.node} · ${one.rule}: ${one.because}`).join('\n');
  }

  /** Compares the commands given since the last comparison. */
  expectCommands(lines: string[], after: string): void {
    expect(
      this.newCommands.map((one) => this.describeCommand(one)),
      `after "${after}"\n${this.transcript()}`,
    ).toEqual(lines);
    this.newCommands = [];
  }

  private describeCommand(command: VoiceCommand): string {
    const text = (prompts: Prompt[]) =>
      prompts
        .map((one) =>
          one.kind === 'say'
            ? one.text
            : one.kind === 'play'
              ? `[${one.name ?? one.fileId}]`
              : one.kind,
        )
        .join(' ');
    switch (command.do) {
      case 'answer':
        return 'answer';
      case 'play':
        return `say: ${text(command.prompts)}`;
      case 'gather':
        return `ask ${this.nameOf(command.leg)}: ${text(command.prompts)}`;
      case 'whisper':
        return `whisper to ${this.nameOf(command.leg)}: ${text(command.prompts)}`;
      case 'createLeg':
        return `ring ${this.nameOf(command.leg)}${command.callerId === (this.more.from ?? callerNumber) ? '' : ` as ${command.callerId}`}`;
      case 'cancelLeg':
        return `cancel ${this.nameOf(command.leg)} (${command.because})`;
      case 'bridge':
      case 'unbridge':
        return `${command.do} ${command.legs.map((leg) => this.nameOf(leg)).join(' and ')}`;
      case 'hold':
        return command.on
          ? `${this.nameOf(command.leg)} hears ${command.musicId === null ? 'ring back' : `music ${command.musicId}${command.fileId === undefined ? '' : ` [${command.fileId}]`}`}`
          : `${this.nameOf(command.leg)} waits no more`;
      case 'record':
        return 'record a message';
      case 'startRecording':
        return 'start recording';
      case 'stopRecording':
        return 'stop recording';
      case 'recordSides':
        return `record ${command.sides.map((side) => side.map((leg) => this.nameOf(leg)).join(', ') || 'nobody').join(' | ')}`;
      case 'join':
        return `${this.nameOf(command.leg)} joins (${command.role}${command.to === undefined ? '' : ` to ${command.to.map((leg) => this.nameOf(leg)).join(', ')}`})`;
      case 'leave':
        return `${this.nameOf(command.leg)} leaves the room`;
      case 'sendDigits':
        return `send ${command.digits} to ${this.nameOf(command.leg)}`;
      case 'hangup':
        return `hang up ${this.nameOf(command.leg)}`;
      case 'reject':
        return `reject (${command.because})`;
    }
  }
}

/** Runs the script and returns the call for further assertions. `silently`: compare no commands. */
export function playScript(
  config: NumberConfig,
  script: string,
  more?: ScriptInputs,
  silently = false,
): ScriptedCall {
  const call = new ScriptedCall(config, more);
  const lines = script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('--'));
  let expected: string[] = [];
  let event = '';
  for (const line of [...lines, null]) {
    if (line?.startsWith('> ') === true) {
      expected.push(line.slice(2));
      continue;
    }
    if (event !== '' && !silently) call.expectCommands(expected, event);
    expected = [];
    event = '';
    if (line !== null) {
      call.line(line);
      if (!/^(=|still going|history:|answered by|because)/.test(line)) event = line;
    }
  }
  return call;
}
