import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LegEndCause, LegId, VoiceCommand, VoiceEvent } from '../../../gateways/voice.ts';
import {
  begin,
  compileFlow,
  simulate,
  step,
  type CallState,
  type EngineEvent,
  type Flow,
  type NumberConfig,
  type PathStep,
  type Route,
  type RouteType,
  type StepResult,
  type EngineInputs,
} from './index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
} from './test-support/script.ts';
import type { Reaction } from './simulation/simulated-carrier.ts';
import { dtmfOfKey, promptSeconds } from './labels.ts';

/**
 * The promise of "Try it": the simulated path is the path of a live call. The live call here is the
 * engine driven as its host does it: state stored and reloaded as JSON, timers as rows, and a
 * carrier that reports every event twice, adds noise and knows nothing but commands.
 */
class Carrier {
  private due: { at: number; n: number; event: VoiceEvent }[] = [];
  private n = 0;
  readonly legs = new Map<LegId, { ended: boolean; to: string; asksFor: string | null }>();
  readonly bridges = new Set<LegId>();

  constructor(private readonly plan: { reactions: Record<string, Reaction>; keys: string[] }) {}

  private report(at: number, fields: Record<string, unknown>): void {
    this.n += 1;
    this.due.push({
      at,
      n: this.n,
      event: { id: `r${this.n}`, call: 'in', seq: this.n, at, ...fields } as VoiceEvent,
    });
  }

  next(): { at: number; event: VoiceEvent } | undefined {
    return this.due.toSorted((a, b) => a.at - b.at || a.n - b.n)[0];
  }
  taken(event: VoiceEvent): void {
    this.due = this.due.filter((one) => one.event !== event);
  }

  private end(leg: LegId, at: number, cause: LegEndCause): void {
    const known = this.legs.get(leg);
    if (known?.ended) return;
    if (known) known.ended = true;
    this.report(at, { type: 'legEnded', leg, cause });
  }

  perform(command: VoiceCommand, now: number, flow: Flow): void {
    switch (command.do) {
      case 'createLeg': {
        const to =
          command.to.kind === 'app'
            ? `user:${command.to.userId}`
            : command.to.kind === 'sip'
              ? command.to.uri
              : command.to.kind === 'phone'
                ? command.to.number
                : '';
        const reaction = this.plan.reactions[to] ?? 'no answer';
        this.legs.set(command.leg, { ended: false, to, asksFor: null });
        this.report(now, { type: 'legRinging', leg: command.leg });
        if (reaction === 'busy' || reaction === 'declines')
          this.report(now + 4000, {
            type: 'legEnded',
            leg: command.leg,
            cause: reaction === 'busy' ? 'busy' : 'declined',
          });
        else if (reaction !== 'no answer')
          this.report(now + 4000, { type: 'legAnswered', leg: command.leg });
        return;
      }
      case 'play':
      case 'whisper':
        this.report(now + promptSeconds(command.prompts) * 1000, {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: 'done',
          digits: '',
        });
        return;
      case 'gather': {
        const to = this.legs.get(command.leg)?.to;
        const digits =
          to === undefined
            ? (this.plan.keys.shift() ?? '')
            : this.plan.reactions[to] === 'answers'
              ? keyFor(flow, to)
              : '';
        const heard = promptSeconds(command.prompts) * 1000;
        this.report(now + heard + (digits === '' ? command.timeoutSeconds * 1000 : 1000), {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: digits === '' ? 'timeout' : 'digits',
          digits,
        });
        return;
      }
      case 'record':
        this.report(now + 10_000, {
          type: 'recordingReady',
          leg: command.leg,
          recordingId: command.recordingId,
          url: '',
          contentType: '',
          durationMs: 9000,
          channels: 1,
        });
        return;
      case 'bridge':
        this.bridges.add(command.legs[1]);
        this.report(now + 30_000, { type: 'legEnded', leg: command.legs[0], cause: 'hangup' });
        return;
      case 'hangup':
      case 'cancelLeg':
        this.end(command.leg, now, command.do === 'hangup' ? 'hangup' : 'cancelled');
        return;
      default:
    }
  }
}

/** The confirm key of the flow; all its routes use the same one here. */
const keyFor = (flow: Flow, _to: string): string => {
  const key = flow.routes.find((route) => route.confirmKey !== null)?.confirmKey ?? null;
  return key === null ? '' : dtmfOfKey(key);
};

interface Lived {
  state: CallState;
  carrier: Carrier;
  outcomes: number;
  path: PathStep[];
}

function live(
  flow: Flow,
  call: {
    from: string;
    state?: string | undefined;
    world: EngineInputs;
    reactions: Record<string, Reaction>;
    keys: string[];
  },
): Lived {
  const carrier = new Carrier({ reactions: call.reactions, keys: [...call.keys] });
  let outcomes = 0;
  let state!: CallState;
  let now = call.world.now;
  const path: PathStep[] = [];
  const store = (result: StepResult, before: CallState | null): void => {
    if (result.state.outcome !== null && (before === null || before.outcome === null))
      outcomes += 1;
    path.push(...result.path);
    // Like the host, do not store a step that changed nothing.
    if (result.state !== state) {
      const { flow: frozen, ...rest } = result.state;
      state = { ...(JSON.parse(JSON.stringify(rest)) as Omit<CallState, 'flow'>), flow: frozen };
    }
    for (const command of result.commands) carrier.perform(command, now, flow);
  };
  store(
    begin(
      flow,
      { callId: 'call', leg: 'in', from: call.from, to: ourNumber, state: call.state },
      call.world,
    ),
    null,
  );
  for (let i = 0; i < 2000 && state.phase.name !== 'over'; i += 1) {
    const report = carrier.next();
    const timer = state.timers.toSorted((a, b) => a.at - b.at)[0];
    if (report === undefined && timer === undefined) break;
    const byTimer = report === undefined || (timer !== undefined && timer.at < report.at);
    now = Math.max(now, byTimer ? (timer?.at ?? now) : report.at);
    const event: EngineEvent = byTimer ? { type: 'timer', id: timer?.id ?? '' } : report.event;
    if (!byTimer) carrier.taken(report.event);
    store(step(state, event, now), state);
    // Every event arrives twice; the duplicate must not change the path.
    store(step(state, event, now), state);
  }
  return { state, carrier, outcomes, path };
}

const phones = [
  '+12125550111',
  '+12125550112',
  '+12125550113',
  '+12125550114',
  'sip:desk@example.com',
] as const;
const workdays: Route['hours'] = {
  timezone: 'America/New_York',
  preset: 2,
  blocks: [],
  exceptions: [
    { from: '2026-11-26', to: '2026-11-26', label: 'Thanksgiving', closed: true, times: [] },
  ],
  voicemail: false,
};

const anyForward = fc
  .record({
    to: fc.integer({ min: 0, max: 6 }),
    weight: fc.constantFrom(null, 1, 3),
    timeoutSeconds: fc.constantFrom(null, 8, 15),
    areaCodes: fc.constantFrom<string[]>([], [], ['212'], ['415', '310']),
    states: fc.constantFrom<string[]>([], [], ['CA'], ['NY']),
    hours: fc.constantFrom(null, null, null, workdays),
    callerId: fc.constantFrom(null, 'pass' as const, 'tracking' as const),
  })
  .map(({ to, ...more }) =>
    makeForward(`P${to}`, {
      ...(to < 5 ? { number: phones[to] ?? null } : { userId: to, number: null }),
      ...more,
    }),
  );

const anyRoute = (id: number, key: string | null): fc.Arbitrary<Route> =>
  fc
    .record({
      type: fc.constantFrom<RouteType>(
        'standard',
        'simultaneous',
        'sequential',
        'sequential',
        'geo',
        'geo',
        'voicemail',
        'in-app-calling',
      ),
      forwards: fc.array(anyForward, { maxLength: 4 }),
      confirmKey: fc.constantFrom(null, key),
      whisper: fc.constantFrom('', 'A call.'),
      staggerSeconds: fc.constantFrom(null, 5),
      holdMusicId: fc.constantFrom(null, 1),
      roundRobin: fc.constantFrom<Route['roundRobin']>(
        'none',
        'strict',
        'least_recent',
        'weighted',
      ),
      geoByState: fc.boolean(),
      geoByStateStaticFallback: fc.boolean(),
      timeoutSeconds: fc.constantFrom(10, 20),
      callerIdPassThru: fc.boolean(),
      voicemail: fc.boolean().map((enabled) => ({ enabled, greeting: null })),
      hours: fc.constantFrom(
        null,
        null,
        workdays,
        { ...workdays, preset: 5 as const },
        { ...workdays, preset: 3 as const },
      ),
      afterHours: fc.constantFrom<Route['afterHours']>(
        null,
        { action: 'voicemail' },
        { action: 'route', routeId: 1 },
        { action: 'route', routeId: 2 },
        { action: 'forward', number: '+12125550119' },
        { action: 'greeting', prompts: [{ kind: 'say', text: 'We are closed.' }] },
      ),
    })
    .map((more) => makeRoute({ id, extension: id === 3 ? 12 : id, label: `R${id}`, ...more }));

const anyConfig: fc.Arbitrary<NumberConfig> = fc
  .constantFrom(null, '1', '65535', '65534')
  .chain((key) =>
    fc.record({
      routes: fc
        .integer({ min: 0, max: 3 })
        .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => anyRoute(i + 1, key)))),
      record: fc.boolean(),
      recordingAnnouncement: fc.constantFrom<'none' | 'default'>('none', 'default'),
      voicemail: fc.boolean().map((enabled) => ({ enabled, greeting: null })),
      people: fc.boolean().map((reachable) => [
        { userId: 5, name: 'Eve', reachable },
        { userId: 6, name: 'Fay', reachable: true },
      ]),
      hops: fc.constantFrom(0, 0, 0, 0, 5),
      blocked: fc.constantFrom(null, null, null, null, 'This caller is blocked.'),
      full: fc.constantFrom(null, null, null, null, 'The lines are all in use.'),
      menuFallback: fc.constantFrom<NumberConfig['menuFallback']>(null, 'voicemail', 1),
      loops: fc.constantFrom<string[]>([], [], ['+12125550114']),
    }),
  )
  .map((more) => makeNumberConfig(more));

const reaction = fc.constantFrom<Reaction>('answers', 'no answer', 'busy', 'declines', 'no key');
const anyCall = fc.record({
  config: anyConfig,
  from: fc.constantFrom('+12125550100', '+14155550101', '+13125550102', 'anonymous', ''),
  state: fc.constantFrom(undefined, 'CA', 'NY', 'IL'),
  at: fc.integer({ min: 0, max: 14 * 24 * 4 }).map((quarters) => noon + quarters * 900_000),
  keys: fc.array(fc.constantFrom('1', '2', '12', '9', '*'), { maxLength: 3 }),
  draw: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 3 }),
  reactions: fc
    .tuple(...Array.from({ length: 8 }, () => reaction))
    .map((all) =>
      Object.fromEntries(
        [...phones, 'user:5', 'user:6', '+12125550119'].map((key, i) => [
          key,
          all[i] ?? 'no answer',
        ]),
      ),
    ),
  turns: fc.record({ 1: fc.nat({ max: 9 }), 2: fc.nat({ max: 9 }), 3: fc.nat({ max: 9 }) }),
  lastAnswered: fc.constantFrom(undefined, {
    1: { '+12125550111': noon - 1000 },
    2: { 'user:6': noon - 5 },
  }),
});

const told = (path: readonly PathStep[], from: number): string[] =>
  path.map(
    (one) =>
      `${(one.at - from) / 1000} ${one.node} ${one.rule} ${one.matched} ${one.target} ${one.because}`,
  );

describe('the simulated path is the live path', () => {
  it('for random flows, callers and times; one bridge, every leg ends, one outcome', () => {
    let longest = 0;
    const outcomes: Record<string, number> = {};
    fc.assert(
      fc.property(
        anyCall,
        ({ config, from, state, at, keys, draw, reactions, turns, lastAnswered }) => {
          const flow = compileFlow(config);
          const simulated = simulate(flow, {
            from,
            at,
            pressed: [...keys],
            answers: reactions,
            state,
            draw,
            turns,
            lastAnswered,
          });
          const lived = live(flow, {
            from,
            state,
            world: { now: at, draw, turns, lastAnswered },
            reactions,
            keys,
          });
          expect(told(lived.path, at)).toEqual(told(simulated.steps, at));
          expect(lived.state.outcome?.status).toBe(simulated.status);
          expect(lived.outcomes, 'exactly one outcome').toBe(1);
          expect(
            lived.carrier.bridges.size,
            'never two legs bridged to one caller',
          ).toBeLessThanOrEqual(1);
          expect(simulated.outcome === 'connected').toBe(lived.carrier.bridges.size === 1);
          for (const leg of lived.state.legs)
            expect(['leaving', 'ended'], `leg ${leg.id}`).toContain(leg.state);
          longest = Math.max(longest, simulated.steps.length);
          outcomes[simulated.outcome] = (outcomes[simulated.outcome] ?? 0) + 1;
        },
      ),
      // `npm run test:faults try-it` runs more.
      { numRuns: Number(process.env['LIVE_PATHS'] ?? 2500) },
    );
    // Guards the generator: it must reach every outcome.
    expect(Object.keys(outcomes).toSorted()).toEqual([
      'blocked',
      'connected',
      'missed',
      'no_answer',
      'rejected',
      'voicemail',
    ]);
    expect(longest).toBeGreaterThan(10);
  }, 600_000);
});
