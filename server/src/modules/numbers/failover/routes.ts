import { carriers as contract } from '#contract';
import { answering } from '../../../platform/answer.ts';
import { getFailover, setFailover } from './set-failover.ts';

export const answers = answering(contract, {
  getFailover: (ctx, { params }) => getFailover(ctx, params.id),
  setFailover: (ctx, { params, body }) => setFailover(ctx, params.id, body),
});
