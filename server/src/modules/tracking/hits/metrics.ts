import { Counter, Gauge, Histogram } from 'prom-client';
import type { HitStep } from '#contract/tracking/hit-rules';

/** How long a step took for the hits of one company that came together. */
export const stepSeconds = new Histogram({
  name: 'tracking_step_seconds',
  help: 'How long a step took for the hits of a company that came together',
  labelNames: ['step'],
  buckets: [0.0001, 0.001, 0.005, 0.02, 0.1, 0.5, 2],
});
export const keptHits = new Counter({
  name: 'tracking_hits_total',
  help: 'Sessions, page views, events and heartbeats of websites that were counted',
  labelNames: ['kind'],
});
export const droppedHits = new Counter({
  name: 'tracking_hits_dropped_total',
  help: 'Those that were not, and the step and reason why',
  labelNames: ['kind', 'step', 'reason'],
});
export const waitingHits = new Gauge({
  name: 'tracking_hits_waiting',
  help: 'Hits that wait for being stored in this process',
});

/** Does a step's work and measures how long it takes. */
export async function timed<T>(step: HitStep, work: () => Promise<T>): Promise<T> {
  const end = stepSeconds.startTimer({ step });
  try {
    return await work();
  } finally {
    end();
  }
}
