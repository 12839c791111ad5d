import { carriers as contract } from '#contract';
import { answering, outside } from '../../../platform/answer.ts';
import { checkCarriers, listCarriers } from '../accounts/check-carriers.ts';
import { getFailover, setFailover } from './set-failover.ts';

export const answers = answering(contract, {
  getFailover: (ctx, { params }) => getFailover(ctx, params.id),
  setFailover: (ctx, { params, body }) => setFailover(ctx, params.id, body),
  listCarriers: outside((ctx) => listCarriers(ctx)),
  checkCarriers: outside((ctx) => checkCarriers(ctx)),
});
