import { describe, it } from 'vitest';
import type { Prompt } from '../../../gateways/voice.ts';
import { makeForward, makeNumberConfig, makeRoute, playScript } from './test-support/script.ts';

const file = (name: string): Prompt => ({ kind: 'play', fileId: `1:${name}`, name, seconds: 4 });
const openSunday = {
  timezone: 'America/New_York',
  preset: 4 as const,
  blocks: [{ days: ['sun' as const], times: [{ start: '09:00', end: '17:00' }] }],
  exceptions: [],
  voicemail: false,
};

describe('library greetings in a flow', () => {
  it('plays the welcome once, then the recording notice, before anything rings', () => {
    playScript(
      makeNumberConfig({
        welcome: [file('welcome')],
        record: true,
        recordingAnnouncement: [file('notice')],
      }),
      `
      caller calls
      > answer
      > say: [welcome] [notice]
      caller has heard it
      > caller hears ring back
      > ring Ann`,
    );
  });

  it('plays the welcome before the menu, and not again when the menu repeats', () => {
    playScript(
      makeNumberConfig({
        welcome: [file('welcome')],
        menuGreeting: [file('menu')],
        routes: [
          makeRoute({ extension: 1 }),
          makeRoute({ id: 2, extension: 2, forwards: [makeForward('Bob')] }),
        ],
      }),
      `
      caller calls
      > answer
      > ask caller: [welcome] [menu]
      caller presses nothing
      > ask caller: Sorry, we didn’t receive a choice. [menu]
      caller presses 2
      > caller hears ring back
      > ring Bob`,
    );
  });

  it('skips the welcome when the call goes straight to voicemail', () => {
    playScript(
      makeNumberConfig({
        welcome: [file('welcome')],
        routes: [
          makeRoute({ type: 'voicemail', voicemail: { enabled: true, greeting: [file('away')] } }),
        ],
      }),
      `
      caller calls
      > answer
      > say: [away]
      caller has heard it
      > record a message`,
    );
  });

  it('sends a file id for the company’s hold music and none for built-in music', () => {
    playScript(
      makeNumberConfig({ musicFiles: { 4100: '1:88' }, routes: [makeRoute({ holdMusicId: 2 })] }),
      `
      caller calls
      > answer
      > caller hears music 2
      > ring Ann`,
    );
    playScript(
      makeNumberConfig({
        musicFiles: { 4100: '1:88' },
        routes: [makeRoute({ holdMusicId: 4100 })],
      }),
      `
      caller calls
      > answer
      > caller hears music 4100 [1:88]
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann
      the screen asks: hold
      > unbridge caller and Ann
      > caller hears music 4100 [1:88]`,
    );
  });

  it('plays the company’s closed message, also when an after-hours greeting was deleted', () => {
    for (const afterHours of [null, { action: 'greeting' as const, prompts: [] }]) {
      playScript(
        makeNumberConfig({
          closed: [file('closed')],
          routes: [makeRoute({ hours: openSunday, afterHours })],
        }),
        `
        caller calls
        > answer
        > say: [closed]
        caller has heard it
        > hang up caller
        = 10 Missed`,
      );
    }
  });

  it('does not ring a user outside the user’s hours and explains why', () => {
    const ann = { userId: 1, name: 'Ann', reachable: true, hours: openSunday };
    playScript(
      makeNumberConfig({
        people: [ann, { userId: 2, name: 'Bob', reachable: true }],
        routes: [
          makeRoute({
            type: 'simultaneous',
            forwards: [makeForward('Ann', { userId: 1 }), makeForward('Bob', { userId: 2 })],
          }),
        ],
      }),
      `
      caller calls
      > ring Bob
      because Ann: Closed at Wed 12:00 PM`,
    );
  });
});
