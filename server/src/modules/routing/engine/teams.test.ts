import { describe, expect, it } from 'vitest';
import type { Forward, Person } from './index.ts';
import { makeForward, makeNumberConfig, makeRoute, playScript } from './test-support/script.ts';
import { toDestination } from './ringing/destinations.ts';

const person = (userId: number, name: string, more: Partial<Person> = {}): Person => ({
  userId,
  name,
  reachable: true,
  ...more,
});
const team = (label: string, userIds: number[], more: Partial<Forward> = {}): Forward => ({
  ...toDestination(''),
  ...more,
  number: null,
  label,
  team: { id: 9, members: userIds.map((userId) => ({ ...toDestination(userId), ...more })) },
});
const people = [person(1, 'Ann'), person(2, 'Bob'), person(3, 'Cem')];
const reasons = (call: ReturnType<typeof playScript>) =>
  call.state.path.map(({ because }) => because);

describe('a team as a destination', () => {
  it('rings its people together, as one step of a sequential route', () => {
    const route = makeRoute({
      type: 'sequential',
      forwards: [team('Desk', [1, 2], { timeoutSeconds: 8 }), makeForward('Cem')],
    });
    const call = playScript(
      makeNumberConfig({ routes: [route], people }),
      `
      caller calls
      > ring Ann
      > ring Bob
      8 s pass
      > cancel Ann (timeout)
      > cancel Bob (timeout)
      > ring Cem`,
    );
    expect(reasons(call)).toContain('Ringing Desk.');
  });

  it('is the one that a standard route chose, with all its people', () => {
    const route = makeRoute({
      forwards: [makeForward('Ann', { userId: 1 }), team('Desk', [1, 2])],
    });
    playScript(
      makeNumberConfig({ routes: [route], people }),
      `
      caller calls
      > ring Ann
      > ring Bob`,
      { draw: [0.9] },
    );
  });

  it('rings a person once who is in it and named beside it', () => {
    const route = makeRoute({
      type: 'simultaneous',
      forwards: [makeForward('Ann', { userId: 1 }), team('Desk', [1, 2])],
    });
    const call = playScript(
      makeNumberConfig({ routes: [route], people }),
      `
      caller calls
      > ring Ann
      > ring Bob`,
    );
    expect(reasons(call)).toContain('Ann is in this route twice and is rung once.');
  });

  it('leaves out who doesn’t want calls, can’t see the number or isn’t there, each with the reason', () => {
    const away = [
      person(1, 'Ann', { doNotDisturb: { until: null } }),
      person(2, 'Bob', { excluded: true }),
      person(3, 'Cem', { reachable: false }),
    ];
    const call = playScript(
      makeNumberConfig({
        routes: [makeRoute({ type: 'in-app-calling', forwards: [team('Desk', [1, 2, 3])] })],
        people: away,
      }),
      `
      caller calls
      > answer`,
      {},
      true,
    );
    const said = reasons(call).join('\n');
    expect(said).toContain('Bob can’t see this number, so it doesn’t ring them.');
    expect(said).toContain('Cem is away or has no device connected.');
    expect(said).toMatch(/^Ann: .*not disturb/im);
    expect(said).toContain('No one in Desk can be rung.');
    expect(call.state.flow.warnings.join('\n')).toContain('Bob can’t see this number');
  });

  it('warns of a team without people', () => {
    const call = playScript(
      makeNumberConfig({ routes: [makeRoute({ forwards: [team('Desk', [])] })], people }),
      'caller calls',
      {},
      true,
    );
    expect(call.state.flow.warnings).toContain('Extension 1: Desk has no one in it.');
    expect(reasons(call)).toContain('Desk has no one in it.');
  });

  it('is last in turn when one of its people answered last', () => {
    const route = makeRoute({
      type: 'sequential',
      roundRobin: 'least_recent',
      forwards: [team('Desk', [1, 2]), makeForward('Cem', { userId: 3 })],
    });
    playScript(
      makeNumberConfig({ routes: [route], people }),
      `
      caller calls
      > ring Cem`,
      { lastAnswered: { 1: { 'user:2': 500, 'user:3': 400 } } },
    );
  });
});
