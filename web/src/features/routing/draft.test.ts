import { describe, expect, it } from 'vitest';
import { routing } from '#contract';
import {
  toDraft,
  emptyForward,
  moveItem,
  nextRoute,
  draftErrors,
  withoutEmptyRows,
  type Draft,
} from './draft.ts';
import { toRequest } from './draft-request.ts';

const empty: Draft = { routes: [], menu: { greeting: '', fallback: '' } };
const oneRoute = (...numbers: string[]): Draft => ({
  ...empty,
  routes: [{ ...nextRoute([]), forwards: numbers.map((number) => emptyForward({ number })) }],
});

describe('the draft of a number’s routes', () => {
  it('starts with the default routes and produces a valid request', () => {
    const sent = toRequest(oneRoute('(212) 555-0147'));
    expect(routing.routesIn.parse(sent.routes)).toMatchObject([
      {
        extension: 1,
        type: 'standard',
        timeout: 20,
        confirm_key: false,
        confirm_key_wait: 10,
        caller_id_pass_thru: true,
        voicemail_enabled: false,
        forwards: [{ number: '+12125550147' }],
      },
    ]);
  });

  it('is unchanged after a save', () => {
    const example = routing.operations.getNumber.example.answer as {
      data: routing.NumberWithRoutes;
    };
    const draft = toDraft(example.data);
    expect(draft.routes[0]?.forwards[0]?.number).toBe('(212) 555-0147');
    expect(routing.routesIn.parse(toRequest(draft).routes)).toMatchObject([
      { id: 7, forwards: [{ id: 8, number: '+12125550147' }] },
    ]);
  });

  it('drops empty rows and reports errors by path', () => {
    const draft = withoutEmptyRows(oneRoute('', '  ', '12'));
    expect(draft.routes[0]?.forwards).toHaveLength(1);
    expect(draftErrors(draft)).toEqual({
      'routes.0.forwards.0.number': 'Enter a valid phone number.',
    });
  });

  it('gives a new route the next free extension', () => {
    const first = nextRoute([]);
    expect([first.extension, nextRoute([first]).extension]).toEqual([1, 2]);
  });

  it('moves a row, but not past the ends', () => {
    expect([
      moveItem(['a', 'b', 'c'], 0, 2),
      moveItem(['a', 'b', 'c'], 2, 0),
      moveItem(['a', 'b'], 0, -1),
      moveItem(['a', 'b'], 1, 2),
    ]).toEqual([
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});
