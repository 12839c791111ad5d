import { routing as contract } from '#contract';
import { answering } from '../../platform/answer.ts';
import { getNumber, updateNumber } from './change-number.ts';
import { simulateNumber } from './simulate-number.ts';

export const answers = answering(contract, {
  getNumber: (ctx, { params }) => getNumber(ctx, params.id),
  updateNumber: (ctx, { params, body }) => updateNumber(ctx, params.id, body),
  simulateNumber: (ctx, { params, body }) => simulateNumber(ctx, params.id, body),
});
