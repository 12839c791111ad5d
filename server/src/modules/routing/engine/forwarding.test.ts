import { describe, expect, it } from 'vitest';
import type { Route } from './index.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
  playScript,
  type ScriptInputs,
} from './test-support/script.ts';

const voicemail = { enabled: true, greeting: null };
const greeting = 'You have reached Acme. Please leave a message after the tone.';
const unavailable = 'No one is available to take your call right now. Please try again later.';
const three = [makeForward('Ann'), makeForward('Bob'), makeForward('Cem')];

describe('standard', () => {
  it('rings one destination and connects whoever answers', () => {
    playScript(
      makeNumberConfig(),
      `
      caller calls
      > ring Ann
      Ann rings
      4 s pass
      Ann answers
      > answer
      > bridge caller and Ann
      60 s pass
      Ann hangs up
      > hang up caller
      caller hangs up
      = 12 Connected
      history: 1, 6, 12
      answered by Ann`,
    );
  });

  it('goes to voicemail when nobody answers, and keeps the message', () => {
    const call = playScript(
      makeNumberConfig({ routes: [makeRoute({ voicemail })] }),
      `
      caller calls
      > ring Ann
      20 s pass
      > cancel Ann (timeout)
      > answer
      > say: ${greeting}
      Ann does not answer
      caller has heard it
      > record a message
      9 s pass
      a recording of 8 s is ready
      > hang up caller
      = 4 Voicemail
      history: 1, 5, 4
      answered by Voicemail`,
    );
    expect(call.state.facts.recordings).toMatchObject([
      { kind: 'voicemail', state: 'kept', durationMs: 8000 },
    ]);
    expect(call.state.facts.ringSeconds).toBe(20);
  });

  it('says so and hangs up when nobody answers and there is no voicemail', () => {
    playScript(
      makeNumberConfig(),
      `
      caller calls
      > ring Ann
      Ann does not answer
      > answer
      > say: ${unavailable}
      caller has heard it
      > hang up caller
      = 8 No Answer
      history: 1, 5, 8`,
    );
  });

  it('is rejected when its destination declines', () => {
    playScript(
      makeNumberConfig(),
      `
      caller calls
      > ring Ann
      Ann declines
      > answer
      > say: ${unavailable}
      caller hangs up
      = 7 Rejected
      history: 1, 7, 7`,
    );
  });

  it('chooses by weight: nine calls in ten go to the one that weighs nine times as much', () => {
    const routes = [
      makeRoute({
        forwards: [makeForward('Ann', { weight: 10 }), makeForward('Bob', { weight: 90 })],
      }),
    ];
    playScript(
      makeNumberConfig({ routes }),
      `
      caller calls
      > ring Ann`,
      { draw: [0.099] },
    );
    playScript(
      makeNumberConfig({ routes }),
      `
      caller calls
      > ring Bob`,
      { draw: [0.1] },
    );
  });

  it('shows our number instead of the caller’s when it does not pass through', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ callerIdPassThru: false })] }),
      `
      caller calls
      > ring Ann as ${ourNumber}`,
    );
  });

  it('shows our number when the caller withheld theirs', () => {
    playScript(
      makeNumberConfig(),
      `
      caller calls
      > ring Ann as ${ourNumber}`,
      { from: 'anonymous' },
    );
  });

  it('never forwards to the number itself', () => {
    playScript(
      makeNumberConfig({
        routes: [makeRoute({ forwards: [makeForward('Ann', { number: ourNumber })], voicemail })],
      }),
      `
      caller calls
      > answer
      > say: ${greeting}
      because leads back to this number
      caller hangs up
      = 4 Voicemail`,
    );
  });
});

describe('simultaneous', () => {
  it('lets the first to answer win; the others are told "Answered Already"', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ type: 'simultaneous', forwards: three })] }),
      `
      caller calls
      > ring Ann
      > ring Bob
      > ring Cem
      Bob answers
      > cancel Ann (answeredElsewhere)
      > cancel Cem (answeredElsewhere)
      > answer
      > bridge caller and Bob
      -- Cem picked up at the same moment
      Cem answers
      > hang up Cem
      again
      Ann hangs up
      Cem hangs up
      caller hangs up
      > hang up Bob
      = 12 Connected
      history: 1, 6, 9, 9, 12
      answered by Bob`,
    );
  });

  it('rings on while one is busy and one declines', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ type: 'simultaneous', forwards: three })] }),
      `
      caller calls
      > ring Ann
      > ring Bob
      > ring Cem
      Ann is busy
      Bob declines
      still going
      Cem answers
      > answer
      > bridge caller and Cem
      history: 1, 5, 7, 6, 12`,
    );
  });

  it('rings at most ten', () => {
    const many = Array.from({ length: 12 }, (_, i) =>
      makeForward(`Phone${i}`, { number: `+121255501${10 + i}` }),
    );
    playScript(
      makeNumberConfig({ routes: [makeRoute({ type: 'simultaneous', forwards: many })] }),
      `
      caller calls
      ${many
        .slice(0, 10)
        .map((one) => `> ring ${one.label}`)
        .join('\n')}`,
    );
  });

  it('staggers its legs by five seconds, and at once when nothing rings any more', () => {
    playScript(
      makeNumberConfig({
        routes: [makeRoute({ type: 'simultaneous', forwards: three, staggerSeconds: 5 })],
      }),
      `
      caller calls
      > ring Ann
      5 s pass
      > ring Bob
      Ann declines
      Bob declines
      > ring Cem
      5 s pass
      Cem answers
      > answer
      > bridge caller and Cem`,
    );
  });

  it('with a confirm key, the first to press it wins', () => {
    playScript(
      makeNumberConfig({
        routes: [
          makeRoute({
            type: 'simultaneous',
            forwards: three,
            confirmKey: '5',
            whisper: 'A call for Acme.',
          }),
        ],
      }),
      `
      caller calls
      > ring Ann
      > ring Bob
      > ring Cem
      Ann answers
      > ask Ann: A call for Acme. Press 5 to take this call.
      Bob answers
      > ask Bob: A call for Acme. Press 5 to take this call.
      Bob presses 5
      > hang up Ann
      > cancel Cem (answeredElsewhere)
      > answer
      > bridge caller and Bob
      Ann presses 5
      history: 1, 6, 6, 9, 9, 12
      answered by Bob`,
    );
  });

  it('treats an answering machine that presses nothing as rejected', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ confirmKey: '65535', voicemail })] }),
      `
      caller calls
      > ring Ann
      Ann answers
      > ask Ann: Press star to take this call.
      Ann presses nothing
      > hang up Ann
      > answer
      > say: ${greeting}
      history: 1, 6, 7, 4`,
    );
  });

  it('takes star as the key 65535 and pound as 65534', () => {
    for (const [key, pressed, name] of [
      ['65535', '*', 'star'],
      ['65534', '#', 'pound'],
    ] as const) {
      playScript(
        makeNumberConfig({ routes: [makeRoute({ confirmKey: key })] }),
        `
        caller calls
        > ring Ann
        Ann answers
        > ask Ann: Press ${name} to take this call.
        Ann presses ${pressed}
        > answer
        > bridge caller and Ann`,
      );
    }
  });
});

describe('sequential', () => {
  const sequential = makeRoute({
    type: 'sequential',
    forwards: [
      makeForward('Ann', { timeoutSeconds: 8 }),
      makeForward('Bob', { timeoutSeconds: 12 }),
      makeForward('Cem'),
    ],
  });

  it('rings in order, each for its own time', () => {
    playScript(
      makeNumberConfig({ routes: [sequential] }),
      `
      caller calls
      > ring Ann
      8 s pass
      > cancel Ann (timeout)
      > ring Bob
      11 s pass
      1 s pass
      > cancel Bob (timeout)
      > ring Cem
      Cem answers
      > answer
      > bridge caller and Cem
      history: 1, 5, 5, 6, 12`,
    );
  });

  it('gives the caller up when they leave between two destinations', () => {
    playScript(
      makeNumberConfig({ routes: [sequential] }),
      `
      caller calls
      > ring Ann
      Ann is busy
      > ring Bob
      caller hangs up
      > cancel Bob (callerLeft)
      Bob hangs up
      = 11 Hangup
      history: 1, 5, 11`,
    );
  });

  const rings = (
    roundRobin: Route['roundRobin'],
    more: ScriptInputs,
    about: Partial<Route> = {},
  ) => {
    const call = playScript(
      makeNumberConfig({ routes: [{ ...sequential, ...about, roundRobin }] }),
      'caller calls',
      more,
      true,
    );
    return call.state.legs.find((leg) => leg.role === 'target')?.target?.label;
  };

  it('round robin, strict: each call begins with the next one, and the order stays a circle', () => {
    expect([0, 1, 2, 3, 4].map((step) => rings('strict', { turns: { 1: step } }))).toEqual([
      'Ann',
      'Bob',
      'Cem',
      'Ann',
      'Bob',
    ]);
    playScript(
      makeNumberConfig({ routes: [{ ...sequential, roundRobin: 'strict' }] }),
      `
      caller calls
      > ring Cem
      Cem declines
      > ring Ann
      Ann declines
      > ring Bob`,
      { turns: { 1: 2 } },
    );
  });

  it('round robin, least recent: who answered longest ago is first, who never did before all', () => {
    const lastAnswered = { 1: { '+12125550111': noon - 5000, '+12125550112': noon - 9000 } };
    expect(rings('least_recent', { lastAnswered })).toBe('Cem');
    expect(
      rings('least_recent', { lastAnswered: { 1: { ...lastAnswered[1], '+12125550113': noon } } }),
    ).toBe('Bob');
  });

  it('round robin, weighted: over as many calls as the weights add up to, each begins exactly its share', () => {
    const forwards = [
      makeForward('Ann', { weight: 5 }),
      makeForward('Bob', { weight: 1 }),
      makeForward('Cem', { weight: 2 }),
    ];
    const first = Array.from({ length: 16 }, (_, step) =>
      rings('weighted', { turns: { 1: step } }, { forwards }),
    );
    expect(['Ann', 'Bob', 'Cem'].map((who) => first.filter((one) => one === who).length)).toEqual([
      10, 2, 4,
    ]);
    expect(first.slice(0, 8)).toEqual(['Ann', 'Cem', 'Ann', 'Ann', 'Bob', 'Ann', 'Cem', 'Ann']);
  });
});

describe('in-app calling', () => {
  const app = makeRoute({ type: 'in-app-calling', forwards: [], voicemail });
  const active = [
    { userId: 1, name: 'Ann', reachable: true },
    { userId: 2, name: 'Bob', reachable: true },
    { userId: 3, name: 'Cem', reachable: false },
  ];

  it('rings everyone who is active; one declining leaves the others ringing', () => {
    playScript(
      makeNumberConfig({ routes: [app], people: active }),
      `
      caller calls
      > ring Ann
      > ring Bob
      Ann declines in the app
      > cancel Ann (timeout)
      Bob answers
      > answer
      > bridge caller and Bob
      history: 1, 7, 6, 12
      answered by Bob`,
    );
  });

  it('asks nobody in the app for the confirm key', () => {
    playScript(
      makeNumberConfig({ routes: [{ ...app, confirmKey: '1' }], people: active.slice(0, 1) }),
      `
      caller calls
      > ring Ann
      Ann answers
      > answer
      > bridge caller and Ann`,
    );
  });

  it('takes the after-hours way when nobody is active', () => {
    playScript(
      makeNumberConfig({
        routes: [{ ...app, afterHours: { action: 'forward', number: '+12125550142' } }],
      }),
      `
      caller calls
      > ring (212) 555-0142
      because No one is active in the app.`,
    );
  });

  it('takes voicemail when nobody is active and nothing else is set', () => {
    playScript(
      makeNumberConfig({ routes: [app], people: [] }),
      `
      caller calls
      > answer
      > say: ${greeting}
      caller hangs up
      = 4 Voicemail`,
    );
  });
});

describe('voicemail', () => {
  it('goes straight there', () => {
    const call = playScript(
      makeNumberConfig({ routes: [makeRoute({ type: 'voicemail' })] }),
      `
      caller calls
      > answer
      > say: ${greeting}
      caller hangs up
      = 4 Voicemail
      history: 1, 4`,
    );
    expect(call.state.facts.abandoned).toBe('voicemail');
  });

  it('keeps a message whose file comes after the caller hung up', () => {
    const call = playScript(
      makeNumberConfig({ routes: [makeRoute({ type: 'voicemail' })] }),
      `
      caller calls
      > answer
      > say: ${greeting}
      caller has heard it
      > record a message
      7 s pass
      caller hangs up
      = 4 Voicemail
      a recording of 6 s is ready
      again`,
    );
    expect(call.state.facts.recordings).toMatchObject([{ state: 'kept', durationMs: 6000 }]);
    expect(call.state.facts.abandoned).toBeNull();
  });
});

describe('geo', () => {
  const geo = makeRoute({
    type: 'geo',
    geoByState: true,
    forwards: [
      makeForward('Ann', { areaCodes: ['212'] }),
      makeForward('Bob', { states: ['CA'] }),
      makeForward('Cem'),
    ],
  });
  it.each([
    ['+12125550100', undefined, 'Ann'],
    ['+14155550100', 'CA', 'Bob'],
    ['+13125550100', 'IL', 'Cem'],
  ])('%s of %s reaches %s', (from, state, who) => {
    playScript(
      makeNumberConfig({ routes: [geo] }),
      `
      caller calls
      > ring ${who}`,
      { from, ...(state === undefined ? {} : { state }) },
    );
  });
});
