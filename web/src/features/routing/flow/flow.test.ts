import { describe, expect, it } from 'vitest';
import { routing } from '#contract';
import { toDraft, emptyForward, emptyRoute, type Draft, type DraftRoute } from '../draft.ts';
import { addStep, removeStep } from './edit.ts';
import { graphOf } from './graph.ts';
import { layOut } from './layout.ts';
import { highlightPath } from './highlight-path.ts';

const about = { number: '(415) 555-2368', people: { 7: 'Una User' } };
const phone = (last: string) => ({
  ...emptyForward({ number: `+121255501${last}` }),
  key: `f${last}`,
});
const route = (extension: number, more: Partial<DraftRoute> = {}): DraftRoute => ({
  ...emptyRoute(extension),
  key: `r${extension}`,
  ...more,
});
const draft = (...routes: DraftRoute[]): Draft => ({
  ...toDraft({
    routes: [],
    menu: { greeting: null, fallback: null },
  } as unknown as routing.NumberWithRoutes),
  routes,
});
const two = draft(
  route(1, {
    label: 'Sales',
    type: 'sequential',
    forwards: [phone('11'), phone('12')],
    business_hours: { preset: 2, timezone: null, blocks: [], exceptions: [], voicemail: false },
    after_hours: { action: 'route', target: '2' },
  }),
  route(2, { label: 'Support', type: 'voicemail' }),
);
const ways = (of: Draft): string[] =>
  graphOf(of, about).links.map(
    (one) => `${one.from} > ${one.to}${one.label ? ` (${one.label})` : ''}`,
  );

describe('a flow drawn', () => {
  it('stands from the call on the left to its ends on the right', () => {
    expect(ways(two)).toEqual([
      'start > screen',
      'screen > menu',
      'menu > route:r1 (press 1)',
      'route:r1 > hours:r1',
      'hours:r1 > route:r2 (closed)',
      'hours:r1 > ring:r1:f11 (open)',
      'ring:r1:f11 > ring:r1:f12 (no answer)',
      'ring:r1:f12 > end:r1 (no answer)',
      'menu > route:r2 (press 2)',
      'route:r2 > end:r2',
      'menu > nobody (no key)',
    ]);
  });

  it('has no two boxes over each other, and every way leads to the right, down the first column, or to another extension', () => {
    const graph = graphOf(two, about);
    const places = [...layOut(graph)];
    for (const [a, one] of places)
      for (const [b, other] of places) {
        const apart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(a === b || apart, `${a} and ${b}`).toBe(true);
      }
    for (const { from, to } of graph.links) {
      const [a, b] = [layOut(graph).get(from)!, layOut(graph).get(to)!];
      expect(
        to.startsWith('route:') || a.x < b.x || (a.x === b.x && a.y < b.y),
        `${from} > ${to}`,
      ).toBe(true);
    }
  });
});

describe('a step put in', () => {
  it('between two destinations rings between them', () => {
    const { draft: after, selectedId: select } = addStep(two, 'destination', {
      from: 'ring:r1:f11',
      to: 'ring:r1:f12',
    });
    expect(after.routes[0]?.forwards.map((one) => one.key)).toEqual([
      'f11',
      select.split(':')[2],
      'f12',
    ]);
  });

  it('behind the only destination rings next', () => {
    const after = addStep(draft(route(1, { forwards: [phone('11')] })), 'destination', {
      from: 'ring:r1',
      to: 'end:r1',
    }).draft;
    expect([after.routes[0]?.type, after.routes[0]?.forwards[0]?.key]).toEqual([
      'sequential',
      'f11',
    ]);
  });

  it('voicemail goes where it is put: at the end, when closed, or for whoever presses nothing', () => {
    const closed = draft(
      route(1, {
        business_hours: { preset: 2, timezone: null, blocks: [], exceptions: [], voicemail: false },
      }),
      route(2),
    );
    expect(
      addStep(closed, 'voicemail', { from: 'hours:r1', to: 'after:r1' }).draft.routes[0]
        ?.after_hours.action,
    ).toBe('voicemail');
    expect(
      addStep(closed, 'voicemail', { step: 'ring:r1' }).draft.routes[0]?.voicemail_enabled,
    ).toBe(true);
    expect(addStep(closed, 'voicemail', { from: 'menu', to: 'nobody' }).draft.menu.fallback).toBe(
      'voicemail',
    );
  });

  it('on an empty number begins its first extension', () => {
    const { draft: after } = addStep(draft(), 'hours', null);
    expect([after.routes.length, after.routes[0]?.business_hours?.preset]).toEqual([1, 2]);
  });

  it('and taken out again leaves the flow as it was', () => {
    for (const item of ['extension', 'hours', 'destination', 'voicemail'] as const) {
      const before = draft(route(1, { forwards: [phone('11'), phone('12')], type: 'sequential' }));
      const { draft: with1, selectedId: select } = addStep(before, item, { step: 'ring:r1:f12' });
      expect(with1, item).not.toEqual(before);
      expect(removeStep(with1, select).draft, item).toEqual(before);
    }
  });
});

describe('a call tried', () => {
  const line = (node: string, extension: number | null, more: object = {}) => ({
    i: 0,
    at: '',
    node,
    rule: '',
    matched: true,
    because: node,
    target: null,
    duration: 0,
    extension,
    ...more,
  });

  it('lights its way, across extensions, with the reason at each step', () => {
    const highlight = highlightPath(
      [
        line('start', null),
        line('menu', null),
        line('route', 1),
        line('hours', 1, { matched: false }),
        line('hours', 1, { rule: 'after hours' }),
        line('route', 2),
        line('voicemail', 2),
        line('end', 2),
      ],
      graphOf(two, about),
      two,
    );
    expect([...highlight.steps.keys()]).toEqual([
      'start',
      'menu',
      'route:r1',
      'hours:r1',
      'route:r2',
      'end:r2',
      'screen',
    ]);
    expect([...highlight.links]).toEqual([
      'start>screen',
      'screen>menu',
      'menu>route:r1>press 1',
      'route:r1>hours:r1',
      'hours:r1>route:r2>closed',
      'route:r2>end:r2',
    ]);
  });

  it('lights each destination that rang', () => {
    const highlight = highlightPath(
      [
        line('start', null),
        line('route', 1),
        line('hours', 1),
        line('ring', 1, { target: '+12125550111' }),
        line('ring', 1, { target: '+12125550111', matched: false }),
        line('ring', 1, { target: '+12125550112' }),
        line('connect', 1),
        line('end', 1),
      ],
      graphOf(two, about),
      two,
    );
    expect(highlight.stepByLine.slice(3)).toEqual([
      'ring:r1:f11',
      'ring:r1:f11',
      'ring:r1:f12',
      'ring:r1:f12',
      'ring:r1:f12',
    ]);
  });
});
