import { timeline as contract } from '#contract';
import { defineRoutes } from '../../../platform/routes.ts';
import { contactTimeline } from './contact-timeline.ts';

export const routes = defineRoutes(contract, {
  contactTimeline: (ctx, { params, query }) => contactTimeline(ctx, params.contactId, query),
});
