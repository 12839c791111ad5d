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

describe('greetings of the library', () => {
  it('welcomes the caller once, the recording notice after it, before anybody is rung', () => {
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

  it('is heard before the menu, and not again with it', () => {
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

  it('is said to nobody who goes straight to voicemail: the voicemail greeting is', () => {
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

  it('names the file of the company’s own hold music, and none for ours', () => {
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

  it('says the company’s own words when closed, also where an after-hours greeting is gone', () => {
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

  it('does not ring a person outside their own hours, and says so', () => {
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
