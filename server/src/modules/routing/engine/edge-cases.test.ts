import { describe, expect, it } from 'vitest';
import type { Hours } from './hours.ts';
import {
  makeForward,
  makeNumberConfig,
  makeRoute,
  noon,
  ourNumber,
  playScript,
} from './test-support/script.ts';

const monToFri: Hours = {
  timezone: 'America/Los_Angeles',
  preset: 2,
  blocks: [],
  exceptions: [],
  voicemail: false,
};
const onSaturdays: Hours = { ...monToFri, preset: 3 };
const voicemail = { enabled: true, greeting: null };
const greeting = 'You have reached Acme. Please leave a message after the tone.';
const closed = 'Acme is closed right now. Please call again during business hours.';

describe('rejected callers', () => {
  it('rejects a blocked caller', () => {
    playScript(
      makeNumberConfig({ blocked: 'This number is on the block list.' }),
      `
      caller calls
      > reject (blocked)
      caller hangs up
      = 13 Blocked
      history: 1, 13`,
    );
  });

  it('answers busy over the call limit and "not in service" for a released number', () => {
    playScript(
      makeNumberConfig({ full: 'Ten calls are running.' }),
      `
      caller calls
      > reject (busy)
      = 10 Missed`,
    );
    playScript(
      makeNumberConfig({ service: 'notInService' }),
      `
      caller calls
      > reject (notInService)
      = 10 Missed`,
    );
  });

  it('sends a call to voicemail after five forwards inside the company', () => {
    playScript(
      makeNumberConfig({ hops: 5 }),
      `
      caller calls
      > answer
      > say: ${greeting}
      because forwarded 5 times`,
    );
  });
});

describe('business hours', () => {
  it('rings when open at call start', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ hours: monToFri })] }),
      `
      caller calls
      > ring Ann
      because Open at Wed 9:00 AM Pacific Time: Wed 9:00 AM–5:00 PM.`,
    );
  });

  it('plays the closed message or goes to voicemail when closed', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ hours: onSaturdays })] }),
      `
      caller calls
      > answer
      > say: ${closed}
      caller has heard it
      > hang up caller
      = 10 Missed
      history: 1, 10`,
    );
    playScript(
      makeNumberConfig({ routes: [makeRoute({ hours: onSaturdays, voicemail })] }),
      `
      caller calls
      > answer
      > say: ${greeting}`,
    );
  });

  it('follows the after-hours action when closed', () => {
    playScript(
      makeNumberConfig({
        routes: [
          makeRoute({
            hours: onSaturdays,
            afterHours: { action: 'forward', number: '+12125550177' },
          }),
        ],
      }),
      `
      caller calls
      > ring (212) 555-0177`,
    );
    playScript(
      makeNumberConfig({
        routes: [
          makeRoute({
            hours: onSaturdays,
            afterHours: {
              action: 'greeting',
              prompts: [{ kind: 'say', text: 'We open on Saturday.' }],
            },
          }),
        ],
      }),
      `
      caller calls
      > answer
      > say: We open on Saturday.`,
    );
  });

  it('sends the caller to voicemail when after-hours routes form a loop', () => {
    const one = makeRoute({
      id: 1,
      extension: 1,
      hours: onSaturdays,
      afterHours: { action: 'route', routeId: 2 },
    });
    const two = makeRoute({
      id: 2,
      extension: 2,
      hours: onSaturdays,
      afterHours: { action: 'route', routeId: 1 },
    });
    playScript(
      makeNumberConfig({ routes: [one, two] }),
      `
      caller calls
      > answer
      > ask caller: Thank you for calling Acme. For extension 1, press 1. For extension 2, press 2.
      caller presses 1
      > say: ${greeting}
      because leads in a circle`,
    );
  });

  it('sends Direct Voicemail routes to voicemail at any hour', () => {
    playScript(
      makeNumberConfig({ routes: [makeRoute({ hours: { ...monToFri, preset: 5 } })] }),
      `
      caller calls
      > answer
      > say: ${greeting}`,
    );
  });

  it('skips a destination outside its own hours', () => {
    playScript(
      makeNumberConfig({
        routes: [
          makeRoute({
            type: 'simultaneous',
            forwards: [makeForward('Ann', { hours: onSaturdays }), makeForward('Bob')],
          }),
        ],
      }),
      `
      caller calls
      > ring Bob`,
    );
  });
});

describe('connected calls', () => {
  const recorded = makeNumberConfig({ record: true, recordingAnnouncement: 'default' });

  it('announces the recording, records, holds and resumes', () => {
    const call = playScript(
      recorded,
      `
      caller calls
      > answer
      > say: This call may be recorded.
      caller has heard it
      > caller hears ring back
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann
      > start recording
      the screen asks: hold
      > unbridge caller and Ann
      > caller hears music 1
      again
      the screen asks: hold off
      > caller waits no more
      > bridge caller and Ann
      the screen asks: record off
      > stop recording
      the screen asks: record
      > start recording
      the screen sends 12#
      > send 12# to caller
      the screen asks: hangup
      > hang up caller
      > hang up Ann
      = 12 Connected
      a recording of 30 s is ready`,
    );
    expect(call.state.facts.recordings.map((one) => one.state)).toEqual(['stopped', 'kept']);
    expect(call.state.facts.endedBy).toBe('callee');
  });

  it('counts a caller who hangs up on hold as abandoned on hold', () => {
    const call = playScript(
      makeNumberConfig(),
      `
      caller calls
      > ring Ann
      Ann answers
      > answer
      > bridge caller and Ann
      the screen asks: hold
      > unbridge caller and Ann
      > caller hears music 1
      caller hangs up
      > hang up Ann
      = 12 Connected`,
    );
    expect(call.state.facts.abandoned).toBe('hold');
  });

  it('whispers before connecting; a destination that hangs up then does not end the call', () => {
    const routes = [
      makeRoute({
        type: 'sequential',
        whisper: 'From the website.',
        forwards: [makeForward('Ann'), makeForward('Bob')],
      }),
    ];
    playScript(
      makeNumberConfig({ routes }),
      `
      caller calls
      > ring Ann
      Ann answers
      > whisper to Ann: From the website.
      Ann hangs up
      > ring Bob
      Bob answers
      > whisper to Bob: From the website.
      Bob has heard it
      > answer
      > bridge caller and Bob
      history: 1, 6, 7, 6, 12`,
    );
  });

  it('never redials a busy destination', () => {
    const routes = [
      makeRoute({
        hours: null,
        type: 'sequential',
        forwards: [
          makeForward('Ann'),
          makeForward('Bob'),
          makeForward('Again', { number: '+12125550111' }),
        ],
      }),
    ];
    playScript(
      makeNumberConfig({ routes }),
      `
      caller calls
      > ring Ann
      Ann is busy
      > ring Bob
      because in this route twice`,
    );
  });
});

describe('duplicate, late and out-of-order events', () => {
  it('are ignored', () => {
    playScript(
      makeNumberConfig({
        routes: [
          makeRoute({ type: 'simultaneous', forwards: [makeForward('Ann'), makeForward('Bob')] }),
        ],
      }),
      `
      caller calls
      > ring Ann
      > ring Bob
      Ann hangs up
      Ann answers
      again
      Bob answers
      > answer
      > bridge caller and Bob
      again
      Bob rings
      30 s pass
      Bob hangs up
      > hang up caller
      again
      Bob answers
      caller hangs up
      again
      the screen asks: hangup
      = 12 Connected
      history: 1, 5, 6, 12`,
    );
  });
});

describe('outbound calls', () => {
  const number = makeNumberConfig({ record: true, recordingAnnouncement: 'default' });

  it('ring the agent’s app, then the destination, announce the recording and connect', () => {
    const call = playScript(
      number,
      `
      agent calls Zoe
      > ring agent as ${ourNumber}
      agent answers
      > agent hears ring back
      > ring Zoe as ${ourNumber}
      Zoe answers
      > whisper to Zoe: This call may be recorded.
      Zoe has heard it
      > agent waits no more
      > bridge agent and Zoe
      > start recording
      the screen asks: hold
      > unbridge agent and Zoe
      > Zoe hears music 1
      the screen asks: hold off
      > Zoe waits no more
      > bridge agent and Zoe
      Zoe hangs up
      > hang up agent
      = 12 Connected
      history: 1, 6, 12`,
    );
    expect(call.state.facts.startedAt).toBe(noon);
  });

  it('end when no one answers, the agent hangs up or the agent’s app never joins', () => {
    playScript(
      makeNumberConfig(),
      `
      agent calls Zoe
      > ring agent as ${ourNumber}
      agent answers
      > agent hears ring back
      > ring Zoe as ${ourNumber}
      Zoe is busy
      > hang up agent
      = 8 No Answer`,
    );
    playScript(
      makeNumberConfig(),
      `
      agent calls Zoe
      > ring agent as ${ourNumber}
      agent answers
      > agent hears ring back
      > ring Zoe as ${ourNumber}
      the screen asks: hangup
      > cancel Zoe (callerLeft)
      > hang up agent
      = 11 Hangup`,
    );
    playScript(
      makeNumberConfig(),
      `
      agent calls Zoe
      > ring agent as ${ourNumber}
      20 s pass
      > cancel agent (callerLeft)
      = 3 Hangup`,
    );
    const unanswered = playScript(
      makeNumberConfig(),
      `
      agent calls Zoe
      > ring agent as ${ourNumber}
      agent cannot be reached
      = 3 Hangup`,
    );
    expect(unanswered.state.outcome?.because).toBe(
      'The in-app phone didn’t answer: no open page responded.',
    );
  });
});
