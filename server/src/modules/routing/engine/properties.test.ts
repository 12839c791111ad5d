import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LegEndCause, VoiceCommand, VoiceEvent } from '../../../gateways/voice.ts';
import {
  begin,
  beginOutbound,
  compileFlow,
  simulate,
  step,
  type CallState,
  type EngineEvent,
  type NumberConfig,
  type Route,
  type RouteType,
  type StepResult,
} from './index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
  callerNumber,
} from './test-support/script.ts';

const finals = [3, 4, 7, 8, 10, 11, 12, 13];

const anyRoute = (id: number): fc.Arbitrary<Route> =>
  fc
    .record({
      type: fc.constantFrom<RouteType>(
        'standard',
        'simultaneous',
        'sequential',
        'geo',
        'voicemail',
        'in-app-calling',
      ),
      forwards: fc.array(
        fc
          .integer({ min: 1, max: 5 })
          .map((n) =>
            makeForward(`P${n}`, n === 5 ? { userId: 5 } : { number: `+1212555012${n}` }),
          ),
        { maxLength: 4 },
      ),
      confirmKey: fc.constantFrom(null, '1', '65535'),
      whisper: fc.constantFrom('', 'A call.'),
      staggerSeconds: fc.constantFrom(null, 5),
      holdMusicId: fc.constantFrom(null, 1),
      voicemail: fc.boolean().map((enabled) => ({ enabled, greeting: null })),
      afterHours: fc.constantFrom<Route['afterHours']>(
        null,
        { action: 'voicemail' },
        { action: 'route', routeId: 1 },
        { action: 'forward', number: '+12125550129' },
      ),
      hours: fc.constantFrom<Route['hours']>(null, {
        timezone: 'UTC',
        preset: 3,
        blocks: [],
        exceptions: [],
        voicemail: false,
      }),
    })
    .map((more) => makeRoute({ id, extension: id, ...more }));

const anyNumber: fc.Arbitrary<NumberConfig> = fc
  .record({
    routes: fc
      .integer({ min: 0, max: 3 })
      .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => anyRoute(i + 1)))),
    record: fc.boolean(),
    recordingAnnouncement: fc.constantFrom<'none' | 'default'>('none', 'default'),
    voicemail: fc.boolean().map((enabled) => ({ enabled, greeting: null })),
    people: fc.boolean().map((reachable) => [
      { userId: 5, name: 'Eve', reachable },
      { userId: 6, name: 'Fay', reachable },
    ]),
  })
  .map((more) => makeNumberConfig(more));

/** A random event about any id the call has used so far, whether it applies or not. */
const anyEvent = fc.record({
  kind: fc.constantFrom(
    'answered',
    'ended',
    'ended',
    'prompt',
    'prompt',
    'timer',
    'timer',
    'timer',
    'recording',
    'hold',
    'unhold',
    'record',
    'decline',
    'hangup',
    'ringing',
    'digits',
  ),
  pick: fc.nat({ max: 30 }),
  digits: fc.constantFrom('', '1', '2', '9', '*', '12'),
  cause: fc.constantFrom<LegEndCause>(
    'hangup',
    'busy',
    'declined',
    'noAnswer',
    'cancelled',
    'failed',
    'rejected',
  ),
  seconds: fc.integer({ min: -5, max: 40 }),
});
type Chosen = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never;

class Watched {
  commands: VoiceCommand[] = [];
  outcomes = 0;
  bridgedTo: string | null = null;
  state: CallState;
  now = noon;

  constructor(first: StepResult) {
    this.state = first.state;
    this.watch(first, false);
  }

  private watch(result: StepResult, hadOutcome: boolean): void {
    this.state = result.state;
    if (!hadOutcome && result.state.outcome !== null) this.outcomes += 1;
    for (const command of result.commands) {
      this.commands.push(command);
      if (command.do === 'bridge') {
        expect(command.legs[0]).toBe(this.state.firstLeg);
        expect([null, command.legs[1]]).toContain(this.bridgedTo);
        this.bridgedTo = command.legs[1];
      }
    }
  }

  private event(chosen: Chosen): EngineEvent {
    const { state } = this;
    const leg = state.legs[chosen.pick % Math.max(1, state.legs.length)]?.id ?? 'none';
    const said = (more: object) =>
      ({
        id: `e${chosen.pick}`,
        call: 'c',
        leg,
        seq: chosen.pick,
        at: this.now,
        ...more,
      }) as VoiceEvent;
    const asked = this.commands
      .filter((one) => one.do === 'play' || one.do === 'gather' || one.do === 'whisper')
      .map((one) => one.id);
    switch (chosen.kind) {
      case 'answered':
        return said({ type: 'legAnswered' });
      case 'ringing':
        return said({ type: 'legRinging' });
      case 'digits':
        return said({ type: 'digits', digits: chosen.digits });
      case 'ended':
        return said({ type: 'legEnded', cause: chosen.cause });
      case 'prompt':
        return said({
          type: 'promptEnded',
          commandId: asked.at(-1 - (chosen.pick % 2)) ?? 'none',
          reason: 'done',
          digits: chosen.digits,
        });
      case 'recording':
        return said({
          type: 'recordingReady',
          recordingId: state.facts.recordings.at(-1)?.recordingId ?? 'none',
          url: '',
          contentType: '',
          durationMs: 4000,
          channels: 1,
        });
      case 'hold':
        return { type: 'hold', on: true };
      case 'unhold':
        return { type: 'hold', on: false };
      case 'record':
        return { type: 'record', on: chosen.pick % 2 === 0 };
      case 'decline':
        return { type: 'decline', userId: chosen.pick % 7 };
      case 'hangup':
        return { type: 'hangup' };
      default:
        return {
          type: 'timer',
          id: state.timers[chosen.pick % Math.max(1, state.timers.length)]?.id ?? 'none',
        };
    }
  }

  happen(chosen: Chosen): void {
    this.now += chosen.seconds * 1000;
    const event = this.event(chosen);
    const before = JSON.stringify(this.state);
    const result = step(this.state, event, this.now);
    expect(JSON.stringify(this.state), 'a step leaves the state it was given alone').toBe(before);
    expect(result.state.history.slice(0, this.state.history.length)).toEqual(this.state.history);
    const again = step(result.state, event, this.now);
    if (event.type !== 'timer' && event.type !== 'hangup')
      expect(again.commands.filter((one) => one.do === 'bridge' || one.do === 'createLeg')).toEqual(
        [],
      );
    this.watch(result, this.state.outcome !== null);
  }

  /** No more carrier events: only the timers fire. */
  runOut(): void {
    for (let i = 0; i < 300 && this.state.outcome === null; i += 1) {
      const due = this.state.timers.toSorted((a, b) => a.at - b.at)[0];
      expect(
        due,
        `a call that goes on must have a timer (phase ${this.state.phase.name})`,
      ).toBeDefined();
      if (due === undefined) return;
      this.now = Math.max(this.now, due.at);
      this.watch(step(this.state, { type: 'timer', id: due.id }, this.now), false);
    }
  }

  check(): void {
    expect(this.state.outcome, 'it comes to an end').not.toBeNull();
    expect(this.outcomes, 'exactly one outcome').toBe(1);
    expect(this.state.phase.name).toBe('over');
    expect(this.state.timers).toEqual([]);
    for (const leg of this.state.legs)
      expect(
        ['leaving', 'ended'],
        `leg ${leg.id} of ${leg.target?.label ?? 'the caller'}`,
      ).toContain(leg.state);
    const told = new Set(
      this.commands.flatMap((one) =>
        one.do === 'hangup' || one.do === 'cancelLeg' || one.do === 'reject' ? [one.leg] : [],
      ),
    );
    for (const leg of this.state.legs)
      expect(leg.endedAt !== null || told.has(leg.id), `leg ${leg.id} ended or was told to`).toBe(
        true,
      );
    const ids = this.commands.map((one) => one.id);
    expect(new Set(ids).size, 'no two commands share an id').toBe(ids.length);
    const lastFinal = this.state.history.findLast(
      (one) =>
        one.code !== null && finals.includes(one.code) && (one.leg === null || one.code === 12),
    );
    expect(lastFinal?.code, 'the outcome is the last final status').toBe(
      this.state.outcome?.status,
    );
  }
}

describe('the engine under random events', () => {
  it('inbound calls: one bridge, one outcome, every leg ends, it terminates', () => {
    fc.assert(
      fc.property(
        anyNumber,
        fc.array(anyEvent, { maxLength: 40 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (config, events, draw) => {
          const call = new Watched(
            begin(
              compileFlow(config),
              { callId: 'c', leg: 'caller', from: callerNumber, to: ourNumber },
              { now: noon, draw: [draw] },
            ),
          );
          for (const chosen of events) call.happen(chosen);
          call.runOut();
          call.check();
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('outbound calls: one bridge, one outcome, every leg ends, it terminates', () => {
    fc.assert(
      fc.property(anyNumber, fc.array(anyEvent, { maxLength: 25 }), (config, events) => {
        const outbound = {
          callId: 'c',
          userId: 6,
          userName: 'Fay',
          to: '+12125550199',
          toLabel: 'Zoe',
          callerId: ourNumber,
          timeoutSeconds: 30,
        };
        const call = new Watched(
          beginOutbound(compileFlow(config), outbound, { now: noon, draw: [0] }),
        );
        for (const chosen of events) call.happen(chosen);
        call.runOut();
        call.check();
      }),
      { numRuns: 500 },
    );
  });

  it('simulate always reaches an outcome and returns its steps in order', () => {
    fc.assert(
      fc.property(
        anyNumber,
        fc.constantFrom(
          'answers' as const,
          'no answer' as const,
          'busy' as const,
          'declines' as const,
          'no key' as const,
        ),
        fc.array(fc.constantFrom('1', '2', '9'), { maxLength: 3 }),
        (config, answers, pressed) => {
          const played = simulate(compileFlow(config), {
            from: callerNumber,
            at: noon,
            pressed,
            answers,
          });
          expect(played.steps.map((one) => one.i)).toEqual(played.steps.map((_, i) => i));
          expect(played.warnings.join()).not.toContain('never ended');
          if (answers !== 'answers' && answers !== 'no key')
            expect(played.outcome).not.toBe('connected');
        },
      ),
      { numRuns: 500 },
    );
  });
});
