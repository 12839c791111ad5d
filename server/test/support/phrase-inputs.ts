import type { InputContext } from './endpoint-inputs.ts';
import { createSpokenCall } from './spoken-call.ts';
import type { TestApp } from './test-app.ts';

let counter = 0;

/** A phrase list of a company. */
export const insertPhraseList = async (app: TestApp, companyId: number): Promise<number> =>
  (
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('phrase_list')
        .values({
          company_id: companyId,
          name: `List ${++counter}`,
          phrases: ['book an appointment'],
          said_by: 'either',
          at_least: 1,
          created_at: app.clock.value,
          updated_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;

/** A rule of a company. */
export const insertOutcomeRule = async (app: TestApp, companyId: number): Promise<number> =>
  (
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('outcome_rule')
        .values({
          company_id: companyId,
          name: `Rule ${++counter}`,
          is_on: false,
          min_talk_seconds: 60,
          lead: true,
          created_at: app.clock.value,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  ).id;

/** A name that no other request has taken. */
const freshName = (s: InputContext) => ({
  body: { ...(s.example.body as object), name: `List ${++counter}` },
});

/** What the endpoints of phrases and rules need beyond their examples. */
export const phraseInputs = {
  // A call with words that no other request is having read.
  readCall: async (s: InputContext) => ({
    params: {
      id: await createSpokenCall(s.app, s.company.id, {
        numberId: Number(s.fixtureIds.number),
        lines: ['client: I want to book a cleaning, please.'],
      }),
    },
  }),
  createPhraseList: async (s: InputContext) => freshName(s),
  updatePhraseList: async (s: InputContext) => freshName(s),
  deletePhraseList: async (s: InputContext) => ({
    params: { companyId: s.company.id, listId: await insertPhraseList(s.app, s.company.id) },
  }),
  deleteOutcomeRule: async (s: InputContext) => ({
    params: { companyId: s.company.id, ruleId: await insertOutcomeRule(s.app, s.company.id) },
  }),
};
