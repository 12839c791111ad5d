import { describe, expect, it } from 'vitest';
import { makeForward, makeNumberConfig, makeRoute, playScript } from './test-support/script.ts';

const people = [
  { userId: 1, name: 'Ann', reachable: true },
  { userId: 2, name: 'Bob', reachable: true },
  { userId: 3, name: 'Cem', reachable: true },
];
const ann = makeForward('Ann', { userId: 1, number: null });
const withAnn = (more = {}) =>
  makeNumberConfig({
    people,
    routes: [
      makeRoute({ forwards: [ann] }),
      makeRoute({
        id: 2,
        extension: 2,
        label: 'Sales',
        forwards: [makeForward('Bob', { userId: 2, number: null })],
      }),
    ],
    menuFallback: 1,
    ...more,
  });
const alone = (more = {}) => withAnn({ routes: [makeRoute({ forwards: [ann] })], ...more });
/** The caller talks with Ann. */
const talking = `
  caller calls
  > ring Ann
  Ann answers
  > answer
  > bridge caller and Ann`;

describe('blind transfer', () => {
  it('the caller waits with music, the agent is free, the new person is connected; one call, one outcome', () => {
    const played = playScript(
      alone(),
      `${talking}
      Ann transfers to Bob
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1
      > ring Bob
      Ann hangs up
      Bob answers
      > caller waits no more
      > bridge caller and Bob
      30 s pass
      caller hangs up
      > hang up Bob
      = 12 Connected
      history: 1, 6, 12, 6, 12
      answered by Ann`,
    );
    expect(played.state.facts.talkSeconds).toBe(30);
    expect(played.state.history.map((one) => one.label)).toContain('Transferred');
  });

  it('nobody takes it: it comes back; not taken back either: voicemail, or the call ends as answered', () => {
    playScript(
      alone(),
      `${talking}
      Ann transfers to Bob
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1
      > ring Bob
      20 s pass
      > cancel Bob (timeout)
      > ring Ann
      Ann declines
      > caller waits no more
      > say: No one is available to take your call right now. Please try again later.
      caller has heard it
      > hang up caller
      = 12 Connected
      history: 1, 6, 12, 5, 7`,
    );
    playScript(
      alone({ voicemail: { enabled: true, greeting: null } }),
      `${talking}
      Ann transfers to Bob
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1
      > ring Bob
      Bob declines in the app
      > cancel Bob (timeout)
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann
      caller hangs up
      > hang up Ann
      = 12 Connected`,
    );
  });

  it('the caller gives up while it is passed on: answered, abandoned in transfer', () => {
    const played = playScript(
      alone(),
      `${talking}
      Ann transfers to Zoe
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1
      > ring Zoe as +14155552368
      caller hangs up
      > cancel Zoe (callerLeft)
      = 12 Connected`,
    );
    expect(played.state.facts.abandoned).toBe('transfer');
  });

  it('to an extension: that route’s own way, in the same call', () => {
    playScript(
      withAnn(),
      `
      caller calls
      > answer
      > ask caller: Thank you for calling Acme. For extension 1, press 1. For Sales, press 2.
      caller presses 1
      > caller hears ring back
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann
      Ann transfers to route 2
      > unbridge caller and Ann
      > hang up Ann
      > caller hears ring back
      > ring Bob
      Bob answers
      > caller waits no more
      > bridge caller and Bob
      Bob hangs up
      > hang up caller
      = 12 Connected
      history: 1, 2, 6, 12, 6, 12`,
    );
  });

  it('a call placed by an agent is passed on: the other side stays', () => {
    const played = playScript(
      makeNumberConfig({ people }),
      `
      agent calls Zoe
      > ring agent as +14155552368
      agent answers
      > agent hears ring back
      > ring Zoe as +14155552368
      Zoe answers
      > agent waits no more
      > bridge agent and Zoe
      Ann transfers to Bob
      > unbridge agent and Zoe
      > hang up agent
      > Zoe hears music 1
      > ring Bob
      Bob answers
      > Zoe waits no more
      > bridge Zoe and Bob
      Zoe hangs up
      > hang up Bob
      = 12 Connected`,
    );
    expect(played.state.facts.endedBy).toBe('callee');
  });
});

describe('attended transfer', () => {
  const asking = `${talking}
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      Bob answers
      > Ann waits no more
      > bridge Ann and Bob`;

  it('asks, then completes: the caller never hears the consultation', () => {
    playScript(
      alone(),
      `${asking}
      Ann completes
      > unbridge Ann and Bob
      > hang up Ann
      > caller waits no more
      > bridge caller and Bob
      Bob hangs up
      > hang up caller
      = 12 Connected
      history: 1, 6, 12, 6, 12`,
    );
  });
  it('cancels, and takes the caller back', () => {
    playScript(
      alone(),
      `${asking}
      Ann cancels
      > unbridge Ann and Bob
      > hang up Bob
      > caller waits no more
      > bridge caller and Ann
      caller hangs up
      > hang up Ann
      = 12 Connected`,
    );
  });
  it('swaps between the two, and completes from either', () => {
    playScript(
      alone(),
      `${asking}
      Ann swaps
      > unbridge Ann and Bob
      > Bob hears music 1
      > caller waits no more
      > bridge caller and Ann
      Ann swaps
      > unbridge caller and Ann
      > caller hears music 1
      > Bob waits no more
      > bridge Ann and Bob
      Ann swaps
      > unbridge Ann and Bob
      > Bob hears music 1
      > caller waits no more
      > bridge caller and Ann
      Ann completes
      > Bob waits no more
      > unbridge caller and Ann
      > hang up Ann
      > bridge caller and Bob
      caller hangs up
      > hang up Bob
      = 12 Connected`,
    );
  });
  it('completes while it still rings: it rings on for the caller, and comes back unanswered', () => {
    playScript(
      alone(),
      `${talking}
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      5 s pass
      Ann completes
      > hang up Ann
      15 s pass
      > cancel Bob (timeout)
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann
      still going`,
    );
  });
  it('who is asked declines, or does not answer: the two talk again', () => {
    playScript(
      alone(),
      `${talking}
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      Bob declines in the app
      > cancel Bob (timeout)
      > Ann waits no more
      > caller waits no more
      > bridge caller and Ann
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      20 s pass
      > cancel Bob (timeout)
      > Ann waits no more
      > caller waits no more
      > bridge caller and Ann
      history: 1, 6, 12, 7, 5`,
    );
  });
  it('the agent’s line is lost, or hangs up, while consulting: whoever was asked has the call', () => {
    playScript(
      alone(),
      `${asking}
      Ann hangs up
      > caller waits no more
      > bridge caller and Bob
      still going`,
    );
    playScript(
      alone(),
      `${asking}
      Ann hangs up on the screen
      > unbridge Ann and Bob
      > hang up Ann
      > caller waits no more
      > bridge caller and Bob
      Ann hangs up
      still going`,
    );
  });
  it('whoever is asked hangs up on the screen: only they go, and the two talk again', () => {
    playScript(
      alone(),
      `${asking}
      Bob hangs up on the screen
      > unbridge Ann and Bob
      > hang up Bob
      > caller waits no more
      > bridge caller and Ann
      Bob hangs up
      still going`,
    );
    playScript(
      alone(),
      `${asking}
      Ann swaps
      > unbridge Ann and Bob
      > Bob hears music 1
      > caller waits no more
      > bridge caller and Ann
      Bob hangs up on the screen
      > hang up Bob
      still going`,
    );
  });
  it('whoever has passed the call on hangs up once more: the call goes on', () => {
    playScript(
      alone(),
      `${asking}
      Ann completes
      > unbridge Ann and Bob
      > hang up Ann
      > caller waits no more
      > bridge caller and Bob
      Ann hangs up on the screen
      still going`,
    );
  });
  it('becomes a conversation of three', () => {
    playScript(
      alone(),
      `${asking}
      Ann merges
      > caller waits no more
      > caller joins (talk)
      > Ann joins (talk)
      > Bob joins (talk)
      Ann hangs up
      > caller leaves the room
      > Bob leaves the room
      > bridge caller and Bob
      Bob hangs up
      > hang up caller
      = 12 Connected`,
    );
  });
});

describe('park', () => {
  const parked = `${talking}
      Ann parks in 1
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1`;
  it('anyone takes it from its slot', () => {
    playScript(
      alone(),
      `${parked}
      60 s pass
      Bob retrieves
      > ring Bob
      Cem retrieves
      Bob answers
      > caller waits no more
      > bridge caller and Bob
      caller hangs up
      > hang up Bob
      = 12 Connected`,
    );
  });
  it('whoever takes it does not come: it waits on; after five minutes it comes back to the one who parked', () => {
    playScript(
      alone({ voicemail: { enabled: true, greeting: null } }),
      `${parked}
      Bob retrieves
      > ring Bob
      Bob cannot be reached
      279 s pass
      21 s pass
      > ring Ann
      20 s pass
      > cancel Ann (timeout)
      > caller waits no more
      > say: You have reached Acme. Please leave a message after the tone.
      caller hangs up
      = 4 Voicemail`,
    );
  });
  it('the caller gives up', () => {
    const played = playScript(
      alone(),
      `${parked}
      caller hangs up
      = 12 Connected`,
    );
    expect(played.state.facts.abandoned).toBe('hold');
  });
});

describe('three people', () => {
  const three = `${talking}
      Ann adds Cem
      > ring Cem
      Cem answers
      > caller joins (talk)
      > Ann joins (talk)
      > Cem joins (talk)`;
  it('anyone leaves, the others go on; it ends when one is left', () => {
    playScript(
      alone(),
      `${three}
      caller hangs up
      > Ann leaves the room
      > Cem leaves the room
      > bridge Ann and Cem
      Cem hangs up
      > hang up Ann
      = 12 Connected
      history: 1, 6, 12, 6, 12`,
    );
  });
  it('the agent hangs up on the screen: only the agent goes', () => {
    playScript(
      alone(),
      `${three}
      Ann hangs up on the screen
      > hang up Ann
      > caller leaves the room
      > Cem leaves the room
      > bridge caller and Cem
      still going`,
    );
  });
  it('holding is for the caller alone; a third person can be removed', () => {
    playScript(
      alone(),
      `${three}
      the screen asks: hold
      > caller hears music 1
      > caller leaves the room
      the screen asks: hold off
      > caller waits no more
      > caller joins (talk)
      Ann removes Cem
      > hang up Cem
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      still going`,
    );
  });
  it('one who does not come changes nothing', () => {
    playScript(
      alone(),
      `${talking}
      Ann adds Cem
      > ring Cem
      Cem is busy
      still going
      Ann adds Cem
      > ring Cem
      Ann removes Cem
      > cancel Cem (callerLeft)`,
    );
  });
});

describe('supervisors', () => {
  const watched = `${talking}
      Zed listens
      > ring Zed
      Zed answers
      > caller joins (talk)
      > Ann joins (talk)
      > Zed joins (listen)`;
  it('listens, whispers to the agent, speaks with both, and goes', () => {
    playScript(
      alone(),
      `${watched}
      Zed murmurs
      > Zed joins (whisper to Ann)
      Zed barges
      > Zed joins (talk)
      Zed stops watching
      > hang up Zed
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      caller hangs up
      > hang up Ann
      = 12 Connected
      history: 1, 6, 12`,
    );
  });
  it('hangs up on the screen, twice: only the supervisor goes', () => {
    playScript(
      alone(),
      `${watched}
      Zed hangs up on the screen
      > hang up Zed
      > caller leaves the room
      > Ann leaves the room
      > bridge caller and Ann
      Zed hangs up on the screen
      still going`,
    );
  });
  it('hears neither music nor a consultation, and stays with a call that is passed on', () => {
    playScript(
      alone(),
      `${watched}
      Ann asks Bob first
      > caller leaves the room
      > Ann leaves the room
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      Bob answers
      > Ann waits no more
      > bridge Ann and Bob
      Ann completes
      > unbridge Ann and Bob
      > Zed leaves the room
      > hang up Ann
      > caller waits no more
      > caller joins (talk)
      > Bob joins (talk)
      > Zed joins (listen)
      Zed hangs up
      > caller leaves the room
      > Bob leaves the room
      > bridge caller and Bob
      still going`,
    );
  });
});

it('a recording goes on through a transfer: two channels, the company’s people on one, a consultation on none', () => {
  playScript(
    alone({ record: true }),
    `
      caller calls
      > ring Ann
      Ann answers
      > answer
      > bridge caller and Ann
      > start recording
      Ann asks Bob first
      > unbridge caller and Ann
      > caller hears music 1
      > Ann hears ring back
      > ring Bob
      > record caller | nobody
      Bob answers
      > Ann waits no more
      > bridge Ann and Bob
      Ann completes
      > unbridge Ann and Bob
      > hang up Ann
      > caller waits no more
      > bridge caller and Bob
      > record caller | Bob
      Bob adds Cem
      > ring Cem
      Cem answers
      > caller joins (talk)
      > Bob joins (talk)
      > Cem joins (talk)
      > record caller | Bob, Cem
      caller hangs up
      > stop recording
      > Bob leaves the room
      > Cem leaves the room
      > bridge Bob and Cem
      still going`,
  );
});
