import { describe, expect, it } from 'vitest';
import {
  flowSentences,
  hoursWords,
  type DescribedFlow,
  type DescribedRoute,
} from './flow-sentences.ts';
import { changesInShort, flowChanges } from './flow-changes.ts';
import { routeDefaults } from '../rules.ts';

const names = { 7: 'Ana Diaz', 8: 'Bob Lee' };
const to = (more: object): DescribedRoute['forwards'][number] => ({
  label: '',
  number: null,
  user_id: null,
  team_id: null,
  weight: null,
  timeout: null,
  schedule: null,
  area_codes: [],
  states: [],
  caller_id: null,
  custom_caller_id: null,
  ...more,
});
const ana = to({ user_id: 7 });
const desk = to({ number: '+12125550147', label: 'Front desk' });
const route = (more: Partial<DescribedRoute> = {}): DescribedRoute => ({
  ...routeDefaults,
  id: 1,
  forwards: [ana],
  business_hours: null,
  email_alert_address: [],
  voicemail_greeting_id: null,
  voicemail_greeting: null,
  after_hours: null,
  ...more,
});
const flow = (
  routes: DescribedRoute[],
  menu: Partial<DescribedFlow['menu']> = {},
): DescribedFlow => ({
  routes,
  menu: { greeting: null, fallback: null, ...menu },
});
const weekdays = {
  preset: 2 as const,
  timezone: null,
  blocks: [],
  exceptions: [],
  voicemail: false,
};

describe('flow sentences', () => {
  it('describe a single route, open and closed', () => {
    expect(
      flowSentences(
        flow([
          route({
            type: 'sequential',
            forwards: [ana, to({ number: '+12125550111', timeout: 10 })],
            business_hours: { ...weekdays, timezone: 'America/Chicago' },
            voicemail_enabled: true,
            after_hours: { action: 'greeting', target: 'We are closed.' },
          }),
        ]),
        names,
      ),
    ).toEqual([
      'Between 9:00 AM and 5:00 PM on weekdays (Central Time), the call rings Ana Diaz for 20 seconds, then (212) 555-0111 for 10 seconds.',
      'If no one answers, the caller leaves a voicemail.',
      'At other times the caller hears “We are closed.”, and the call ends.',
    ]);
  });

  it('describe a menu with geo routing, and where callers go who press nothing', () => {
    const geo = route({
      id: 2,
      extension: 2,
      label: 'Support',
      type: 'geo',
      geo_by_state_enabled: true,
      forwards: [
        to({ user_id: 7, area_codes: ['212', '646'] }),
        to({ user_id: 8, states: ['CA'] }),
        desk,
      ],
    });
    expect(
      flowSentences(
        flow([geo, route({ label: 'Sales', type: 'voicemail' })], {
          greeting: 'Hello.',
          fallback: 2,
        }),
        names,
      ),
    ).toEqual([
      'Callers hear “Hello.” and press a key.',
      'Press 1 for Sales: the caller leaves a voicemail.',
      'Press 2 for Support: the call follows the caller’s area: callers from 212 or 646 ring Ana Diaz; callers from CA ring Bob Lee; all other areas ring Front desk.',
      'If no one answers, the caller hears that no one is available, and the call ends.',
      'Callers who press nothing, or a wrong key three times, go to Support.',
    ]);
  });

  it('describe keys, whispers, music, special days and emails', () => {
    const said = flowSentences(
      flow([
        route({
          type: 'simultaneous',
          forwards: [ana, desk],
          stagger: true,
          confirm_key: 65_535,
          confirm_key_wait: 1,
          confirm_whisper: 'A sales call.',
          onhold_music_id: 2,
          email_alert_address: ['a@example.com'],
          business_hours: {
            ...weekdays,
            preset: 4,
            blocks: [
              {
                days: ['mon', 'tue', 'wed'],
                times: [
                  { start: '09:00', end: '12:00' },
                  { start: '13:30', end: '24:00' },
                ],
              },
              { days: ['sat'], times: [{ start: '00:00', end: '24:00' }] },
            ],
            exceptions: [
              {
                from: '2026-11-26',
                to: '2026-11-27',
                label: 'Thanksgiving',
                closed: true,
                times: [],
              },
            ],
          },
        }),
      ]),
      names,
    );
    expect(said).toEqual([
      'Between 9:00 AM and 12:00 PM and between 1:30 PM and midnight from Monday to Wednesday and all day on Saturday, the call rings Ana Diaz and Front desk at once, one more every 5 seconds, for 20 seconds.',
      'Anyone who answers hears “A sales call.” and presses star within 1 second to take the call.',
      'Meanwhile the caller hears light music.',
      'If no one answers, the caller hears that no one is available, and the call ends.',
      'At other times the caller hears that you’re closed, and the call ends.',
      'Closed on Thanksgiving (Nov 26, 2026 to Nov 27, 2026).',
      'An email about each call goes to a@example.com.',
    ]);
  });

  it('describe always, never, and the company’s hours', () => {
    expect([
      hoursWords(null),
      hoursWords({ ...weekdays, preset: 1 }),
      hoursWords({ ...weekdays, preset: 5 }),
      hoursWords({ ...weekdays, preset: 6 }),
      hoursWords({ ...weekdays, preset: 3 }),
    ]).toEqual([
      null,
      null,
      '',
      'during business hours',
      'between 9:00 AM and 5:00 PM on weekends',
    ]);
    expect(flowSentences(flow([]))[0]).toContain('no routes yet');
  });
});

describe('flow changes', () => {
  const before = flow([
    route({ label: 'Sales' }),
    route({ id: 2, extension: 2, label: 'Support' }),
  ]);

  it('are empty when only the IDs differ', () => {
    expect(flowChanges(before, structuredClone(before), names)).toEqual([]);
    expect(flowChanges(flow([route({ id: null })]), flow([route({ id: 99 })]), names)).toEqual([]);
    expect(changesInShort([])).toBe('Nothing changed.');
  });

  it('are listed per route, in the words of the flow sentences', () => {
    const after = flow(
      [
        route({
          label: 'Orders',
          forwards: [ana, desk],
          type: 'simultaneous',
          voicemail_enabled: true,
          business_hours: weekdays,
        }),
        route({ id: null, extension: 3, label: 'Parts', type: 'voicemail' }),
      ],
      { fallback: 'voicemail' },
    );
    expect(flowChanges(before, after, names)).toEqual([
      'Support was removed.',
      'Sales is now called Orders.',
      'Orders now rings Ana Diaz and Front desk at once for 20 seconds.',
      'Orders is now open between 9:00 AM and 5:00 PM on weekdays.',
      'Orders now goes to voicemail.',
      'Parts was added: it goes to voicemail.',
      'Callers who press nothing now leave a voicemail.',
    ]);
    expect(changesInShort(flowChanges(before, after, names))).toBe(
      'Support was removed. Sales is now called Orders. Orders now rings Ana Diaz and Front desk at once for 20 seconds. And 4 more changes.',
    );
  });

  it('include every changed setting', () => {
    const plain = route({ label: 'Sales' });
    const changed: Partial<DescribedRoute>[] = [
      { confirm_key: '1' },
      { confirm_whisper: 'Hi' },
      { onhold_music_id: 1 },
      { caller_id_pass_thru: false },
      { email_alert_address: ['a@b.co'] },
      { after_hours: { action: 'voicemail', target: null } },
      { voicemail_greeting: 'Beep' },
      { timeout: 30 },
      { extension: 4 },
      { geo_by_state_enabled: true },
      { forwards: [to({ user_id: 7, caller_id: 'tracking' })] },
      { forwards: [to({ user_id: 7, schedule: weekdays })] },
    ];
    for (const change of changed)
      expect(
        flowChanges(flow([plain]), flow([{ ...plain, ...change }]), names),
        JSON.stringify(change),
      ).toHaveLength(1);
  });
});
