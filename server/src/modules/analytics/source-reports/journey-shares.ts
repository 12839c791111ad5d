import type { TxCtx } from '../../../platform/context.ts';
import {
  markovShares,
  shapleyShares,
  sourceLabels,
  waysWithoutCall,
  type Journey,
  type ReportScope,
} from '../../tracking/index.ts';

export type Way = Journey;
interface Share {
  key: string;
  label: string;
  markov: number;
  shapley: number;
}

/** Repeated sources are one step, and direct visits count only where there is nothing else. */
function stepsOf(sources: readonly string[]): string[] {
  const known = sources.filter((source) => source !== 'direct');
  return (known.length ? known : sources).filter((source, i, all) => source !== all[i - 1]);
}

/** Each source's part in the calls of a period, looking at the ways of all visitors. */
export class JourneyTally {
  private readonly ways: Way[] = [];
  private readonly labels = new Map<string, string>();

  /** Adds a company's ways: those that led to a call, and those of visitors who never called. */
  async add(ctx: TxCtx, scope: ReportScope, withCall: readonly Way[]): Promise<void> {
    const without = await waysWithoutCall(ctx.tx, ctx.companyId, scope);
    this.ways.push(...withCall, ...without.map((way) => ({ ...way, calls: 0 })));
    const keys = new Set([...withCall, ...without].flatMap(({ sources }) => sources));
    for (const [key, label] of await sourceLabels(ctx.tx, ctx.companyId, [...keys]))
      this.labels.set(key, label);
  }

  shares(): Share[] {
    if (this.ways.every(({ calls }) => calls === 0)) return [];
    const journeys = folded(this.ways);
    const [markov, shapley] = [markovShares(journeys), shapleyShares(journeys)];
    return [...markov]
      .map(([key, share]) => ({
        key,
        label: this.labels.get(key) ?? key,
        markov: share,
        shapley: shapley.get(key) ?? 0,
      }))
      .sort((a, b) => b.markov - a.markov || (a.key < b.key ? -1 : 1));
  }
}

/** Ways that took the same steps are one. */
function folded(ways: readonly Way[]): Journey[] {
  const byPath = new Map<string, Journey>();
  for (const way of ways) {
    const sources = stepsOf(way.sources);
    const path = sources.join('\n');
    const known = byPath.get(path) ?? { sources, times: 0, calls: 0 };
    known.times += way.times;
    known.calls += way.calls;
    byPath.set(path, known);
  }
  return [...byPath.values()];
}
