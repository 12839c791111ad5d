import { describe, expect, it } from 'vitest';
import { routing } from '#contract';
import { toDraft, emptyForward, emptyRoute, type Draft, type DraftRoute } from '../draft.ts';
import { addStep, removeStep } from './edit.ts';
import { graphOf } from './graph.ts';
import { labelWidth, layOut, type Rect } from './layout.ts';
import { highlightPath } from './highlight-path.ts';

const context = { number: '(415) 555-2368', people: { 7: 'Una User' }, teams: {} };
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
const linksOf = (of: Draft): string[] =>
  graphOf(of, context).links.map(
    (one) => `${one.from} > ${one.to}${one.label ? ` (${one.label})` : ''}`,
  );

/** Flows of different shapes: a menu with jumps and closed hours, one number that rings in turn, a menu of nine. */
const nine = draft(
  ...Array.from({ length: 9 }, (_, i) => route(i + 1, { label: `Team ${i + 1}` })),
);
const closedToOther = draft(
  ...two.routes.map((one, i) => (i === 0 ? { ...one, extension: 3, key: 'r3' } : one)),
);
const drafts = { two, nine, closedToOther, none: draft(), single: draft(route(1)) };

const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('the drawing of a flow', () => {
  it('links the call to each of its ends', () => {
    expect(linksOf(two)).toEqual([
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

  it.each(Object.entries(drafts))('of %s has no box or label over another', (_, of) => {
    const graph = graphOf(of, context);
    const layout = layOut(graph);
    const labels = graph.links
      .filter((link) => link.label !== '')
      .flatMap((link): [string, Rect][] => {
        const at = layout.links.get(link.id)?.label;
        const width = labelWidth(link);
        return at ? [[link.id, { x: at.x - width / 2, y: at.y - 10, width, height: 20 }]] : [];
      });
    const all = [...layout.steps, ...labels];
    for (const [i, [a, one]] of all.entries())
      for (const [b, other] of all.slice(i + 1))
        expect(overlaps(one, other), `${a} and ${b}`).toBe(false);
  });

  it.each(Object.entries(drafts))('of %s leads down, except to another extension', (_, of) => {
    const graph = graphOf(of, context);
    const { steps } = layOut(graph);
    for (const { from, to } of graph.links) {
      const isDown = (steps.get(from)?.y ?? 0) < (steps.get(to)?.y ?? 0);
      expect(isDown || to.startsWith('route:'), `${from} > ${to}`).toBe(true);
    }
  });
});

describe('adding a step', () => {
  it('between two destinations rings it between them', () => {
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

  it('after the only destination rings it next', () => {
    const after = addStep(draft(route(1, { forwards: [phone('11')] })), 'destination', {
      from: 'ring:r1',
      to: 'end:r1',
    }).draft;
    expect([after.routes[0]?.type, after.routes[0]?.forwards[0]?.key]).toEqual([
      'sequential',
      'f11',
    ]);
  });

  it('voicemail is added where it is dropped: at the end, when closed, or when no key is pressed', () => {
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

  it('to an empty flow adds its first extension', () => {
    const { draft: after } = addStep(draft(), 'hours', null);
    expect([after.routes.length, after.routes[0]?.business_hours?.preset]).toEqual([1, 2]);
  });

  it('and removing it again restores the flow', () => {
    for (const item of ['extension', 'hours', 'destination', 'voicemail'] as const) {
      const before = draft(route(1, { forwards: [phone('11'), phone('12')], type: 'sequential' }));
      const { draft: with1, selectedId: select } = addStep(before, item, { step: 'ring:r1:f12' });
      expect(with1, item).not.toEqual(before);
      expect(removeStep(with1, select).draft, item).toEqual(before);
    }
  });
});

describe('a test call', () => {
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

  it('highlights its path across extensions with the reason at each step', () => {
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
      graphOf(two, context),
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

  it('highlights each destination that rang', () => {
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
      graphOf(two, context),
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
