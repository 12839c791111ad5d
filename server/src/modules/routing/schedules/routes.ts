import { schedules as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { getSchedule } from './get-schedule.ts';
import { previewSchedule } from './preview-schedule.ts';
import { saveSchedule } from './save-schedule.ts';

export const routes = defineRoutes(contract, {
  getSchedule: (ctx, { query }) => getSchedule(ctx, query.user_id ?? null),
  saveSchedule: (ctx, { query, body }) =>
    saveSchedule(ctx, body.user_id ?? query.user_id ?? null, body),
  saveOwnSchedule: (ctx, { body }) => saveSchedule(ctx, ctx.actor.userId, body),
  previewSchedule: (ctx, { body }) => previewSchedule(ctx, body),
});
