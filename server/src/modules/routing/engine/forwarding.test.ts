import { describe, expect, it } from 'vitest';
import {
  ourNumber,
  makeForward,
  makeNumberConfig,
  makeRoute,
  playScript,
} from './test-support/script.ts';

const voicemail = { enabled: true, greeting: null };
const greeting = 'You have reached Acme. Please leave a message after the tone.';
const unavailable = 'No one is available to take your call right now. Please try again later.';
const three = [makeForward('Ann'), makeForward('Bob'), makeForward('Cem')];

describe('standard', () => {
  it('rings one destination and connects it on answer', () => {
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

  it('goes to voicemail when no one answers and keeps the message', () => {
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

  it('plays a message and hangs up when no one answers and voicemail is off', () => {
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

  it('ends as rejected when the destination declines', () => {
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

  it('chooses by weight: weights 9 and 1 split calls nine to one', () => {
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

  it('sends our number as caller ID when pass-through is off', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ callerIdPassThru: false })] }),
      `
      caller calls
      > ring Ann as ${ourNumber}`,
    );
  });

  it('sends our number as caller ID when the caller withheld theirs', () => {
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
  it('connects the first to answer and cancels the others as "Answered Already"', () => {
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

  it('keeps ringing while one is busy and one declines', () => {
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

  it('rings at most ten destinations', () => {
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

  it('staggers its legs by five seconds, or at once when nothing rings any more', () => {
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

  it('connects the first to press the confirm key', () => {
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

  it('treats a destination that presses nothing as rejected', () => {
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

  it('maps key 65535 to star and 65534 to pound', () => {
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

describe('in-app calling', () => {
  const app = makeRoute({ type: 'in-app-calling', forwards: [], voicemail });
  const active = [
    { userId: 1, name: 'Ann', reachable: true },
    { userId: 2, name: 'Bob', reachable: true },
    { userId: 3, name: 'Cem', reachable: false },
  ];

  it('rings every active user; one decline leaves the others ringing', () => {
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

  it('skips who has do not disturb or is off, and says so before anything about devices', () => {
    const hours = { timezone: 'America/New_York', preset: 5 as const, blocks: [] };
    const skipped = playScript(
      makeNumberConfig({
        routes: [app],
        people: [
          { userId: 1, name: 'Ann', reachable: true, doNotDisturb: { until: null } },
          { userId: 2, name: 'Bob', reachable: false, doNotDisturb: { until: 4e12 } },
          {
            userId: 3,
            name: 'Cem',
            reachable: false,
            hours: { ...hours, exceptions: [], voicemail: false },
          },
          { userId: 4, name: 'Dee', reachable: true, doNotDisturb: { until: 0 } },
        ],
      }),
      `
      caller calls
      > ring Dee
      Dee answers
      > answer
      > bridge caller and Dee`,
    );
    expect(skipped.state.path.filter((one) => !one.matched).map((one) => one.because)).toEqual([
      'Ann: Do not disturb is on.',
      'Bob: Do not disturb is on.',
      'Cem: Direct Voicemail is set.',
    ]);
  });

  it('never asks app users for the confirm key', () => {
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

  it('follows the after-hours action when no user is active', () => {
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

  it('goes to voicemail when no user is active and no action is set', () => {
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
  it('plays the greeting and records without ringing', () => {
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

  it('keeps a message whose file arrives after the caller hung up', () => {
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
