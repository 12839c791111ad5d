import { describe, expect, it } from 'vitest';
import type { Route } from './index.ts';
import {
  noon,
  type ScriptInputs,
  makeForward,
  makeNumberConfig,
  makeRoute,
  playScript,
} from './test-support/script.ts';

describe('sequential', () => {
  const sequential = makeRoute({
    type: 'sequential',
    forwards: [
      makeForward('Ann', { timeoutSeconds: 8 }),
      makeForward('Bob', { timeoutSeconds: 12 }),
      makeForward('Cem'),
    ],
  });

  it('rings in order, each for its own timeout', () => {
    playScript(
      makeNumberConfig({ routes: [sequential] }),
      `
      caller calls
      > ring Ann
      8 s pass
      > cancel Ann (timeout)
      > ring Bob
      11 s pass
      1 s pass
      > cancel Bob (timeout)
      > ring Cem
      Cem answers
      > answer
      > bridge caller and Cem
      history: 1, 5, 5, 6, 12`,
    );
  });

  it('stops ringing when the caller hangs up between two destinations', () => {
    playScript(
      makeNumberConfig({ routes: [sequential] }),
      `
      caller calls
      > ring Ann
      Ann is busy
      > ring Bob
      caller hangs up
      > cancel Bob (callerLeft)
      Bob hangs up
      = 11 Hangup
      history: 1, 5, 11`,
    );
  });

  const rings = (
    roundRobin: Route['roundRobin'],
    more: ScriptInputs,
    about: Partial<Route> = {},
  ) => {
    const call = playScript(
      makeNumberConfig({ routes: [{ ...sequential, ...about, roundRobin }] }),
      'caller calls',
      more,
      true,
    );
    return call.state.legs.find((leg) => leg.role === 'target')?.target?.label;
  };

  it('round robin, strict: each call starts with the next destination in a fixed rotation', () => {
    expect([0, 1, 2, 3, 4].map((step) => rings('strict', { turns: { 1: step } }))).toEqual([
      'Ann',
      'Bob',
      'Cem',
      'Ann',
      'Bob',
    ]);
    playScript(
      makeNumberConfig({ routes: [{ ...sequential, roundRobin: 'strict' }] }),
      `
      caller calls
      > ring Cem
      Cem declines
      > ring Ann
      Ann declines
      > ring Bob`,
      { turns: { 1: 2 } },
    );
  });

  it('round robin, least recent: never answered first, then the longest ago', () => {
    const lastAnswered = { 1: { '+12125550111': noon - 5000, '+12125550112': noon - 9000 } };
    expect(rings('least_recent', { lastAnswered })).toBe('Cem');
    expect(
      rings('least_recent', { lastAnswered: { 1: { ...lastAnswered[1], '+12125550113': noon } } }),
    ).toBe('Bob');
  });

  it('round robin, weighted: each starts exactly its share of calls', () => {
    const forwards = [
      makeForward('Ann', { weight: 5 }),
      makeForward('Bob', { weight: 1 }),
      makeForward('Cem', { weight: 2 }),
    ];
    const first = Array.from({ length: 16 }, (_, step) =>
      rings('weighted', { turns: { 1: step } }, { forwards }),
    );
    expect(['Ann', 'Bob', 'Cem'].map((who) => first.filter((one) => one === who).length)).toEqual([
      10, 2, 4,
    ]);
    expect(first.slice(0, 8)).toEqual(['Ann', 'Cem', 'Ann', 'Ann', 'Bob', 'Ann', 'Cem', 'Ann']);
  });
});
