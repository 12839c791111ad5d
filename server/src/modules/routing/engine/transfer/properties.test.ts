import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LegEndCause, LegId, VoiceCommand, VoiceEvent } from '../../../../gateways/voice.ts';
import {
  begin,
  beginOutbound,
  compileFlow,
  externalLegOf,
  step,
  type CallState,
  type EngineEvent,
  type TransferEvent,
  type StepResult,
} from '../index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
  callerNumber,
} from '../test-support/script.ts';
import { makeTarget } from '../test-support/transfer-script.ts';

/** `expect` is too slow for a million assertions. */
const never = (so: boolean, what: string): void => {
  if (so) throw new Error(what);
};

/** Who hears whom at a carrier that performs every command exactly. */
class Ears {
  private readonly pair = new Map<LegId, LegId>();
  private readonly seats = new Map<LegId, { room: string; role: string; to: readonly LegId[] }>();
  private readonly music = new Set<LegId>();
  readonly gone = new Set<LegId>();

  do(command: VoiceCommand): void {
    switch (command.do) {
      case 'bridge': {
        const [one, other] = command.legs;
        for (const leg of command.legs) {
          never(this.gone.has(leg), 'somebody is bridged to a leg that is gone');
          this.clear(leg);
        }
        this.pair.set(one, other);
        this.pair.set(other, one);
        return;
      }
      case 'unbridge':
        if (this.pair.get(command.legs[0]) === command.legs[1]) this.part(command.legs[0]);
        return;
      case 'join':
        never(this.gone.has(command.leg), 'a leg that is gone joins a room');
        if (this.seats.get(command.leg)?.room !== command.room) this.clear(command.leg);
        this.seats.set(command.leg, {
          room: command.room,
          role: command.role,
          to: command.to ?? [],
        });
        return;
      case 'leave':
        this.seats.delete(command.leg);
        return;
      case 'hold':
        if (command.on) this.music.add(command.leg);
        else this.music.delete(command.leg);
        return;
      case 'hangup':
      case 'cancelLeg':
      case 'reject':
        this.leaves(command.leg);
        return;
      default:
    }
  }

  leaves(leg: LegId): void {
    this.clear(leg);
    this.gone.add(leg);
  }

  private part(leg: LegId): void {
    const other = this.pair.get(leg);
    this.pair.delete(leg);
    if (other !== undefined) this.pair.delete(other);
  }

  /** A bridge or a room replaces the leg's earlier audio. */
  private clear(leg: LegId): void {
    this.part(leg);
    this.seats.delete(leg);
    this.music.delete(leg);
  }

  hears(ear: LegId, mouth: LegId): boolean {
    if (ear === mouth || this.music.has(ear)) return false;
    if (this.pair.get(ear) === mouth) return true;
    const [mine, theirs] = [this.seats.get(ear), this.seats.get(mouth)];
    if (mine === undefined || theirs === undefined || mine.room !== theirs.room) return false;
    return theirs.role === 'talk' || (theirs.role === 'whisper' && theirs.to.includes(ear));
  }
}

const users = ['Ann', 'Bob', 'Cem'] as const;
const anyone = fc.constantFrom(1, 1, 2, 3);
const target = fc.constantFrom('Bob', 'Cem', 'Zoe').map(makeTarget);
const anyPass: fc.Arbitrary<
  | TransferEvent
  | { type: 'hold'; on: boolean }
  | { type: 'record'; on: boolean }
  | { type: 'hangup'; by: number }
  | { type: 'decline'; userId: number }
> = fc.oneof(
  fc.record({
    type: fc.constant('transfer' as const),
    by: anyone,
    to: fc.oneof(
      target.map((one) => ({ kind: 'target' as const, target: one })),
      fc.constant({ kind: 'route' as const, routeId: 2 }),
    ),
    ask: fc.boolean(),
  }),
  fc.record({
    type: fc.constantFrom(
      'completeTransfer' as const,
      'merge' as const,
      'swap' as const,
      'cancelTransfer' as const,
    ),
    by: anyone,
  }),
  fc.record({
    type: fc.constant('park' as const),
    by: anyone,
    slot: fc.constant(1),
    seconds: fc.constant(300),
  }),
  fc.record({ type: fc.constant('unpark' as const), target }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('add' as const), by: anyone, target }) },
  fc.record({
    type: fc.constant('monitor' as const),
    target: fc.constant(makeTarget('Zed')),
    mode: fc.constantFrom('listen' as const, 'whisper' as const, 'barge' as const),
  }),
  fc.constant({ type: 'stopMonitor' as const, userId: 9 }),
  fc.record({ type: fc.constant('hold' as const), on: fc.boolean() }),
  fc.record({ type: fc.constant('record' as const), on: fc.boolean() }),
  fc.record({ type: fc.constant('hangup' as const), by: anyone }),
  fc.record({ type: fc.constant('decline' as const), userId: anyone }),
);
const anyReport = fc.record({
  kind: fc.constantFrom(
    'answered',
    'answered',
    'answered',
    'answered',
    'answered',
    'ended',
    'timer',
    'prompt',
    'remove',
  ),
  pick: fc.nat({ max: 30 }),
  cause: fc.constantFrom<LegEndCause>('hangup', 'busy', 'declined', 'noAnswer', 'failed'),
});
const anyThing = fc.oneof(
  { weight: 3, arbitrary: anyPass.map((event) => ({ event })) },
  { weight: 4, arbitrary: anyReport.map((report) => ({ report })) },
);
type Thing = typeof anyThing extends fc.Arbitrary<infer T> ? T : never;

class Watched {
  readonly ears = new Ears();
  readonly told = new Set<LegId>();
  state: CallState;
  now = noon;
  outcomes = 0;
  asked: string | null = null;
  talkedOf = 0;

  constructor(first: StepResult) {
    this.state = first.state;
    this.take(first);
  }

  private take(result: StepResult): void {
    if (this.state.outcome === null && result.state.outcome !== null) this.outcomes += 1;
    this.state = result.state;
    for (const command of result.commands) {
      this.ears.do(command);
      if (command.do === 'hangup' || command.do === 'cancelLeg' || command.do === 'reject')
        this.told.add(command.leg);
      if (command.do === 'play' || command.do === 'gather' || command.do === 'whisper')
        this.asked = command.id;
    }
    this.listen();
  }

  happen(thing: Thing): void {
    this.now += 700;
    const event = 'event' in thing ? (thing.event as EngineEvent) : this.report(thing.report);
    if (event.type === 'legEnded') this.ears.leaves(event.leg);
    this.take(step(this.state, event, this.now));
  }

  private report({
    kind,
    pick,
    cause,
  }: {
    kind: string;
    pick: number;
    cause: LegEndCause;
  }): EngineEvent {
    const { state } = this;
    // Prefer the newest legs: they are still in the call.
    const leg = state.legs.at(-1 - (pick % Math.min(4, state.legs.length)))?.id ?? '';
    const said = (more: object) =>
      ({ id: `e${pick}`, call: 'c', leg, seq: pick, at: this.now, ...more }) as VoiceEvent;
    if (kind === 'answered') return said({ type: 'legAnswered' });
    if (kind === 'ended') return said({ type: 'legEnded', cause });
    if (kind === 'prompt')
      return said({ type: 'promptEnded', commandId: this.asked ?? '', reason: 'done', digits: '' });
    if (kind === 'remove') return { type: 'remove', by: 1 + (pick % 3), leg };
    return {
      type: 'timer',
      id: state.timers[pick % Math.max(1, state.timers.length)]?.id ?? 'none',
    };
  }

  /** The legs that should hear each other do, and no others. */
  private listen(): void {
    const { state, ears } = this;
    const { phase } = state;
    const external = externalLegOf(state);
    const up = state.legs.filter((leg) => !ears.gone.has(leg.id)).map((leg) => leg.id);
    for (const one of state.legs) {
      if (!ears.gone.has(one.id)) continue;
      for (const other of state.legs)
        never(
          ears.hears(one.id, other.id) || ears.hears(other.id, one.id),
          'an ended leg has audio',
        );
    }
    const modes = new Map((state.monitors ?? []).map((one) => [one.leg, one.mode]));
    const parties = up.filter(
      (leg) => !state.legs.some((one) => one.id === leg && one.role === 'monitor'),
    );
    for (const ear of parties)
      for (const [leg, mode] of modes) {
        if (mode === 'listen') never(ears.hears(ear, leg), 'a listener is heard');
        if (mode === 'whisper' && ear === external)
          never(ears.hears(ear, leg), 'the caller hears a whisper');
      }
    const consulting =
      phase.name === 'connected' &&
      phase.aside?.for === 'consult' &&
      phase.aside.state !== 'waiting';
    const waits = phase.name !== 'connected' || phase.held || consulting;
    if (external !== null && waits) {
      for (const other of state.legs)
        never(
          ears.hears(external, other.id) || ears.hears(other.id, external),
          `a waiting leg (${phase.name}) has conversation audio`,
        );
    }
    if (phase.name !== 'connected') return;
    const { aside } = phase;
    if (aside?.for === 'consult') {
      for (const other of parties) {
        if (other === aside.leg) continue;
        const should = aside.state === 'talking' && other === aside.by;
        never(
          ears.hears(aside.leg, other) !== should || ears.hears(other, aside.leg) !== should,
          'a consulted party talks with the requesting user only, and only once it answered',
        );
      }
    }
    if (aside !== undefined && aside.for === 'add')
      for (const other of parties)
        never(
          ears.hears(aside.leg, other) || ears.hears(other, aside.leg),
          'a ringing leg has audio',
        );
    if (consulting) return;
    const talkers = [...phase.legs, ...(phase.more ?? [])].filter(
      (leg) => !phase.held || leg !== external,
    );
    if (talkers.length > 2) this.talkedOf += 1;
    for (const one of talkers)
      for (const other of talkers)
        if (one !== other)
          never(!ears.hears(one, other), `${one} should hear ${other} of ${talkers.join(', ')}`);
  }

  runOut(): void {
    for (let i = 0; i < 300 && this.state.outcome === null; i += 1) {
      const due = this.state.timers.toSorted((a, b) => a.at - b.at)[0];
      expect(
        due,
        `a call that goes on must have a timer (phase ${this.state.phase.name})`,
      ).toBeDefined();
      if (due === undefined) return;
      this.now = Math.max(this.now, due.at);
      this.take(step(this.state, { type: 'timer', id: due.id }, this.now));
    }
  }

  check(): void {
    const { state } = this;
    expect(state.outcome, 'it comes to an end').not.toBeNull();
    expect(this.outcomes, 'exactly one outcome').toBe(1);
    expect(state.timers).toEqual([]);
    if (state.facts.connectedAt !== null)
      expect([4, 12], 'a call that was answered ends as answered, or in voicemail').toContain(
        state.outcome?.status,
      );
    for (const leg of state.legs)
      expect(
        leg.endedAt !== null || this.told.has(leg.id),
        `leg ${leg.id} ended or was told to`,
      ).toBe(true);
    const lastFinal = state.history.findLast(
      (one) =>
        one.code !== null &&
        [3, 4, 7, 8, 10, 11, 12, 13].includes(one.code) &&
        (one.leg === null || one.code === 12),
    );
    expect(lastFinal?.code, 'the outcome is the last final status').toBe(state.outcome?.status);
  }
}

const config = (voicemail: boolean, record: boolean) =>
  makeNumberConfig({
    record,
    voicemail: { enabled: voicemail, greeting: null },
    people: users.map((name, i) => ({ userId: i + 1, name, reachable: true })),
    menuFallback: 1,
    routes: [
      makeRoute({ forwards: [makeForward('Ann', { userId: 1, number: null })] }),
      makeRoute({
        id: 2,
        extension: 2,
        type: 'simultaneous',
        forwards: [
          makeForward('Bob', { userId: 2, number: null }),
          makeForward('Dan', { number: '+12125550188' }),
        ],
        confirmKey: '1',
      }),
    ],
  });

let talkedOfThree = 0;
it('inbound calls, random transfers: only the right legs hear each other; every leg ends; one outcome', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.boolean(),
      fc.array(anyThing, { maxLength: 40 }),
      (voicemail, record, things) => {
        const flow = compileFlow({
          ...config(voicemail, record),
          routes: config(voicemail, record).routes,
        });
        const call = new Watched(
          begin(
            { ...flow, menu: null },
            { callId: 'c', leg: 'caller', from: callerNumber, to: ourNumber },
            { now: noon, draw: [0] },
          ),
        );
        call.happen({ report: { kind: 'answered', pick: 0, cause: 'hangup' } });
        for (const thing of things) call.happen(thing);
        call.runOut();
        call.check();
        talkedOfThree += call.talkedOf;
      },
    ),
    { numRuns: 1000 },
  );
  expect(talkedOfThree, 'conversations of three were among them').toBeGreaterThan(5);
}, 180_000);

it('outbound calls, random transfers: only the right legs hear each other; every leg ends; one outcome', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(anyThing, { maxLength: 40 }), (record, things) => {
      const outbound = {
        callId: 'c',
        userId: 1,
        userName: 'Ann',
        to: '+12125550199',
        toLabel: 'Zoe',
        callerId: ourNumber,
        timeoutSeconds: 30,
      };
      const call = new Watched(
        beginOutbound(compileFlow(config(true, record)), outbound, { now: noon, draw: [0] }),
      );
      for (let i = 0; i < 3; i += 1)
        call.happen({
          report: { kind: i === 2 ? 'prompt' : 'answered', pick: 0, cause: 'hangup' },
        });
      for (const thing of things) call.happen(thing);
      call.runOut();
      call.check();
    }),
    { numRuns: 400 },
  );
});
