import { triggers as contract } from '#contract';
import { answering } from '../../../platform/answer.ts';
import { updateTriggers } from './update-triggers.ts';

export const answers = answering(contract, {
  updateTriggers: (ctx, { params, body }) => updateTriggers(ctx, params.id, body),
});
