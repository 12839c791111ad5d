import { describe, expect, it } from 'vitest';
import { makeNumberConfig, playScript } from '../test-support/script.ts';
import { alone, people, talking, withAnn } from '../test-support/transfer-calls.ts';

describe('blind transfer', () => {
  it('holds the caller with music, releases the agent, connects the target: one call, one outcome', () => {
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

  it('rings back when no one answers; then voicemail, or the call ends as connected', () => {
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

  it('ends as connected and abandoned in transfer when the caller hangs up meanwhile', () => {
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

  it('to a team rings its people at once, and comes back when none of them takes it', () => {
    const toDesk = `${talking}
      Ann transfers to Desk with Bob and Cem
      > unbridge caller and Ann
      > hang up Ann
      > caller hears music 1
      > ring Bob
      > ring Cem`;
    const taken = playScript(
      alone(),
      `${toDesk}
      Cem answers
      > cancel Bob (answeredElsewhere)
      > caller waits no more
      > bridge caller and Cem`,
    );
    expect(taken.state.path.map(({ because }) => because)).toEqual(
      expect.arrayContaining(['Ann transferred the call to Desk.', 'Ringing Desk.']),
    );
    const back = playScript(
      alone(),
      `${toDesk}
      Bob declines
      20 s pass
      > cancel Cem (timeout)
      > ring Ann`,
    );
    expect(back.state.path.map(({ because }) => because)).toContain(
      'No one in Desk took the call. It returns to Ann.',
    );
  });

  it('to an extension follows that route in the same call', () => {
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

  it('of an outbound call keeps the called party', () => {
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

  it('consults, then completes; the caller never hears the consultation', () => {
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
  it('cancels and resumes with the caller', () => {
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
  it('swaps between the two and completes from either', () => {
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
  it('completes while ringing: keeps ringing for the caller, rings back when unanswered', () => {
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
  it('resumes the conversation when the consulted party declines or does not answer', () => {
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
  it('gives the call to the consulted party when the agent’s leg is lost or hangs up', () => {
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
  it('resumes the conversation when the consulted user hangs up in the app', () => {
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
  it('ignores another hangup of the user who transferred the call', () => {
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
  it('merges into a three-way call', () => {
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
  it('any user retrieves the call from its slot', () => {
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
  it('stays parked when a retrieval fails; after five minutes it rings the user who parked it', () => {
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
  it('ends when the caller hangs up', () => {
    const played = playScript(
      alone(),
      `${parked}
      caller hangs up
      = 12 Connected`,
    );
    expect(played.state.facts.abandoned).toBe('hold');
  });
});
