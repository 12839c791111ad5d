import { describe, expect, it } from 'vitest';
import { makeForward, makeNumberConfig, makeRoute, playScript } from './test-support/script.ts';

const sales = makeRoute({ id: 1, extension: 1, label: 'Sales', forwards: [makeForward('Ann')] });
const service = makeRoute({
  id: 2,
  extension: 2,
  label: 'Service',
  forwards: [makeForward('Bob')],
});
const parts = makeRoute({ id: 3, extension: 12, label: 'Parts', forwards: [makeForward('Cem')] });
const menu = 'Thank you for calling Acme. For Sales, press 1. For Service, press 2.';

describe('the IVR menu', () => {
  it('asks when there are several extensions and follows the pressed one', () => {
    const call = playScript(
      makeNumberConfig({ routes: [sales, service] }),
      `
      caller calls
      > answer
      > ask caller: ${menu}
      caller presses 2
      > caller hears ring back
      > ring Bob
      again
      Bob answers
      > caller waits no more
      > bridge caller and Bob
      history: 1, 2, 6, 12`,
    );
    expect(call.state.facts).toMatchObject({ extension: 2, extensionLabel: 'Service', routeId: 2 });
  });

  it('repeats after a wrong key and after silence, then goes to voicemail', () => {
    playScript(
      makeNumberConfig({ routes: [sales, service], voicemail: { enabled: true, greeting: null } }),
      `
      caller calls
      > answer
      > ask caller: ${menu}
      caller presses 9
      > ask caller: Sorry, that is not a valid choice. ${menu}
      caller presses nothing
      > ask caller: Sorry, we didn’t receive a choice. ${menu}
      caller presses nothing
      > say: You have reached Acme. Please leave a message after the tone.
      caller hangs up
      = 4 Voicemail
      history: 1, 4`,
    );
  });

  it('falls back to the configured route, or to the first without voicemail', () => {
    for (const [fallback, who] of [
      [null, 'Ann'],
      [2, 'Bob'],
    ] as const) {
      playScript(
        makeNumberConfig({ routes: [sales, service], menuFallback: fallback }),
        `
        caller calls
        > answer
        > ask caller: ${menu}
        caller presses nothing
        > ask caller: Sorry, we didn’t receive a choice. ${menu}
        caller presses nothing
        > ask caller: Sorry, we didn’t receive a choice. ${menu}
        caller presses nothing
        > caller hears ring back
        > ring ${who}`,
      );
    }
  });

  it('accepts two-digit extensions; one digit and a pause selects the short one', () => {
    for (const [pressed, who] of [
      ['12', 'Cem'],
      ['1', 'Ann'],
      ['1#', 'Ann'],
    ] as const) {
      playScript(
        makeNumberConfig({
          routes: [sales, parts],
          menuGreeting: [{ kind: 'say', text: 'Welcome.' }],
        }),
        `
        caller calls
        > answer
        > ask caller: Welcome.
        caller presses ${pressed}
        > caller hears ring back
        > ring ${who}`,
      );
    }
  });

  it('counts a caller who hangs up in the menu as abandoned in the menu', () => {
    const call = playScript(
      makeNumberConfig({ routes: [sales, service] }),
      `
      caller calls
      > answer
      > ask caller: ${menu}
      caller hangs up
      = 3 Hangup
      history: 1, 3`,
    );
    expect(call.state.facts.abandoned).toBe('menu');
  });

  it('continues by its guard timer when the end of the menu is never reported', () => {
    playScript(
      makeNumberConfig({ routes: [sales, service] }),
      `
      caller calls
      > answer
      > ask caller: ${menu}
      60 s pass
      > ask caller: Sorry, we didn’t receive a choice. ${menu}`,
    );
  });

  it('plays hold music while a destination rings', () => {
    playScript(
      makeNumberConfig({ routes: [{ ...sales, holdMusicId: 2 }] }),
      `
      caller calls
      > answer
      > caller hears music 2
      > ring Ann
      Ann answers
      > caller waits no more
      > bridge caller and Ann`,
    );
  });
});
