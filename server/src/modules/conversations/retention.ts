import { rowPerPerson, type Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'conversation_presence',
      ageColumn: 'at',
      keepFor: '10 minutes',
      smallBecause: rowPerPerson,
      reason: 'viewers of a conversation report twice a minute',
    },
    {
      table: 'auto_reply_sent',
      ageColumn: 'at',
      keepFor: '30 days',
      reason: 'an automatic text is not repeated within hours',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['inbox_view', 'canned_reply', 'number_auto_text'],
    },
    {
      until: 'the company goes: calls, conversations and campaigns',
      tables: ['conversation', 'conversation_party', 'conversation_item', 'note'],
    },
  ],
};
