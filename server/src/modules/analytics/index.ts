import { analytics } from '#contract';
import { answering } from '../../platform/answer.ts';
import { callKpi } from './call-kpi.ts';

export const answers = answering(analytics, { callKpi: (ctx, { body }) => callKpi(ctx, body) });
export const owns = [] as const;
