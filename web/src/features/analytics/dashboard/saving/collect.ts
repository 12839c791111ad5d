import { callAnalytics, dashboard, type Answer } from '#contract';
import { api } from '#ui';
import { listParts, type ListPart } from '../part-list.ts';
import {
  boardAsked,
  ofAllCompanies,
  statesAsked,
  type Board,
  type Question,
} from '../use-dashboard.ts';

/** All that the dashboard shows. */
export interface Collected {
  byTime: Board;
  timeGroup: 'hour' | 'day';
  heat: Board;
  lists: { part: ListPart; board: Board }[];
  states: Answer<typeof callAnalytics.analyzeCalls>;
  /** Of an organization. */
  companies: Board | null;
}

/** Asks for all parts again, so that a picture or file has the figures of its own moment. */
export async function collect(question: Question): Promise<Collected> {
  const ask = (...asked: Parameters<typeof boardAsked>) =>
    api(dashboard.getDashboard, boardAsked(...asked));
  const timeGroup = question.range.start === question.range.end ? 'hour' : 'day';
  const [byTime, heat, states, companies, ...lists] = await Promise.all([
    ask('calls', question, timeGroup),
    ask('heatmap', question),
    api(callAnalytics.analyzeCalls, statesAsked(question)),
    question.organization ? ask('calls', ofAllCompanies(question), 'company') : null,
    ...listParts().map(async (part) => ({
      part,
      board: await ask(part.type, question, part.groupBy),
    })),
  ]);
  return { byTime, timeGroup, heat, states, companies, lists };
}
