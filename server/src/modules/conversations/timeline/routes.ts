import { timeline as contract } from '#contract';
import { answering } from '../../../platform/answer.ts';
import { contactTimeline } from './contact-timeline.ts';

export const answers = answering(contract, {
  contactTimeline: (ctx, { params, query }) => contactTimeline(ctx, params.contactId, query),
});
