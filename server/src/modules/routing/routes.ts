import { routing as contract } from '#contract';
import { answering, together } from '../../platform/answer.ts';
import { answers as flows } from './flows/routes.ts';
import { answers as greetings } from './greetings/routes.ts';
import { answers as schedules } from './schedules/routes.ts';
import { getNumber, updateNumber } from './change-number.ts';
import { simulateNumber } from './simulate-number.ts';

export const answers = together(
  answering(contract, {
    getNumber: (ctx, { params }) => getNumber(ctx, params.id),
    updateNumber: (ctx, { params, body }) => updateNumber(ctx, params.id, body),
    simulateNumber: (ctx, { params, body }) => simulateNumber(ctx, params.id, body),
  }),
  flows,
  schedules,
  greetings,
);
